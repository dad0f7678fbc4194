"""The answer that gather accepts from a model."""

from typing import Literal

from shared.core.questions.answer import Answer


class GatheredMemory(Answer):
    """One thing worth remembering from a session. `window` is an offered window, `quote` stands in it word for word."""

    kind: Literal["correction", "save", "decision", "theme", "preference", "fact", "known", "forget"] = "fact"
    window: str
    quote: str
    statement: str  # what holds from now on, in a sentence that needs no context; of `forget` what is to be forgotten
    title: str = ""
    target: str | None = None  # the offered memory that this belongs in
    replaces: str | None = None  # the words of the target that are no longer true, or to be forgotten
    placement: str | None = None  # the directory of a new file
    confidence: float | None = None


class GatherAnswer(Answer):
    """Memories from the sessions; an empty list is a good answer."""

    memories: tuple[GatheredMemory, ...] = ()
