"""Choose operations as a person looks for them: by kind, state, confidence, and whether they wait for a review."""

from dataclasses import dataclass
from enum import StrEnum

from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind


class ConfidenceBand(StrEnum):
    """How sure the model was. `unsaid`: rules decided, or the model gave no number."""

    LOW = "low"
    FAIR = "fair"
    HIGH = "high"
    UNSAID = "unsaid"


#: At least, and below.
BOUNDS: dict[ConfidenceBand, tuple[float, float]] = {
    ConfidenceBand.LOW: (0.0, 0.6),
    ConfidenceBand.FAIR: (0.6, 0.8),
    ConfidenceBand.HIGH: (0.8, 1.01),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationFilter:
    """Which operations a person wants to see; a field that is None means all."""

    kind: OperationKind | None = None
    state: OperationState | None = None
    confidence: ConfidenceBand | None = None
    is_waiting: bool = False  # only those that wait for a review


ALL_OPERATIONS = OperationFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCount:
    """How many operations of one kind, store and dream wait for a review, with the model as sure as this."""

    kind: OperationKind
    store: str
    dream_id: str
    confidence: ConfidenceBand
    number: int
