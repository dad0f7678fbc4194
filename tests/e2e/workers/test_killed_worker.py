"""kill -9 of a real worker in the middle of a phase: the dream goes on, nothing is applied or bought twice."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from llmock.scenarios import Delay, Reply

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState, PhaseState
from shared.settings import Settings
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, get_operations, texts, write
from tests.support.servers import open_ports
from workers.phases import ALL_PHASES

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
#: One answer that fits every phase: each reads its own field of it.
_ANSWER = json.dumps(
    {
        "actions": [
            {
                "type": "MERGE",
                "files": ["api/limits.md", "api/throttle.md"],
                "outputFile": "api/limits.md",
                "mergedContent": _NOTES["api/throttle.md"],
                "reason": "same limits",
                "confidence": 0.9,
            },
        ],
        "syntheses": [],
        "decisions": [{"file": "ops/backups.md", "decision": "KEEP", "reason": "in use", "confidence": 0.9}],
    },
)
_QUICK = {"SLOWWAVE_LEASE_SECONDS": "2", "SLOWWAVE_HEARTBEAT_SECONDS": "0.5", "SLOWWAVE_RECONCILE_SECONDS": "1"}


#: The quick tier kills a dream at every third instant: tests/integration/failures/test_crash_at_every_commit.py.
@pytest.mark.thorough
@pytest.mark.parametrize("phase", ["consolidate", "synthesize", "prune"])
def test_a_worker_killed_while_a_model_answers_costs_seconds_not_work(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str, phase: str
) -> None:
    assert dream_through_a_kill(fresh_settings, llmock, tmp_path, tenant, phase).rescue_count >= 1


def dream_through_a_kill(settings: Settings, llmock: Any, tmp_path: Path, tenant: str, phase: str) -> Dream:
    """Kill the only worker while a phase asks its model, start another, and return the dream as it ended."""
    environment = _QUICK | {
        "SLOWWAVE_LLM": "anthropic",
        "SLOWWAVE_LLM_API_KEY": "sk-test",
        "SLOWWAVE_LLM_BASE_URL": llmock.base_url("anthropic"),
    }
    llmock.add(Reply(_ANSWER, times=None), Delay(0.7, times=None))
    with open_ports(settings) as ports:
        write(ports, tenant, texts(_NOTES, at=LONG_AGO))
        delay_dream(settings, tenant)
        with a_worker(settings, tmp_path / "first.log", environment) as first:
            eventually(lambda: _is_waiting_for_model(ports, tenant, phase), f"{phase} asks its model")
            first.kill()
        bought = _answers(ports, tenant)
        with (
            a_worker(settings, tmp_path / "second.log", environment),
            a_worker(settings, tmp_path / "beat.log", environment, beat=True),
        ):
            ended = eventually(lambda: _ended(ports, tenant), "the dream ends")
        assert ended.state in {DreamState.COMPLETED, DreamState.PARTIAL}, ended.reason
        _check_nothing_twice(ports, tenant, ended, bought)
        return ended


def _is_waiting_for_model(ports: Ports, tenant: str, phase: str) -> bool:
    """Tell whether a phase has stored its inputs, which it does just before it asks, and has no plan yet."""
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
        runs = uow.phases.find_all(found[0].id) if found else []
    return any(r.phase == phase and r.state is PhaseState.RUNNING and r.inputs and not r.plan for r in runs)


def _ended(ports: Ports, tenant: str) -> Dream | None:
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
    return None if dream.state in {DreamState.QUEUED, DreamState.RUNNING} else dream


def _answers(ports: Ports, tenant: str) -> Counter[tuple[str, str]]:
    """The answers that are stored, by phase and question."""
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
        phases = [phase.name for phase in ALL_PHASES]
        return Counter((phase, key) for phase in phases for key in uow.calls.find_answers(dream.id, phase))


def _check_nothing_twice(ports: Ports, tenant: str, dream: Dream, bought: Counter[tuple[str, str]]) -> None:
    operations = get_operations(ports, tenant, dream.id)
    kinds = Counter(str(op.operation.kind) for op in operations if op.state is OperationState.APPLIED)
    assert kinds["MERGE"] == 1
    with ports.db.transaction(tenant) as uow:
        totals = uow.calls.get_totals(dream.id)
        history = uow.memories(dream.store_id).find_history(operations[0].effects[0].after.id)
    stored = _answers(ports, tenant)
    assert bought <= stored
    assert totals.outcomes == {"ok": len(stored)}, "each answer is one row, none was bought again"
    assert [version.change for version in history].count("update") == 1
