"""The answer that prune accepts from a model."""

from typing import Any, Literal

from pydantic import Field, field_validator

from shared.core.questions.answer import Answer

_GROUNDS = frozenset({"over", "held_elsewhere", "past"})


class PruneDecision(Answer):
    """A verdict on one candidate. `merge_target` is an offered path; `stub` is a short cue that stays searchable.

    ARCHIVE needs a ground: the memory is over, as `quote` says; the offered memory `held_in` holds what it says; or it is about a
    moment that has passed, whose date stands in `quote`. Answers of the published shape have none.
    """

    file: str
    decision: Literal["ARCHIVE", "KEEP", "MERGE_INTO"]
    reason: str = ""
    ground: Literal["over", "held_elsewhere", "past", "none"] | None = None
    quote: str = ""
    held_in: str | None = None
    merge_target: str | None = None
    stub: str | None = None
    confidence: float | None = Field(default=None)

    @field_validator("ground", mode="before")
    @classmethod
    def _read_ground(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model sent
        """Read a ground in any case and spacing; a word that is no ground counts as none."""
        word = "_".join(str(value).replace("-", " ").replace("_", " ").split()).casefold()
        return value if value is None else word if word in _GROUNDS else "none"


class PruneAnswer(Answer):
    """Verdicts on the candidates; a candidate without a verdict is left alone."""

    decisions: tuple[PruneDecision, ...] = ()
