"""A dream whose time runs out keeps what it has and reports it; hints that it did not reach go to the next one."""

import time
from dataclasses import dataclass, field

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, PhaseState
from shared.core.dream.summary import render_summary
from shared.core.tenants.store import PendingMerge
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from tests.support.builders import a_store, get_operations, get_store, run_dream, texts, write

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "billing/invoices.md": "# Invoices\n\nInvoices are sent on the 3rd of the month as PDF/A by the biller.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
_HINT = PendingMerge(
    source_path="billing/invoices.md", target_path="ops/backups.md", reason="both nightly", suggested_by="drm_earlier"
)


@dataclass
class StallsInOnePhase:
    """The offline model, except that one phase's calls never come back in time."""

    phase: str
    requests: list[LlmRequest] = field(default_factory=list)

    @property
    def model(self) -> str:
        return "stalling"

    def decide(self, request: LlmRequest) -> LlmReply:
        self.requests.append(request)
        if request.question.phase != self.phase:
            return OfflineLlm().decide(request)
        time.sleep(request.timeout_seconds)
        return LlmReply(outcome=LlmOutcome.TIMED_OUT, model=self.model, usage=LlmUsage())

    def count_tokens(self, request: LlmRequest) -> int:
        return OfflineLlm().count_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        return frozenset()


def test_a_budget_that_runs_out_in_synthesize_leaves_a_partial_log_with_the_consolidations_kept(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, overrides={"budget.dream_seconds": 2.0})
    write(ports, tenant, texts(_NOTES))

    dream = run_dream(ports, tenant, StallsInOnePhase("synthesize"))

    assert dream.state is DreamState.PARTIAL
    assert dream.reason.startswith("Budget exceeded")
    assert dream.summary is not None
    assert dream.summary.consolidated > 0
    assert "MERGE" in {str(op.operation.kind) for op in get_operations(ports, tenant, dream.id)}
    assert "Dream partial" in render_summary(dream)
    assert get_store(ports, tenant).last_dream_id == dream.id, "a partial dream can be found by undo"


def test_later_phases_are_skipped_with_the_reason_and_the_index_is_rebuilt_all_the_same(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, overrides={"budget.dream_seconds": 2.0})
    write(ports, tenant, texts(_NOTES))

    dream = run_dream(ports, tenant, StallsInOnePhase("synthesize"))

    with ports.db.transaction(tenant) as uow:
        runs = {run.phase: run for run in uow.phases.find_all(dream.id)}
    assert runs["synthesize"].state is PhaseState.PARTIAL
    assert runs["prune"].state is PhaseState.SKIPPED
    assert runs["prune"].reason.startswith("Budget exceeded")
    assert runs["index"].state is PhaseState.DONE


def test_pending_merges_of_a_dream_that_was_cut_are_hints_of_the_next_one(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant, overrides={"budget.dream_seconds": 2.0})
    write(ports, tenant, texts(_NOTES))
    with ports.db.transaction(tenant) as uow:
        uow.merges(store.id).add([_HINT])

    assert run_dream(ports, tenant, StallsInOnePhase("synthesize")).state is DreamState.PARTIAL
    next_model = StallsInOnePhase("no phase")
    assert run_dream(ports, tenant, next_model).state is DreamState.COMPLETED

    heard = [hint for request in next_model.requests for hint in request.question.hints]
    assert heard == ["billing/invoices.md -> ops/backups.md: both nightly"]
    with ports.db.transaction(tenant) as uow:
        assert uow.merges(store.id).find_open() == [], "a completed dream clears the hints it has considered"


def test_memories_whose_question_was_not_answered_stay_in_the_changed_set(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"budget.dream_seconds": 1.0})
    write(ports, tenant, texts(_NOTES))

    run_dream(ports, tenant, StallsInOnePhase("consolidate"))

    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        dirty = {head.path for head in uow.memories(store.id).find_heads() if head.is_dirty}
    assert {"api/limits.md", "api/throttle.md"} <= dirty
