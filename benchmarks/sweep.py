"""What finding due stores costs: `python -m benchmarks.sweep [--sizes 10000,100000,1000000]`.

Fills a PostgreSQL of its own with stores, then measures, at each size: an idle sweep and one that claims 500 due
stores (buffers by EXPLAIN, milliseconds by the clock),
stores that fail a gate per second, by the sweep (claim, gates, verdict; slots as by default) and checked one by one.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.report import report
from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.bootstrap import get_app, local_servers, make_ports
from shared.ports.all_ports import Ports
from shared.settings import Settings

_TENANTS = 1_000
_DUE = 500
_SWEPT = 1_000
_REPEATS = 20
_CHECKS = 500
#: The whole claim, rolled back: its buffers tell whether the cost follows the due stores only.
_FIND_DUE = "SELECT * FROM slowwave_claim_due_stores(500, 600)"


def main() -> int:
    """Run every size, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    rows = [_measure(size) for size in sizes]
    report("sweep", "Finding due stores", rows, {"due when claiming": _DUE, "tenants": _TENANTS})
    return 0


def _measure(size: int) -> dict[str, object]:
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        assert settings.owner_database_url is not None
        url = settings.owner_database_url.get_secret_value().replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as owner:
            _fill(owner, size)
            ports = make_ports(settings, get_app())
            idle_buffers, idle_ms = _explain(owner), _time_claims(ports)
            _make_due(owner, _DUE)
            due_buffers = _explain(owner)
            claim_ms = _time_one_claim(ports)
            return {
                "stores": size,
                "idle buffers": idle_buffers,
                "idle ms": idle_ms,
                "buffers, 500 due": due_buffers,
                "claim 500 ms": claim_ms,
                "claims/s": int(_DUE / claim_ms * 1000),
                "swept/s": _swept_a_second(owner, ports),
                "single checks/s": _checks_a_second(ports),
            }


def _fill(owner: psycopg.Connection, size: int) -> None:
    owner.execute("INSERT INTO tenants (id, weight) SELECT 't' || n, 1 FROM generate_series(1, %s) n", (_TENANTS,))
    owner.execute(
        """
        INSERT INTO stores (id, tenant_id, name, curations, last_dream_at, next_check_at)
        SELECT 'memstore_' || n, 't' || (1 + n %% %s), 's' || n, 1, now() - interval '2 days',
               CASE WHEN n %% 10 = 0 THEN now() + interval '1 day' END
        FROM generate_series(1, %s) n
        """,
        (_TENANTS, size),
    )
    owner.execute("VACUUM ANALYZE stores")


def _make_due(owner: psycopg.Connection, count: int) -> None:
    owner.execute(
        "UPDATE stores SET next_check_at = now() - interval '1 minute', last_check_at = NULL WHERE id IN "
        "(SELECT id FROM stores WHERE next_check_at IS NOT NULL ORDER BY id LIMIT %s)",
        (count,),
    )
    owner.execute("VACUUM ANALYZE stores")


def _explain(owner: psycopg.Connection) -> int:
    """Return the buffers that finding due stores reads."""
    with owner.transaction(force_rollback=True):
        owner.execute(_FIND_DUE)  # a connection's first call reads the catalogue, too
    with owner.transaction(force_rollback=True):
        row = owner.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + _FIND_DUE).fetchone()
    assert row is not None
    plan: dict[str, Any] = (row[0] if isinstance(row[0], list) else json.loads(row[0]))[0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def _time_claims(ports: Ports) -> float:
    """Return the milliseconds of a sweep with nothing due, the median of several."""
    times = []
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        assert ports.db.sweeps.claim_due_stores(_DUE, 600.0) == []
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)[_REPEATS // 2]


def _time_one_claim(ports: Ports) -> float:
    begun = time.perf_counter()
    claimed = ports.db.sweeps.claim_due_stores(_DUE, 600.0)
    assert len(claimed) == _DUE
    return (time.perf_counter() - begun) * 1000


def _checks_a_second(ports: Ports) -> int:
    """Return how many stores a second one process checks one by one: locks, gates and verdict when a gate is shut."""
    begun = time.perf_counter()
    for number in range(1, _CHECKS + 1):
        assert check_eligibility(ports, f"t{1 + number % _TENANTS}", f"s{number}") is None
    return int(_CHECKS / (time.perf_counter() - begun))


def _swept_a_second(owner: psycopg.Connection, ports: Ports) -> int:
    """Return how many due stores a second one pass of the sweep takes through claim, gates and verdict."""
    _make_due(owner, _SWEPT)
    begun = time.perf_counter()
    swept = run_sweep(ports, due_stores.SWEEP)
    seconds = time.perf_counter() - begun
    assert swept == {"found": _SWEPT, "acted": 0, "failed": 0}, swept
    return int(_SWEPT / seconds)


if __name__ == "__main__":
    sys.exit(main())
