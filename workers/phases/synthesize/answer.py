"""The answers that synthesize accepts from a model: syntheses and reflections."""

from pydantic import AliasChoices, Field
from pydantic.json_schema import SkipJsonSchema

from shared.core.questions.answer import SOURCE_NAMES, Answer


class SynthesisDraft(Answer):
    """One insight that spans domains. `sources` holds the offered summaries that support it."""

    title: str
    summary: str = ""
    content: str
    sources: tuple[str, ...]
    confidence: float | None = None
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    placement: str | None = None  # the directory of the new file; absent: the first source's domain
    doubt: SkipJsonSchema[str] = ""  # why the rules without a model leave it to a person; not asked for


class SynthesizeAnswer(Answer):
    """Cross-domain patterns; an empty list is a good answer."""

    syntheses: tuple[SynthesisDraft, ...] = ()


class Reflection(Answer):
    """An insight or a reflection. `sources` holds the offered memories that it rests on."""

    title: str
    content: str
    sources: tuple[str, ...] = Field(default=(), validation_alias=SOURCE_NAMES)
    confidence: float | None = None


class FlaggedMemory(Answer):
    """An offered memory that a person should look at, and the ones that it is at odds with."""

    file: str = Field(validation_alias=AliasChoices("file", "id", "memoryId", "memory_id"))
    about: tuple[str, ...] = ()
    reason: str = ""
    confidence: float | None = None


class ReflectAnswer(Answer):
    """Insights, reflections and flags; empty lists are a good answer. SwarmClaw's names are understood as well."""

    insights: tuple[Reflection, ...] = Field(
        default=(), validation_alias=AliasChoices("insights", "consolidations", "consolidated")
    )
    reflections: tuple[Reflection, ...] = ()
    flags: tuple[FlaggedMemory, ...] = Field(default=(), validation_alias=AliasChoices("flags", "flagged"))
