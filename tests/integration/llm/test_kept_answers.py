"""An answer that was paid for, and a tenant's day that several dreams spend: what a bad moment must not cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from shared.core.questions.question import Question
from shared.ports.database import UnitOfWork
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import a_store
from workers.ask import stored as module
from workers.ask.asker import TokenBudget
from workers.ask.stored import store_answer
from workers.phase.work import PhaseKey
from workers.phases.prune.answer import PruneAnswer

REPLY = LlmReply(
    outcome=LlmOutcome.OK, answer=PruneAnswer(), model="m", usage=LlmUsage(input_tokens=100, output_tokens=10)
)  # fmt: skip
REQUEST = LlmRequest(
    question=Question(phase="prune", key="candidates", documents=(), answer_type=PruneAnswer),
    prefix="Rules", instructions="Prune", max_output_tokens=10, timeout_seconds=1.0,
)  # fmt: skip


@dataclass
class AwayForAMoment:
    """A database that is away for the first transactions, before their commit or right after it."""

    real: Any
    failures: int
    after_commit: bool

    @contextmanager
    def transaction(
        self, tenant_id: str, *, idle_seconds: float = 60.0, read_only: bool = False
    ) -> Iterator[UnitOfWork]:
        self.failures -= 1
        if self.failures >= 0 and not self.after_commit:
            raise ServiceUnavailableError("The database does not answer")
        with self.real.transaction(tenant_id, idle_seconds=idle_seconds, read_only=read_only) as uow:
            yield uow
        if self.failures >= 0:
            raise ServiceUnavailableError("The database does not answer")


@pytest.mark.parametrize("after_commit", [False, True])
def test_an_answer_that_meets_a_database_that_is_away_for_a_moment_is_kept_and_counted_once(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch, after_commit: bool
) -> None:
    monkeypatch.setattr(module, "_PAUSES_SECONDS", (0.0, 0.0, 0.0))
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    away: Any = AwayForAMoment(real=ports.db, failures=2, after_commit=after_commit)
    key = PhaseKey(tenant_id=tenant, dream_id=dream.id, epoch=dream.epoch, phase="prune")
    store_answer(replace(ports, db=away), key, REQUEST, REPLY, latency_ms=1)
    with ports.db.transaction(tenant) as uow:
        assert set(uow.calls.find_answers(dream.id, "prune")) == {"candidates"}
        assert (uow.calls.get_totals(dream.id).calls, uow.calls.count_tokens_today()) == (1, 110)


def test_a_dream_sees_what_the_tenants_other_dreams_have_spent_since_it_began() -> None:
    left_today = iter([1_000, 50])
    budget = TokenBudget(per_call=10_000, left=10_000, find_left_today=lambda: next(left_today))
    assert budget.reserve(600) is None
    assert "50 that are left" in (budget.reserve(600) or "")
