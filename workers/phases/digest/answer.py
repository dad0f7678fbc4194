"""The answer that the daily digest accepts from a model."""

from pydantic import AliasChoices, Field

from shared.core.questions.answer import SOURCE_NAMES, Answer


class DigestBullet(Answer):
    """One point of a day's digest. `sources` are the offered memories that support it."""

    text: str = Field(default="", validation_alias=AliasChoices("text", "bullet", "content"))
    sources: tuple[str, ...] = Field(default=(), validation_alias=SOURCE_NAMES)
    confidence: float | None = None


class DigestAnswer(Answer):
    """The bullets of a day; an empty list is a good answer."""

    bullets: tuple[DigestBullet, ...] = ()
