"""Measure the fairness between large and small tenants: `python -m benchmarks.fairness [--big 2000] [--small 50] [--slots 16]`.

One tenant with many stores, due for longest, among tenants with one due store each. Rounds go through the real sweep,
claim and check on a PostgreSQL of its own; a dream is simulated: it ends at the end of its round. Counted is how many
dreams of the big tenant were started until the last of the small ones had its dream; its share is one a round
(`max_concurrent_dreams` is 1), whatever it has piled up.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import psycopg

from benchmarks.support.report import report
from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.dream.model import DreamState
from shared.settings import Settings


def main() -> int:
    """Run until the small tenants are done, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--big", type=int, default=2_000)
    parser.add_argument("--small", type=int, default=50)
    parser.add_argument("--slots", type=int, default=16)
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder), max_active_dreams=chosen.slots)) as settings,
    ):
        assert settings.owner_database_url is not None
        url = settings.owner_database_url.get_secret_value().replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as owner:
            _add_due(owner, "big", chosen.big, hours_ago=10)
            for number in range(chosen.small):
                _add_due(owner, f"small{number}", 1, hours_ago=1)
        ports = make_ports(settings)
        begun = time.perf_counter()
        dreams, rounds = run_rounds(ports, chosen.small)
        seconds = time.perf_counter() - begun
        ports.close()
    row = {
        "big: due stores": chosen.big,
        "small tenants": chosen.small,
        "slots": chosen.slots,
        "rounds until the small are done": rounds,
        "dreams of the big one by then": dreams["big"],
        "its share": rounds,
        "seconds": seconds,
    }
    report("fairness", "One tenant with many due stores among tenants with one", [row], {})
    return 0 if dreams["big"] <= rounds else 1


def run_rounds(ports: Ports, small: int) -> tuple[Counter[str], int]:
    """Sweep, check and end dreams until every small tenant had its dream; return dreams by tenant, and rounds."""
    dreams: Counter[str] = Counter()
    rounds = 0
    while len(dreams.keys() - {"big"}) < small and rounds < 10 * small:
        rounds += 1
        dispatch = RecordingDispatch()
        here = replace(ports, dispatch=dispatch)
        run_sweep(here, due_stores.SWEEP)
        begun = [(tenant, check_eligibility(here, tenant, store)) for tenant, store in dispatch.checks]
        for tenant, dream_id in begun:
            if dream_id is not None:
                dreams[tenant] += 1
                with ports.db.transaction(tenant) as uow:
                    uow.dreams.finish(dream_id, DreamState.CANCELED, reason="simulated")
    return dreams, rounds


def _add_due(owner: psycopg.Connection, tenant: str, stores: int, *, hours_ago: int) -> None:
    owner.execute("INSERT INTO tenants (id) VALUES (%s)", (tenant,))
    owner.execute(
        "INSERT INTO stores (id, tenant_id, name, curations, next_check_at) SELECT %s || '-' || n, %s, 's' || n, 9,"
        " now() - make_interval(hours => %s) FROM generate_series(1, %s) n",
        (tenant, tenant, hours_ago, stores),
    )


if __name__ == "__main__":
    sys.exit(main())
