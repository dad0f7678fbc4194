"""The answer that split_large accepts from a model."""

from pydantic import Field

from shared.core.questions.answer import Answer


class PartName(Answer):
    """A name for a part, by the number that the part was shown with."""

    part: int
    name: str


class SplitAnswer(Answer):
    """The model's verdict on a memory that is too large: leave it whole, or names for parts whose headings are vague."""

    keep_whole: bool = False
    reason: str = ""
    names: tuple[PartName, ...] = ()
    confidence: float | None = Field(default=None)
