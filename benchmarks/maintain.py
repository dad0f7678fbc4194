"""Measure the cost of upkeep: `python -m benchmarks.maintain [--sizes 1000,10000,100000]`.

A store in which 1 % of the memories want something: duplicates to fold, memories to promote, unused ones to archive. The
maintain phase runs as a dream runs it, on a real PostgreSQL; then again, and must touch nothing. A small store comes first,
because a process compiles its statements once, and a worker runs dreams for its whole life. For comparison,
SwarmClaw's tier 1 needs 0.6 s at 10,000 although it reads only 500 of them; mcp-memory-service consolidates in 190 s.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
from pydantic import SecretStr

from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import CATALOG
from workers.phases.maintain import phase as maintain
from workers.phases.orient import phase as orient
from workers.runner.run import run_phase

_SIZES = (1_000, 10_000, 100_000)
_STORE = "default"
_TARGET_SECONDS = {10_000: 0.1, 100_000: 1.0}
#: Of 1,000 memories: four pairs of duplicates, three to promote, three to archive; about 700 characters each.
_FILL = """
    INSERT INTO memories (id, tenant_id, store_id, path, content, content_hash, title, summary, doc_type, size_chars,
      state, version, author, importance, maturity, tier, access_count, reinforcement_count, pinned, created_at,
      updated_at, touched_at, is_dirty, fold_hash)
    SELECT 'mem_' || %(tenant)s || n, %(tenant)s, %(store)s, 'd' || n %% 10 || '/' || n || '.md', body, md5(body),
      'Memory ' || n, left(body, 100), '', length(body), 'live', 1, 'agent', 50, 'draft', 'working',
      CASE WHEN n %% 1000 IN (20, 21, 22) THEN 3 WHEN n %% 1000 IN (30, 31, 32) THEN 0 ELSE 1 END,
      CASE WHEN n %% 1000 IN (20, 21, 22) THEN 2 ELSE 0 END, false, at, at, at, false, md5(body)
    FROM (SELECT n, now() - CASE WHEN n %% 1000 IN (30, 31, 32) THEN interval '100 days' ELSE interval '20 days' END AS at,
            repeat('Fact ' || CASE WHEN n %% 1000 IN (11, 12, 13, 14) THEN n - 10 ELSE n END || ' of the store. ', 30) AS body
          FROM generate_series(0, %(size)s - 1) n) made
"""
_FILL_VERSIONS = """
    INSERT INTO memory_versions (memory_id, version, tenant_id, store_id, path, content, state, author, signals, change,
      created_at)
    SELECT id, version, tenant_id, store_id, path, content, state, author, '{}', 'create',
      now() - make_interval(days => abs(hashtext(id)) %% 365)
    FROM memories WHERE tenant_id = %(tenant)s AND id LIKE 'mem_' || %(tenant)s || '%%'
"""


def main() -> int:
    """Run every size, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)))
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    with (
        tempfile.TemporaryDirectory(prefix="slowwave-") as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports = replace(make_ports(settings), dispatch=Silent())
        _fill(ports, settings, "warm", _SIZES[0])
        _run(ports, "warm")
        rows = [_measure(ports, settings, size) for size in sizes]
        ports.close()
    report("maintain", "The maintain phase, 1 % of the memories change", rows, {"target s": _TARGET_SECONDS})
    return 0


def _measure(ports: Ports, settings: Settings, size: int) -> dict[str, object]:
    tenant = f"bench{size}"
    _fill(ports, settings, tenant, size)
    first, spent, counts, peak = _run(ports, tenant)
    with _counted_rows(settings, tenant) as touched:
        second, spent_again, again, _ = _run(ports, tenant)
    return {
        "memories": size,
        "seconds": first,
        "cpu s": spent,
        "folded": counts.get("FOLD", 0),
        "promoted": counts.get("MAKE_DURABLE", 0),
        "archived": counts.get("ARCHIVE_STALE", 0),
        "memory grew MB": peak,
        "second run s": second,
        "second run cpu s": spent_again,
        "rows touched by it": touched[0] + sum(again.values()),
    }


def _fill(ports: Ports, settings: Settings, tenant: str, size: int) -> None:
    overrides = {"gates.enabled": True}
    store = configure_store(
        ports.db,
        tenant,
        _STORE,
        changes=StoreChanges(profile="swarmclaw", overrides=overrides),
        phases=CATALOG,
        actor="benchmark",
    )
    with as_application(settings, tenant) as connection:
        fill_memories(connection, tenant, store.id, size)
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE memories")


def fill_memories(application: psycopg.Connection, tenant: str, store_id: str, size: int) -> None:
    """Add memories, each with its first version."""
    values = {"tenant": tenant, "store": store_id, "size": size}
    application.execute(_FILL, values)
    application.execute(_FILL_VERSIONS, values)


def _run(ports: Ports, tenant: str) -> tuple[float, float, dict[str, int], float]:
    """Return the phase's seconds, those of the processor in this process, what it counted, and by how many MB the peak of this process's memory grew."""
    dream_id = begin_dream(ports, tenant, _STORE, force=True, dream_id=None)
    assert dream_id is not None
    key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase="orient")
    run_phase(ports, orient.PHASE, key)
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, used = time.perf_counter(), time.process_time()
    run_phase(ports, maintain.PHASE, replace(key, phase="maintain"))
    seconds, spent = time.perf_counter() - begun, time.process_time() - used
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb
    with ports.db.transaction(tenant) as uow:
        counts = next(run.counts for run in uow.phases.find_all(dream_id) if run.phase == "maintain")
    finish_dream(ports, tenant, dream_id, 1)
    return seconds, spent, counts, grown_kb / 1_024


@contextmanager
def _counted_rows(settings: Settings, tenant: str) -> Iterator[list[int]]:
    """Yield a list that afterwards holds how many versions were written meanwhile."""
    query = "SELECT count(*) FROM memory_versions WHERE tenant_id = %s"
    counted: list[int] = []
    with as_application(settings, tenant) as connection:
        row = connection.execute(query, (tenant,)).fetchone()
    yield counted
    with as_application(settings, tenant) as connection:
        after = connection.execute(query, (tenant,)).fetchone()
    assert row is not None
    assert after is not None
    counted.append(after[0] - row[0])


@contextmanager
def as_application(settings: Settings, tenant: str) -> Iterator[psycopg.Connection]:
    """Connect as the application does, for one tenant."""
    with psycopg.connect(plain_url(settings.database_url)) as connection:
        connection.execute("SELECT set_config('slowwave.tenant_id', %s, true)", (tenant,))
        yield connection


def plain_url(url: SecretStr | None) -> str:
    """Return an address without the name of the driver."""
    assert url is not None
    return url.get_secret_value().replace("postgresql+psycopg://", "postgresql://")


if __name__ == "__main__":
    raise SystemExit(main())
