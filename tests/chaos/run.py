"""One chaos run: agents write and dream, faults strike at random, then everything must add up.

`python -m tests.chaos.run --faults 200 --seed 7` (or `make chaos`). The seed is printed, so that a failure repeats.
"""

import argparse
import contextlib
import logging
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import structlog
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from shared.adapters.postgres.migrate import is_at_head
from tests.chaos.agents import Agent, open_now
from tests.chaos.checks import find_violations
from tests.chaos.system import FAULTS, System, a_system, wait_for_endpoints
from tests.integration.operations.embedded_support import temporary_data_dir
from tests.support.servers import plain_url

#: From the last fault to the end of every dream: lease, one reconciler pass, and what a restart takes here.
_SETTLE_SECONDS = 120.0
#: An agent orders a dream after every second text.
_LEAST_TEXTS = 6


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of a run."""

    seed: int
    faults: Counter[str]
    dreams: Counter[str]
    rescues: int
    texts: int
    violations: list[str]


def run_chaos(seed: int, faults: int, tenants: int = 4) -> Outcome:
    """Hurt a system the given number of times and check it."""
    chance = random.Random(seed)
    struck: Counter[str] = Counter()
    with temporary_data_dir() as data_dir, a_system(data_dir) as system:
        _wait_until_migrated(system)
        agents = [Agent(system=system, tenant=f"chaos{n}", seed=seed * 1000 + n) for n in range(tenants)]
        with _at_work(agents):
            while struck.total() < faults:
                time.sleep(chance.uniform(0.3, 4.0))
                system.assert_up()
                fault = chance.choice(FAULTS)
                if fault(system, chance):
                    struck[fault.__name__] += 1
            _wait_for_texts(agents)
        _settle(system)
        return _look(system, seed, struck, agents)


@contextlib.contextmanager
def _at_work(agents: list[Agent]) -> Iterator[None]:
    """Let the agents work, and end them also after a failure: one that goes on would fail the tests that follow."""
    threads = [threading.Thread(target=agent.run, daemon=True) for agent in agents]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for agent in agents:
            agent.stop.set()
        for thread in threads:
            thread.join(timeout=_SETTLE_SECONDS)


def _wait_for_texts(agents: list[Agent]) -> None:
    """Let every agent write some texts, and order dreams over them, however quickly the faults came."""
    end = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < end and any(len(agent.written) < _LEAST_TEXTS for agent in agents):
        time.sleep(0.2)


def _wait_until_migrated(system: System) -> None:
    """Wait until the tables are there: no agent writes before that, and no fault is meant for it."""
    end = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < end:
        engine = create_engine(wait_for_endpoints(system).owner_database_url, poolclass=NullPool)
        with contextlib.suppress(OperationalError), engine.connect() as owner:
            if is_at_head(owner):
                return
        time.sleep(0.2)
    raise AssertionError("the database was not migrated in time")


def _settle(system: System) -> None:
    end = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < end:
        ports = open_now(system, _SETTLE_SECONDS)
        try:
            if ports.db.sweeps.count_active_dreams(ports.settings.max_active_dreams) == 0:
                return
        finally:
            ports.close()
        time.sleep(0.5)


def _look(system: System, seed: int, struck: Counter[str], agents: list[Agent]) -> Outcome:
    with psycopg.connect(plain_url(wait_for_endpoints(system).owner_database_url)) as owner:
        states = owner.execute("SELECT state, count(*), sum(rescue_count) FROM dreams GROUP BY state").fetchall()
        return Outcome(
            seed=seed,
            faults=struck,
            dreams=Counter({row[0]: row[1] for row in states}),
            rescues=int(sum(row[2] for row in states)),
            texts=sum(len(agent.written) for agent in agents),
            violations=find_violations(owner, {agent.tenant: agent.written for agent in agents}),
        )


def main() -> int:
    """Run, print what happened, return 1 when something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    chosen = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    print(f"chaos: seed {chosen.seed}, {chosen.faults} faults", flush=True)
    outcome = run_chaos(chosen.seed, chosen.faults)
    print(f"faults: {dict(outcome.faults)}")
    print(f"dreams: {dict(outcome.dreams)}, {outcome.rescues} rescues, {outcome.texts} texts written")
    for violation in outcome.violations:
        print(f"VIOLATION {violation}")
    print(f"{len(outcome.violations)} violations")
    return 1 if outcome.violations else 0


if __name__ == "__main__":
    sys.exit(main())
