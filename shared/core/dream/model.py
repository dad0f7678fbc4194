"""The states of a dream, its legal transitions, and the records of its phases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from shared.core.dream.recall import ProbeKind, Recall
from shared.core.errors import IllegalTransitionError


class DreamState(StrEnum):
    """The states of a dream."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    ERROR = "error"
    CANCELED = "canceled"
    UNDONE = "undone"


#: The only legal moves. Drawn in docs/state-machine.md; a test compares the two.
TRANSITIONS: dict[DreamState, frozenset[DreamState]] = {
    DreamState.QUEUED: frozenset({DreamState.RUNNING, DreamState.CANCELED}),
    DreamState.RUNNING: frozenset(
        {DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR, DreamState.CANCELED},
    ),
    DreamState.COMPLETED: frozenset({DreamState.UNDONE}),
    DreamState.PARTIAL: frozenset({DreamState.UNDONE}),
    DreamState.ERROR: frozenset({DreamState.UNDONE}),  # changes of its phases without a model
    DreamState.CANCELED: frozenset(),
    # A redo: the dream gets its final state back.
    DreamState.UNDONE: frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR}),
}

ACTIVE_STATES = frozenset({DreamState.QUEUED, DreamState.RUNNING})
UNDOABLE_STATES = frozenset(state for state, nexts in TRANSITIONS.items() if DreamState.UNDONE in nexts)


def check_transition(current: DreamState, wanted: DreamState) -> None:
    """Raise IllegalTransitionError unless a dream may go from one state to the other."""
    if wanted not in TRANSITIONS[current]:
        msg = f"A dream that is {current} cannot become {wanted}"
        raise IllegalTransitionError(msg)


class Trigger(StrEnum):
    """The origin of a dream."""

    SWEEP = "sweep"
    DELAY = "delay"
    CLI = "cli"
    API = "api"
    #: Upkeep: small dreams with phases of their own, started by sweeps of their own.
    DIGEST = "digest"
    COMPACTION = "compaction"


#: Dreams with these triggers do not change the bookkeeping of whole dreams: the time of the last one, their number,
#: activity, cursors, hints, and the failures that lead to quarantine.
UPKEEP_TRIGGERS = frozenset({Trigger.DIGEST, Trigger.COMPACTION})
WHOLE_TRIGGERS = frozenset(Trigger) - UPKEEP_TRIGGERS


class PhaseState(StrEnum):
    """The states of a phase. A `partial` one kept its results when the time or the budget ran out."""

    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    PARTIAL = "partial"
    FAILED = "failed"


FINISHED_PHASES = frozenset({PhaseState.DONE, PhaseState.SKIPPED, PhaseState.PARTIAL, PhaseState.FAILED})


class OperationState(StrEnum):
    """The states of an operation: an `applied` one is in the store, a `proposed` one waits for a person."""

    APPLIED = "applied"
    PROPOSED = "proposed"
    SKIPPED = "skipped"
    REJECTED = "rejected"
    UNDONE = "undone"


class ReviewState(StrEnum):
    """A person's verdict on an operation."""

    NONE = "none"
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A period in which a running dream did no work: snoozed, or without a worker."""

    begun: datetime
    ended: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dream:
    """One run over one store."""

    id: str
    tenant_id: str
    store_id: str
    store: str
    state: DreamState
    trigger: Trigger
    epoch: int
    is_forced: bool
    is_dry_run: bool
    created_at: datetime
    is_batched: bool = False  # it was ordered to use Message Batches, or has begun to, whatever the setting is now
    started_at: datetime | None = None
    deadline_at: datetime | None = None
    lease_until: datetime | None = None
    finished_at: datetime | None = None
    rescue_count: int = 0
    cancel_requested_at: datetime | None = None
    model: str = ""
    reason: str = ""
    summary: "DreamSummary | None" = None
    #: It ended in error, or its rescues were used up: several such ends in a row put the store into quarantine.
    has_failed: bool = False
    #: It is snoozed until then: it keeps its store and its slot, but neither a worker nor a lease.
    next_attempt_at: datetime | None = None
    snooze_count: int = 0
    snoozed_at: datetime | None = None
    #: The ended waits, oldest first; only the first ones if there are very many.
    waits: tuple[Wait, ...] = ()
    #: The store's bookkeeping before this dream, so that undo can restore it.
    before: dict[str, object] = field(default_factory=dict)

    @property
    def is_upkeep(self) -> bool:
        """Tell whether this is an upkeep dream, not a whole one."""
        return self.trigger in UPKEEP_TRIGGERS

    def has_lost_worker(self, now: datetime) -> bool:
        """Tell whether the lease of a running dream has expired: its worker is gone, and no other has claimed the dream yet."""
        return self.state is DreamState.RUNNING and self.lease_until is not None and self.lease_until < now


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamSummary:
    """The counters of a finished dream; `reasons` counts candidates that were not changed, by reason."""

    gathered: int = 0
    consolidated: int = 0
    synthesized: int = 0
    pruned: int = 0
    kept: int = 0  # examined by prune and kept unchanged
    skills: int = 0
    learned: int = 0
    #: Without a model: memories that began to decay since the last dream, became durable, were folded, or went stale.
    decayed: int = 0
    promoted: int = 0
    folded: int = 0
    archived: int = 0
    digested: int = 0
    #: Memories that an index written by this dream links to, and their folders; 0 if none was written.
    indexed: int = 0
    indexed_folders: int = 0
    #: By how much the text by hand in `MEMORY.md` exceeds what an agent is shown of it.
    over_budget_lines: int = 0
    over_budget_bytes: int = 0
    flagged: int = 0
    proposed: int = 0
    probes: int = 0
    put_back: int = 0
    #: By kind of questions; what agents had searched for is added when the dream has ended.
    recall: dict[ProbeKind, Recall] = field(default_factory=dict)
    errors: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    model_calls: int = 0
    duration_seconds: float = 0.0
    #: Work left for the next dream: sessions of a backlog, and changes beyond the loss cap; and the time of that dream.
    waiting_sessions: int = 0
    waiting_changes: int = 0
    next_dream: str = ""
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def changes(self) -> int:
        """Return the number of changes of a dream; the passing of time is not a change."""
        by_model = self.gathered + self.consolidated + self.synthesized + self.pruned + self.skills + self.learned
        return by_model + self.promoted + self.folded + self.archived + self.digested


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The size of a store when a dream began, and how much of it had changed. Later phases use it.

    `domains` counts the memories of the largest domains.
    """

    live_memories: int
    changed_topics: int
    domains: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRun:
    """The stored record of one phase of one dream. Each step is committed on its own."""

    dream_id: str
    phase: str
    state: PhaseState
    inputs: object | None = None
    plan: object | None = None
    reason: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    started_at: datetime | None = None
    finished_at: datetime | None = None
