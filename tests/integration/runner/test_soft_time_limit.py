"""A soft time limit ends a phase at once, also while it waits for several calls; the dream goes on with the next one."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, PhaseState
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from tests.support.builders import run_dream, texts, write

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "billing/invoices.md": "# Invoices\n\nInvoices are sent on the 3rd of the month as PDF/A by the biller.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
_TOO_LONG_SECONDS = 30


@dataclass
class CutWhileBothWait:
    """The offline model, except that two calls of `synthesize` wait, and Celery's signal comes once both do."""

    calls: list[str] = field(default_factory=list)
    number: Iterator[int] = field(default_factory=lambda: count(1))
    release: threading.Event = field(default_factory=threading.Event)
    ended: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    model: str = "waiting"

    def decide(self, request: LlmRequest) -> LlmReply:
        if request.question.phase != "synthesize":
            return OfflineLlm().decide(request)
        self.calls.append(request.question.key)
        if next(self.number) == 2:  # once: both calls may see that there are two by now
            os.kill(os.getpid(), signal.SIGUSR1)
        self.release.wait(_TOO_LONG_SECONDS)
        self.ended.release()
        return LlmReply(outcome=LlmOutcome.UNREACHABLE, model=self.model, usage=LlmUsage())

    def count_tokens(self, request: LlmRequest) -> int:
        return OfflineLlm().count_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        return frozenset()


@pytest.fixture
def _as_on_prefork() -> Iterator[None]:
    """Celery's prefork pool raises the soft limit by this signal, in the main thread."""

    def cut(*_: object) -> None:
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGUSR1, cut)
    yield
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.usefixtures("_as_on_prefork")
def test_a_soft_limit_waits_for_no_call_and_no_other_call_is_made(ports: Ports, tenant: str) -> None:
    llm = CutWhileBothWait()
    write(ports, tenant, texts(_NOTES))
    dream = run_dream(ports, tenant, llm)
    waited = llm.ended.acquire(blocking=False)
    llm.release.set()
    assert not waited, "the phase waited for its calls"
    assert dream.state is DreamState.PARTIAL
    with ports.db.transaction(tenant) as uow:
        runs = {run.phase: run for run in uow.phases.find_all(dream.id)}
    assert runs["synthesize"].state is PhaseState.PARTIAL
    assert runs["synthesize"].reason == "The phase ran into the worker's time limit"
    assert runs["index"].state is PhaseState.DONE
    for thread in threading.enumerate():
        if thread.name.startswith("ask"):
            thread.join(_TOO_LONG_SECONDS)
    assert sorted(llm.calls) == sorted(set(llm.calls)), "a call that failed late was made again"
