"""The answer that split_large accepts from a model."""

from pydantic import Field

from shared.core.questions.answer import Answer


class PartName(Answer):
    """A name for a part, by the number that the part was shown with."""

    part: int
    name: str


class SplitAnswer(Answer):
    """Whether a memory that is too large is better left whole, and names for parts whose headings say little."""

    keep_whole: bool = False
    reason: str = ""
    names: tuple[PartName, ...] = ()
    confidence: float | None = Field(default=None)
