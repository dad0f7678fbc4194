"""Sort operations by how sure the model said to be, for people who filter them."""

from enum import StrEnum


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
