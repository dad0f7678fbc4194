"""A model that is away, refuses or talks nonsense costs a try and changes nothing."""

from collections import Counter

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import PhaseState
from shared.ports.llm import LlmOutcome
from tests.support.builders import a_store, get_store, run_dream, take_picture, texts, write

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
_NEVER_TRIED_AGAIN = [
    LlmOutcome.REFUSED,
    LlmOutcome.TRUNCATED,
    LlmOutcome.UNPARSABLE,
    LlmOutcome.TIMED_OUT,
    LlmOutcome.FAILED,
]


@pytest.mark.parametrize("outcome", _NEVER_TRIED_AGAIN)
def test_a_bad_answer_changes_no_memory_and_consumes_no_activity(
    ports: Ports, tenant: str, outcome: LlmOutcome
) -> None:
    write(ports, tenant, texts(_NOTES))
    before = take_picture(ports, tenant)
    model = ScriptedLlm(lambda _question: outcome)

    dream = run_dream(ports, tenant, model)

    store = get_store(ports, tenant)
    assert {m.path for m in take_picture(ports, tenant).memories.values()} >= set(_NOTES)
    after = {m.id: m.content for m in take_picture(ports, tenant).memories.values()}
    assert all(after[m.id] == m.content for m in before.memories.values())
    assert store.curations == 3
    assert store.last_dream_at is None, "the interval does not begin"
    assert store.next_check_at is not None, "it is tried again"
    with ports.db.transaction(tenant) as uow:
        runs = {run.phase: run for run in uow.phases.find_all(dream.id)}
        dirty = [line.path for line in uow.memories(store.id).find_changed()]
    assert runs["consolidate"].state is PhaseState.FAILED
    assert str(outcome) in runs["consolidate"].reason
    assert set(dirty) == set(_NOTES)
    assert Counter(request.question.key for request in model.requests).most_common(1)[0][1] == 1


def test_a_call_over_its_token_budget_is_not_made(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"budget.tokens_per_call": 100})
    write(ports, tenant, texts(_NOTES))
    model = ScriptedLlm()

    dream = run_dream(ports, tenant, model)

    assert model.requests == ()
    assert dream.summary is not None
    assert dream.summary.reasons["token_budget"] >= 1
    assert dream.summary.tokens == 0


def test_a_dream_over_its_token_budget_asks_no_further(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"budget.tokens_per_dream": 1, "budget.max_output_tokens": 1})
    write(ports, tenant, texts(_NOTES))
    model = ScriptedLlm()

    dream = run_dream(ports, tenant, model)

    assert model.requests == ()
    assert dream.summary is not None
    assert dream.summary.reasons["token_budget"] >= 1
