"""The answer that prune accepts from a model."""

from typing import Literal

from pydantic import Field

from shared.core.questions.answer import Answer


class PruneDecision(Answer):
    """A verdict on one candidate. `merge_target` is an offered path; `stub` is a short cue that stays searchable."""

    file: str
    decision: Literal["ARCHIVE", "KEEP", "MERGE_INTO"]
    reason: str = ""
    merge_target: str | None = None
    stub: str | None = None
    confidence: float | None = Field(default=None)


class PruneAnswer(Answer):
    """Verdicts on the candidates; a candidate without a verdict is left alone."""

    decisions: tuple[PruneDecision, ...] = ()
