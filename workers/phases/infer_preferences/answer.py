"""The answer that infer_preferences accepts from a model."""

from pydantic import AliasChoices, Field

from shared.core.questions.answer import Answer


class InferredMetadata(Answer):
    """The metadata of an inferred preference, under the published names; `"true"` and `true` mean the same."""

    requires_user_permission: bool | str = Field(
        default=False,
        validation_alias=AliasChoices("requires_user_permission", "requiresUserPermission"),
        serialization_alias="requires_user_permission",
    )


class InferredMemory(Answer):
    """A preference or an anti-pattern. `source_ids` are offered ids, and `quotes` are verbatim from those."""

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
    """Unrecorded wishes of the user; empty lists are a good answer."""

    to_delete: tuple[str, ...] = ()
    to_save: tuple[InferredMemory, ...] = ()
