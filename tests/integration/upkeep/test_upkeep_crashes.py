"""A worker may die at any instant of upkeep, too: before a transaction, or after its commit."""

from dataclasses import replace

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import UPKEEP_TRIGGERS, DreamState, Trigger
from shared.core.memory.model import MemoryState
from shared.services.dreams.start_upkeep import start_upkeep
from tests.integration.failures.crash_support import STRIDE, CountingLlm, Crash, CrashingDatabase, in_strides, let_lapse
from tests.integration.upkeep.upkeep_support import everything, fill
from tests.support.builders import get_dream, run_dream

BOTH = sorted(UPKEEP_TRIGGERS)


@in_strides
@pytest.mark.parametrize("trigger", BOTH)
@pytest.mark.parametrize("after_commit", [False, True], ids=["before-a-transaction", "after-its-commit"])
def test_upkeep_whose_worker_dies_at_any_instant_ends_as_if_nothing_had_happened(
    trigger: Trigger, ports: Ports, tenant: str, owner_connection: psycopg.Connection, after_commit: bool, first: int
) -> None:
    crashes = 0
    for instant in range(1 + first, 60, STRIDE):
        name = f"{tenant}-{instant}"
        fill(ports, name)
        queued = start_upkeep(ports.db, name, "default", trigger).dream
        assert queued is not None
        llm = CountingLlm()
        crashing = CrashingDatabase(real=ports.db, crash_at=instant, after_commit=after_commit)
        try:
            run_dream(replace(ports, db=crashing), name, llm, dream_id=queued.id)
            break
        except Crash:
            crashes += 1
        if get_dream(ports, name, queued.id).state in {DreamState.QUEUED, DreamState.RUNNING}:
            let_lapse(owner_connection, queued.id)
            run_dream(ports, name, llm, dream_id=queued.id)
        assert get_dream(ports, name, queued.id).state is DreamState.COMPLETED
        assert len(llm.asked) <= 2
        found = everything(ports, name)
        live = [path for path, memory in found.items() if memory.state is MemoryState.LIVE]
        assert sum(path.startswith("daily_digest/2") for path in live) == (trigger is Trigger.DIGEST)
        assert ("ops/old.md" in live) is (trigger is Trigger.DIGEST)
    assert crashes, "the dream never got as far as its phases"
