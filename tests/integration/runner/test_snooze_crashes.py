"""A worker may die at any instant around a snooze, too."""

from dataclasses import replace

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState
from shared.ports.database import StalledDream
from tests.integration.failures.crash_support import STRIDE, Crash, CrashingDatabase, in_strides, let_lapse
from tests.integration.runner.snooze_support import NOTES, TurnsAway, go, open_endpoint, pass_time, stalled
from tests.support.builders import texts, write

pytestmark = pytest.mark.usefixtures("endpoint_open_again")


@in_strides
@pytest.mark.parametrize("after_commit", [False, True], ids=["before-a-transaction", "after-its-commit"])
def test_a_worker_that_dies_at_any_instant_around_a_snooze_costs_a_rescue_and_nothing_else(
    fresh_ports: Ports, owner: psycopg.Connection, after_commit: bool, first: int
) -> None:
    crashes = 0
    for instant in range(1 + first, 200, STRIDE):
        tenant = f"crash-{instant}"
        write(fresh_ports, tenant, texts(NOTES))
        database = CrashingDatabase(fresh_ports.db, crash_at=instant, after_commit=after_commit)
        llm = TurnsAway(1)
        open_endpoint(fresh_ports)
        try:
            go(replace(fresh_ports, db=database), tenant, llm)
            break
        except Crash:
            crashes += 1
        _recover(fresh_ports, owner, tenant, llm)
    assert crashes, "the dream never got as far as its first snooze"


def _recover(ports: Ports, owner: psycopg.Connection, tenant: str, llm: TurnsAway) -> None:
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
    dream: Dream | None = found[0] if found else go(ports, tenant, llm)
    for _ in range(20):
        assert dream is not None
        if dream.state not in {DreamState.QUEUED, DreamState.RUNNING}:
            break
        let_lapse(owner, dream.id)
        owner.execute("UPDATE dreams SET lease_until = NULL WHERE next_attempt_at IS NOT NULL AND id = %s", [dream.id])
        pass_time(owner, dream.id)
        open_endpoint(ports)
        assert StalledDream(tenant, dream.id) in stalled(ports, 0.0)
        dream = go(ports, tenant, llm, dream.id)
    assert dream is not None
    assert dream.state is DreamState.COMPLETED, dream.reason
    assert dream.rescue_count <= 1
    with ports.db.transaction(tenant) as uow:
        runs = uow.phases.find_all(dream.id)
    assert {run.state for run in runs} <= {PhaseState.DONE, PhaseState.SKIPPED}
