"""Filter operations by kind, state, confidence, and whether they wait for a review."""

from dataclasses import dataclass
from enum import StrEnum

from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind


class ConfidenceBand(StrEnum):
    """The confidence of the model, in classes. `unsaid`: rules decided, or the model gave no number."""

    LOW = "low"
    FAIR = "fair"
    HIGH = "high"
    UNSAID = "unsaid"


#: The bounds of each class: at least, and below.
BOUNDS: dict[ConfidenceBand, tuple[float, float]] = {
    ConfidenceBand.LOW: (0.0, 0.6),
    ConfidenceBand.FAIR: (0.6, 0.8),
    ConfidenceBand.HIGH: (0.8, 1.01),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFilter:
    """The filters of a list of operations; a field that is None filters nothing."""

    kind: OperationKind | None = None
    phase: str | None = None
    state: OperationState | None = None
    confidence: ConfidenceBand | None = None
    is_waiting: bool = False  # only those that wait for a review
    memory_id: str | None = None  # only those that change this memory
    assigned_to: str | None = None  # only those that this person is asked to decide


ALL_OPERATIONS = OperationFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationTally:
    """The weight of an operation: how many memories it changed, how many of them are live no more, and what it put back."""

    kind: OperationKind
    state: OperationState
    review: ReviewState
    changed: int
    hidden: int
    put_back: tuple[OperationKind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingOperation:
    """One line about an operation that waits for a review."""

    id: str
    kind: OperationKind
    state: OperationState
    store: str
    dream_id: str
    reason: str
    memory_ids: frozenset[str]  # of the memories that it changes or relies on


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCount:
    """The number of operations of one kind, phase, store, dream, class of confidence and person asked that wait for a review."""

    kind: OperationKind
    phase: str
    store: str
    dream_id: str
    confidence: ConfidenceBand
    assigned_to: str  # empty: none in particular
    number: int
