"""Crashes at a chosen moment, and the lapse of what a dead worker held."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import psycopg
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.core.memory.model import Memory
from shared.ports.batches import BatchQueue
from shared.ports.database import AdmissionRepository, Database, SweepRepository, UnitOfWork
from shared.ports.evaluation.evaluations import EvaluationQueue
from shared.ports.installation import InstallationRepository, OperatorRepository
from shared.ports.llm import LlmReply, LlmRequest
from shared.ports.tenants import FoundKey
from shared.ports.webhooks import DeliveryQueue
from tests.support.laws import some_quick
from workers.phases.synthesize.answer import SynthesisDraft, SynthesizeAnswer

#: The instants of a crash: `make test` tries one of this many, `make test-all` the others, too.
STRIDE = 6
in_strides = pytest.mark.parametrize("first", some_quick(range(STRIDE), one_in=STRIDE))


class Crash(BaseException):
    """A worker that is gone: no handler of the product may run after it."""


@dataclass
class CrashingDatabase:
    """Passes transactions on until the one with a number, which never begins, or which commits as its last act."""

    real: Database
    crash_at: int
    after_commit: bool
    seen: int = 0

    @property
    def sweeps(self) -> SweepRepository:
        return self.real.sweeps

    @property
    def admission(self) -> AdmissionRepository:
        return self.real.admission

    @property
    def delivery_queue(self) -> DeliveryQueue:
        return self.real.delivery_queue

    @property
    def batch_queue(self) -> BatchQueue:
        return self.real.batch_queue

    @property
    def evaluation_queue(self) -> EvaluationQueue:
        return self.real.evaluation_queue

    @property
    def installation(self) -> InstallationRepository:
        return self.real.installation

    @property
    def operators(self) -> OperatorRepository:
        return self.real.operators

    def find_key(self, key_id: str) -> FoundKey:
        return self.real.find_key(key_id)

    def find_memory(self, tenant_id: str, store_name: str, memory_id: str) -> Memory | None:
        return self.real.find_memory(tenant_id, store_name, memory_id)

    def with_shadows(self) -> Database:
        self.real = self.real.with_shadows()
        return self

    def for_agents(self) -> Database:
        self.real = self.real.for_agents()
        return self

    def for_persons(self) -> Database:
        self.real = self.real.for_persons()
        return self

    @contextmanager
    def transaction(
        self, tenant_id: str, *, idle_seconds: float = 60.0, read_only: bool = False
    ) -> Iterator[UnitOfWork]:
        self.seen += 1
        is_last = self.seen == self.crash_at
        if self.seen > self.crash_at or (is_last and not self.after_commit):
            raise Crash
        with self.real.transaction(tenant_id, idle_seconds=idle_seconds, read_only=read_only) as uow:
            yield uow
        if is_last:
            raise Crash


@dataclass
class CountingLlm:
    """A model that answers as the offline one does and finds one insight in two domains, with a list of what it was asked."""

    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def model(self) -> str:
        return "offline"

    def decide(self, request: LlmRequest) -> LlmReply:
        question = request.question
        self.asked.append((question.phase, question.key))
        reply = OfflineLlm().decide(request)
        if question.answer_type is not SynthesizeAnswer:
            return reply
        sources = tuple(one.path for one in question.documents if one.role == "summary")[:2]
        draft = SynthesisDraft(title="What they share", content="Both are retried.", sources=sources, confidence=0.9)
        return replace(reply, answer=SynthesizeAnswer(syntheses=(draft,)))

    def count_tokens(self, request: LlmRequest) -> int:
        return OfflineLlm().count_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        return frozenset()


def let_lapse(owner: psycopg.Connection, dream_id: str) -> None:
    """Move time forward for what the dead worker held."""
    owner.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE id = %s", (dream_id,))
    owner.execute("UPDATE phase_runs SET runner_until = now() - interval '1 second' WHERE dream_id = %s", (dream_id,))
