"""A mocked model for real workers: its answers, its delay, and the variables that point a worker at it."""

import json
from typing import Any

from llmock.scenarios import Delay, Reply

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState
from workers.phases import ALL_PHASES

#: Leases and passes short enough for a test.
QUICK = {"SLOWWAVE_LEASE_SECONDS": "2", "SLOWWAVE_HEARTBEAT_SECONDS": "0.5", "SLOWWAVE_RECONCILE_SECONDS": "1"}
#: A lease that no test outlives: what goes on in time goes on for another reason than a lapsed lease.
PATIENT = {"SLOWWAVE_LEASE_SECONDS": "600", "SLOWWAVE_HEARTBEAT_SECONDS": "5"}
#: What tests.e2e.workers.paused_app says when it is inside `apply`, and waits for.
INSIDE, GO = "paused:inside", "paused:go"
NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
#: One answer that fits every phase: each reads its own field of it.
ANSWER = json.dumps(
    {
        "actions": [
            {
                "type": "MERGE",
                "files": ["api/limits.md", "api/throttle.md"],
                "outputFile": "api/limits.md",
                "mergedContent": NOTES["api/throttle.md"],
                "reason": "same limits",
                "confidence": 0.9,
            },
        ],
        "syntheses": [],
        "decisions": [{"file": "ops/backups.md", "decision": "KEEP", "reason": "in use", "confidence": 0.9}],
    },
)


def slow_model(llmock: Any, seconds: float) -> dict[str, str]:
    """Delay the model's answers by the given seconds; return the variables of a worker that asks it."""
    llmock.add(Reply(ANSWER, times=None), Delay(seconds, times=None))
    return {
        "SLOWWAVE_LLM": "anthropic",
        "SLOWWAVE_LLM_API_KEY": "sk-test",
        "SLOWWAVE_LLM_BASE_URL": llmock.base_url("anthropic"),
    }


def is_asking(ports: Ports, tenant: str, phase: str) -> bool:
    """Tell whether a phase has stored its inputs, which it does just before it asks, and has no plan yet."""
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
        runs = uow.phases.find_all(found[0].id) if found else []
    return any(r.phase == phase and r.state is PhaseState.RUNNING and r.inputs and not r.plan for r in runs)


def find_ended(ports: Ports, tenant: str) -> Dream | None:
    """The tenant's last dream, once it has ended."""
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
    return next((dream for dream in found if dream.state not in {DreamState.QUEUED, DreamState.RUNNING}), None)


def count_calls(ports: Ports, tenant: str, dream_id: str) -> dict[str, int]:
    """Model calls of a dream by outcome."""
    with ports.db.transaction(tenant) as uow:
        return dict(uow.calls.get_totals(dream_id).outcomes)


def count_answers(ports: Ports, tenant: str, dream_id: str) -> int:
    """Answers that are stored, one for each question at most."""
    with ports.db.transaction(tenant) as uow:
        return sum(len(uow.calls.find_answers(dream_id, phase)) for phase in (one.name for one in ALL_PHASES))
