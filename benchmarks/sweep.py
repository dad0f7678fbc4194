"""Measure the cost of finding due stores: `python -m benchmarks.sweep [--sizes 10000,100000,1000000]`.

Fills a PostgreSQL of its own with stores, then measures, at each size: an idle sweep and one that claims 500 due
stores (rows by the statistics of the transaction, buffers by EXPLAIN, milliseconds by the clock, medians); messages
sent per second to a broker of its own; stores that fail a gate per second, by the sweep (claim, gates, verdict; slots
as by default) and checked one by one.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import structlog

from benchmarks.support.report import report
from gateway.cli.console.session import open_session
from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.all_ports import Ports
from shared.settings import Settings

_TENANTS = 1_000
_DUE = 500
_SWEPT = 1_000
_REPEATS = 20
_CHECKS = 500
_SENT = 1_000
#: The whole claim, rolled back: its buffers tell whether the cost follows the due stores only.
_FIND_DUE = "SELECT * FROM slowwave_claim_due_stores(500, 600)"


def main() -> int:
    """Run every size, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    rows = [_measure(size) for size in sizes]
    report("sweep", "Finding due stores", rows, {"due when claiming": _DUE, "tenants": _TENANTS})
    return 0


def _measure(size: int) -> dict[str, object]:
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        open_session(Settings(data_dir=Path(folder))) as session,
    ):
        assert session.settings.owner_database_url is not None
        url = session.settings.owner_database_url.get_secret_value().replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as owner:
            _fill(owner, size)
            ports = session.ports
            idle_ms = _median_ms(lambda: _claim(ports, 0))
            idle_rows, idle_buffers = _explain(owner)
            _make_due(owner, _DUE)
            due_rows, due_buffers = _explain(owner)
            claim_ms = _median_ms(lambda: _claim(ports, _DUE), before=lambda: _make_due(owner, _DUE))
            return {
                "stores": size,
                "idle rows": idle_rows,
                "idle buffers": idle_buffers,
                "idle ms": idle_ms,
                "rows, 500 due": due_rows,
                "buffers, 500 due": due_buffers,
                "claim 500 ms": claim_ms,
                "claims/s": int(_DUE / claim_ms * 1000),
                "sends/s": _sends_a_second(ports),
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
        "(SELECT id FROM stores ORDER BY id LIMIT %s)",
        (count,),
    )
    owner.execute("VACUUM ANALYZE stores")


def _explain(owner: psycopg.Connection) -> tuple[int, int]:
    """Return the rows and the buffers that finding due stores reads."""
    with owner.transaction(force_rollback=True):
        owner.execute(_FIND_DUE)  # a connection's first call reads the catalogue, too
    with owner.transaction(force_rollback=True):
        rows = _rows_read(owner)
        row = owner.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + _FIND_DUE).fetchone()
        rows = _rows_read(owner) - rows
    assert row is not None
    plan: dict[str, Any] = (row[0] if isinstance(row[0], list) else json.loads(row[0]))[0]["Plan"]
    return rows, int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def _rows_read(owner: psycopg.Connection) -> int:
    """Return the rows that this transaction has read from the tables so far."""
    row = owner.execute(
        "SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables"
    ).fetchone()
    assert row is not None
    return int(row[0])


def _median_ms(act: Callable[[], None], *, before: Callable[[], None] = lambda: None) -> float:
    times = []
    for _ in range(_REPEATS):
        before()
        begun = time.perf_counter()
        act()
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)[_REPEATS // 2]


def _claim(ports: Ports, expected: int) -> None:
    assert len(ports.db.sweeps.claim_due_stores(_DUE, 600.0)) == expected


def _sends_a_second(ports: Ports) -> int:
    """Return how many checks a second one process hands to the broker, as the sweep does it."""
    begun = time.perf_counter()
    for number in range(_SENT):
        ports.dispatch.send_check(f"t{1 + number % _TENANTS}", f"s{number}")
    return int(_SENT / (time.perf_counter() - begun))


def _checks_a_second(ports: Ports) -> int:
    """Return how many stores a second one process checks one by one: locks, gates and verdict when a gate is shut."""
    begun = time.perf_counter()
    for number in range(1, _CHECKS + 1):
        assert check_eligibility(ports, f"t{1 + number % _TENANTS}", f"s{number}") is None
    return int(_CHECKS / (time.perf_counter() - begun))


def _swept_a_second(owner: psycopg.Connection, ports: Ports) -> int:
    """Return how many due stores a second a pass of the sweep takes through claim, gates and verdict, as a median.

    The first pass compiles statements, which a process does once.
    """

    def sweep() -> None:
        swept = run_sweep(ports, due_stores.SWEEP)
        assert swept == {"found": _SWEPT, "acted": 0, "failed": 0}, swept

    return int(_SWEPT / _median_ms(sweep, before=lambda: _make_due(owner, _SWEPT)) * 1000)


if __name__ == "__main__":
    sys.exit(main())
