"""The answers that phases accept from a model: shapes only. What an answer may *do* is decided by each phase's plan.

Field names on the wire are the published ones of the reference systems (`mergedContent`, `outputFile`, …). Bounds
that a JSON schema cannot carry are checked by the plans, so that one wild value does not lose a whole answer.
"""

from typing import Any, Literal

from pydantic import AliasChoices, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from shared.core.answer import Answer
from shared.core.published_contract import read_memory_contract


class GatheredMemory(Answer):
    """One thing worth remembering from a session. `window` is an offered window, `quote` stands in it word for word."""

    kind: Literal["correction", "save", "decision", "theme", "preference", "fact"] = "fact"
    window: str
    quote: str
    statement: str  # what holds from now on, in a sentence that needs no context
    title: str = ""
    target: str | None = None  # the offered memory that this belongs into
    replaces: str | None = None  # the words of the target that are no longer true
    placement: str | None = None  # the directory of a new file
    confidence: float | None = None


class GatherAnswer(Answer):
    """What the sessions taught; an empty list is a good answer."""

    memories: tuple[GatheredMemory, ...] = ()


class ConsolidateAction(Answer):
    """One classified relationship. `files` holds the offered paths that it is about."""

    type: Literal["MERGE", "TEMPORAL_UPDATE", "CROSS_REFERENCE", "SKIP"]
    files: tuple[str, ...]
    reason: str = ""
    confidence: float | None = None
    output_file: str | None = None  # MERGE: the path that keeps the merged text, one of `files` or a new one
    merged_content: str | None = None  # MERGE: the whole merged text
    updated_content: str | None = None  # TEMPORAL_UPDATE: the whole updated text
    category: str = ""  # a more specific one than the file's, for MERGE and TEMPORAL_UPDATE
    tags: SkipJsonSchema[tuple[str, ...]] = ()  # of directives that were written for RockBot; not asked for


class Contradiction(Answer):
    """Two offered memories that cannot both hold. Names may be given as ids, as RockBot's sweep does."""

    winner: str = Field(default="", validation_alias=AliasChoices("winner", "winnerId", "winner_id"))
    loser: str = Field(default="", validation_alias=AliasChoices("loser", "loserId", "loser_id"))
    reason: str = ""
    confidence: float | None = None


class ConsolidateAnswer(Answer):
    """What to do about one domain's changed memories."""

    actions: tuple[ConsolidateAction, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    to_delete: SkipJsonSchema[tuple[str, ...]] = ()  # of directives that were written for RockBot; not asked for

    @model_validator(mode="before")
    @classmethod
    def _read_published(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model sent
        """Read an answer of RockBot's contract as actions."""
        return read_memory_contract(value)


class RepairAnswer(Answer):
    """A merged text again, now with the specifics that it had lost."""

    merged_content: str


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


class SynthesizeAnswer(Answer):
    """Cross-domain patterns; an empty list is a good answer."""

    syntheses: tuple[SynthesisDraft, ...] = ()


class InferredMetadata(Answer):
    """The metadata of an inferred preference, under its published name; `"true"` and `true` mean the same."""

    requires_user_permission: bool | str = Field(
        default=False,
        validation_alias=AliasChoices("requires_user_permission", "requiresUserPermission"),
        serialization_alias="requires_user_permission",
    )


class InferredMemory(Answer):
    """A preference or an anti-pattern. `source_ids` are offered ids, `quotes` stand in them word for word."""

    content: str
    category: str = "user-preferences/inferred"
    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    metadata: InferredMetadata | None = None
    quotes: tuple[str, ...] = ()
    title: str = ""
    sentiment: str = "casual"  # very_irritated | mild | casual
    confidence: float | None = None


class InferAnswer(Answer):
    """What the user wants although nobody wrote it down; empty lists are a good answer."""

    to_delete: tuple[str, ...] = ()
    to_save: tuple[InferredMemory, ...] = ()


class SkillAnnotation(Answer):
    """What failed runs teach about the offered skill `name`, or about `topic` when no offered skill caused them."""

    name: str = ""
    topic: str = ""
    annotation: str  # what goes wrong, and what to do instead
    source_ids: tuple[str, ...] = ()  # offered groups of failures
    confidence: float | None = None


class PromotedSkill(Answer):
    """A new skill that succeeded runs ask for."""

    name: str
    summary: str = ""
    content: str
    source_ids: tuple[str, ...] = ()  # offered groups of successes
    confidence: float | None = None


class WorkflowAnswer(Answer):
    """What runs of the last days teach; empty lists are a good answer."""

    annotations: tuple[SkillAnnotation, ...] = ()
    to_save: tuple[PromotedSkill, ...] = ()


_SOURCES = AliasChoices("sources", "sourceIds", "source_ids", "sourceMemoryIds", "linkedMemoryIds")


class Reflection(Answer):
    """An insight or a reflection. `sources` holds the offered memories that it rests on."""

    title: str
    content: str
    sources: tuple[str, ...] = Field(default=(), validation_alias=_SOURCES)
    confidence: float | None = None


class FlaggedMemory(Answer):
    """An offered memory that a person should look at, and the ones that it is at odds with."""

    file: str = Field(validation_alias=AliasChoices("file", "id", "memoryId", "memory_id"))
    about: tuple[str, ...] = ()
    reason: str = ""
    confidence: float | None = None


class ReflectAnswer(Answer):
    """What the memories add up to; empty lists are a good answer. SwarmClaw's names are understood as well."""

    insights: tuple[Reflection, ...] = Field(
        default=(), validation_alias=AliasChoices("insights", "consolidations", "consolidated")
    )
    reflections: tuple[Reflection, ...] = ()
    flags: tuple[FlaggedMemory, ...] = Field(default=(), validation_alias=AliasChoices("flags", "flagged"))


class DigestBullet(Answer):
    """One point of a day's digest. `sources` holds the offered memories that it rests on."""

    text: str = Field(default="", validation_alias=AliasChoices("text", "bullet", "content"))
    sources: tuple[str, ...] = Field(default=(), validation_alias=_SOURCES)
    confidence: float | None = None


class DigestAnswer(Answer):
    """What a day came to; an empty list is a good answer."""

    bullets: tuple[DigestBullet, ...] = ()


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


class SkillDraft(Answer):
    """A skill to be saved. `sourceNames` are the skills that it replaces (`sourceIds` is understood, too)."""

    name: str
    summary: str = ""
    content: str = ""
    source_names: tuple[str, ...] = ()
    see_also: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()  # find_skill_gaps: the offered sessions that ask for it
    reason: str = ""
    confidence: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _take_ids_for_names(cls, given: Any) -> Any:  # noqa: ANN401 - what a model wrote
        """Take `sourceIds`, as memories have them, for `sourceNames`."""
        if isinstance(given, dict) and "sourceIds" in given and not {"sourceNames", "source_names"} & given.keys():
            return {**given, "sourceNames": given["sourceIds"]}
        return given


class SkillGapAnswer(Answer):
    """Skills that recurring requests call for; an empty list is a good answer."""

    to_save: tuple[SkillDraft, ...] = ()


class SkillsAnswer(Answer):
    """Merged, linked or repaired skills. What `toDelete` names is superseded by a skill of `toSave`, never deleted."""

    to_delete: tuple[str, ...] = ()
    to_save: tuple[SkillDraft, ...] = ()
