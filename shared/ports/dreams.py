"""Dreams, their phases, operations, model calls and questions, and the facts that a phase needs, in one transaction of a tenant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from shared.core.dream.operation_filter import ALL_OPERATIONS, OperationFilter, OperationTally
from shared.core.listings.period import ALWAYS, Period
from shared.core.trust.hidden import Shown

if TYPE_CHECKING:
    from shared.core.dream.effects import Effect, Undone
    from shared.core.dream.model import (
        Dream,
        DreamState,
        DreamSummary,
        OperationState,
        PhaseRun,
        PhaseState,
        ReviewState,
        Survey,
        Trigger,
    )
    from shared.core.dream.operations import Operation, OperationKind
    from shared.core.dream.recall import ProbeKind, Recall
    from shared.core.dream.verdicts import Comment, Verdict
    from shared.core.questions.estimate import PastCall
    from shared.core.questions.prompt import Prompt
    from shared.core.tenants.store import Store, Tenant
    from shared.ports.llm import AnswerRepository, CallTotals, LlmReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedOperation:
    """An operation as recorded in the log."""

    id: str
    dream_id: str
    store_id: str
    position: int
    operation: Operation
    state: OperationState
    review: ReviewState
    effects: tuple[Effect, ...] = ()  # those in force, or all of them once none is
    undone: tuple[Undone, ...] = ()  # those that an undo of its dream took back, for a redo
    note: str = ""
    created_at: datetime | None = None
    fingerprint: str = ""  # of the kind and the texts that it is about; empty where no verdict is kept
    was_proposed: bool = False  # it was recorded as a proposal; set when it is read
    decided_by: str = ""  # as the audit log names them
    decided_at: datetime | None = None
    decided_why: str = ""  # why a person rejected it, in that person's words
    assigned_to: str = ""  # who is asked to decide it, as the audit log names them
    comments: tuple[Comment, ...] = ()  # oldest first
    store: str = ""  # its name; set when it is read


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of a model. `input_tokens` holds what was read from the prompt cache or written to it, too."""

    id: str
    phase: str
    model: str
    outcome: str
    detail: str  # what the model's server said
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    latency_ms: int
    ended_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTrace:
    """One call with its prompt, unless that was not stored or is redacted, and its answer, if it was valid."""

    call: ModelCall
    key: str  # of the question, within its phase
    prompt: Prompt | None
    answer: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """The number of a dream's operations of one kind, and of those that wait for a review."""

    kind: OperationKind
    number: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationPage:
    """Part of a dream's operations: `total` counts those that match, `kinds` all of the dream's, as first recorded, `note` what is hidden."""

    operations: tuple[RecordedOperation, ...]
    total: int
    kinds: tuple[KindCount, ...] = ()
    note: str = ""


class DreamRepository(Protocol):
    """Dreams: claim, fence, finish."""

    def add(self, store_id: str, *, trigger: Trigger, force: bool, dry_run: bool, batch: bool = False) -> Dream:
        """Insert a queued dream. Raises ConflictError when the store has an active one."""

    def get(self, dream_id: str, *, lock: bool = False) -> Dream:
        """Return a dream. Raises NotFoundError."""

    def find_recent(
        self,
        *,
        store_id: str | None = None,
        states: Collection[DreamState] = (),
        triggers: Collection[Trigger] = (),
        limit: int,
        before: str | None = None,
        period: Period = ALWAYS,
    ) -> list[Dream]:
        """Return dreams made in that period, newest first; with `before` those that come after that dream in this order."""

    def set_reason(self, dream_id: str, reason: str) -> None:
        """Set the reason of a dream's state; it is replaced when the dream ends."""

    def claim(
        self, dream_id: str, *, budget_seconds: float, lease_seconds: float, model: str, refusal: str = ""
    ) -> Dream | None:
        """Take a queued dream, or a running one whose lease lapsed or snooze is over, with a new epoch.

        A lapsed lease counts as a rescue, unless `refusal` says why the database did not let its worker renew it; then
        the deadline moves by the time since. None: another worker has it, or it is snoozed.
        """

    def fence(self, dream_id: str, epoch: int, lease_seconds: float) -> Dream:
        """Renew the lease. Raises LostLeaseError when the dream is no longer this epoch's. Opens every write."""

    def release(self, dream_id: str, epoch: int, *, is_planned: bool) -> Dream:
        """Release a running dream, so that another worker can claim it at once and this epoch makes no more writes.

        A planned release, such as by a draining worker, does not count as a rescue. Raises LostLeaseError.
        """

    def snooze(self, dream_id: str, *, seconds: float, reason: str, snoozes: int) -> None:
        """Put a dream to sleep without lease and under a new epoch; `snoozes` counts those in a row."""

    def wake_at(self, dream_id: str, at: datetime) -> None:
        """Change the wake-up time of a sleeping dream."""

    def set_sent(self, dream_id: str) -> None:
        """Record that the dream's task was sent to the broker just now."""

    def finish(
        self,
        dream_id: str,
        state: DreamState,
        *,
        reason: str,
        summary: DreamSummary | None = None,
        before: dict[str, Any] | None = None,
        has_failed: bool = False,
    ) -> None:
        """End a dream, or have an undone one as it had ended; `before` is the store's bookkeeping for undo.

        Raises IllegalTransitionError.
        """

    def add_recall(self, dream_id: str, kind: ProbeKind, recall: Recall) -> None:
        """Add to the summary of an ended dream the recall of one kind of questions."""

    def request_cancel(self, dream_id: str) -> None:
        """Ask a dream to stop between two steps."""


class PhaseRepository(Protocol):
    """The stored steps of each phase of a dream."""

    def claim(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> PhaseRun | None:
        """Claim the phase for `runner`, creating its record if needed; return it, or None while another runner is alive."""

    def renew(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Renew the lease of a phase. Raises LostLeaseError when another runner has it."""

    def fence(self, dream_id: str, epoch: int, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Renew the leases of dream and phase before a step's writes. Raises LostLeaseError when either is lost."""

    def add(self, dream_id: str, runs: Sequence[PhaseRun]) -> None:
        """Add records of phases that no worker runs: ended ones, and last one with inputs for its next claim.

        In their order, which is that of the dream, and before what is claimed in this transaction. What exists stays.
        """

    def save_inputs(self, dream_id: str, phase: str, inputs: object, *, survey: Survey | None = None) -> None:
        """Store the inputs of a phase, and a survey with the dream."""

    def save_plan(self, dream_id: str, phase: str, plan: object) -> None:
        """Store the plan of a phase."""

    def finish(
        self,
        dream_id: str,
        phase: str,
        state: PhaseState,
        *,
        reason: str,
        counts: dict[str, int],
        plan: object | None = None,
    ) -> None:
        """End a phase; with `plan`, store that, too."""

    def release_claims(self, dream_id: str) -> None:
        """Release every unfinished phase, because its runner is gone."""

    def find_all(self, dream_id: str, *, phase: str | None = None) -> list[PhaseRun]:
        """Return the phases of a dream that have begun, in order; or that one of them."""


class OperationRepository(Protocol):
    """Operations: proposals, effects and verdicts."""

    def record(self, operation: RecordedOperation) -> None:
        """Append one operation."""

    def find_all(self, dream_id: str, only: OperationFilter = ALL_OPERATIONS) -> list[RecordedOperation]:
        """Return a dream's operations, or some of them, in the order they were recorded."""

    def find_page(
        self,
        dream_id: str,
        *,
        after: str | None,
        limit: int,
        only: OperationFilter = ALL_OPERATIONS,
        by_kind: bool = False,
    ) -> OperationPage:
        """Return a dream's operations after this one, as recorded; by kind, those that wait for a review come first."""

    def find_pending(
        self,
        *,
        store_id: str | None = None,
        dream_id: str | None = None,
        only: OperationFilter = ALL_OPERATIONS,
        limit: int | None,
        after: str | None = None,
    ) -> Shown[RecordedOperation]:
        """Return operations that wait for a review, oldest first; with `after` those after that operation."""

    def find_put_back(self, store_id: str, limit: int) -> list[RecordedOperation]:
        """Return the PUT_BACK operations of a store that are in force, newest first."""

    def find_flags(self, store_id: str, limit: int, *, only_open: bool = False) -> list[RecordedOperation]:
        """Return the flags of a store that a person was shown, newest first, except those of undone dreams, or all that wait, oldest first."""

    def find_by_ids(self, operation_ids: Collection[str]) -> dict[str, RecordedOperation]:
        """Return the existing ones of these operations, by id."""

    def get(self, operation_id: str, *, lock: bool = False) -> RecordedOperation:
        """Return one operation; with `lock` it is held against other reviewers. Raises NotFoundError."""

    def decide(
        self,
        operation_id: str,
        *,
        state: OperationState,
        review: ReviewState,
        by: str,
        effects: Sequence[Effect] | None = None,
        undone: Sequence[Undone] | None = None,
        note: str | None = None,
    ) -> None:
        """Record a verdict, an undo or a redo; what is None stays as it is."""


class VerdictRepository(Protocol):
    """Verdicts on the operations of one store, which later dreams must not repeat."""

    def find(self, fingerprint: str) -> Verdict | None:
        """Return the newest verdict of a person on an operation with this fingerprint, or that one waits for it."""

    def find_refused(self, kind: OperationKind, limit: int) -> list[tuple[Verdict, tuple[Effect, ...]]]:
        """Return the rejected and undone operations of a kind, newest first, except those cleared by `forget`."""

    def plan_again(self, operation: RecordedOperation) -> None:
        """Store the changes, the effects and the fingerprint of a proposal that was planned again."""

    def set_why(self, operation_id: str, why: str) -> None:
        """Store a person's reason for a verdict."""

    def set_notes(self, operation_id: str, *, assigned_to: str, comments: Sequence[Comment]) -> None:
        """Store who is asked to decide an operation, and what people wrote about it; the caller has locked it."""

    def clear(self) -> int:
        """Clear the verdicts on rejected and undone operations; return their number."""

    def count_of_dream(self, dream_id: str) -> Mapping[ReviewState, int]:
        """Return how many of a dream's operations have each verdict; nothing while one of them waits."""

    def count_unreviewed(self, since: datetime, *, besides: str) -> int:
        """Return the number of memories that other dreams have hidden since then and no person has reviewed."""

    def find_unapproved(self, *, waiting: bool = False) -> list[tuple[Effect, ...]]:
        """Return the effects of operations in force that no person approved, or only of those that wait for it, newest first."""


class CallRepository(Protocol):
    """Model calls: one row per call, with each valid answer."""

    def find_answers(self, dream_id: str, phase: str) -> dict[str, dict[str, Any]]:
        """Return the stored answers of a phase by question key."""

    @property
    def bought(self) -> AnswerRepository:
        """Return the answers that copies have bought."""

    def record(
        self,
        dream_id: str,
        phase: str,
        key: str,
        reply: LlmReply,
        *,
        latency_ms: int,
        call_id: str = "",
        prompt: Prompt | None = None,
    ) -> None:
        """Append one call; with an id, at most once."""

    def find_past(self, store_id: str, *, dreams: int) -> list[PastCall]:
        """Return the answered calls of a store's last dreams that had tokens."""

    def get_totals(self, dream_id: str) -> CallTotals:
        """Return the sums of a dream's calls."""

    def find_of_dream(self, dream_id: str, *, limit: int) -> list[ModelCall]:
        """Return the calls of a dream, oldest first."""

    def get_trace(self, dream_id: str, call_id: str) -> CallTrace:
        """Return one call of a dream with its prompt and its answer. Raises NotFoundError."""

    def find_last_problem(self, dream_id: str) -> str:
        """Return the server's message for a dream's newest call without an answer; empty if there is none."""

    def count_tokens_today(self) -> int:
        """Return the tenant's tokens since midnight UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFacts:
    """The state of a dream as a phase begins. Tokens are 0, and answers empty, for a phase that asks no model."""

    tenant: Tenant
    store: Store
    survey: Survey  # zeros while the dream has none
    has_operations: bool  # the dream's log is not empty
    wish: str  # of the person who ordered the dream
    tokens_spent: int  # by this dream
    tokens_today: int  # by its tenant, since midnight UTC
    has_answers: bool  # of the phase: an earlier run has bought some
    states: Mapping[str, PhaseState]  # of the phases that have begun, by name


class PhaseFactsRepository(Protocol):
    """Reads the facts that a phase needs when it begins, and what it has done when it ends."""

    def get(self, dream: Dream, phase: str, *, with_tokens: bool) -> PhaseFacts:
        """Return the facts of a dream's phase, in one round trip. Ask after the claim, which may have waited."""

    def tally(self, dream_id: str, phase: str) -> list[OperationTally]:
        """Return what the operations of one phase of a dream count for, without reading what they changed."""
