"""The answer that consolidate accepts from a model."""

from typing import Any, Literal

from pydantic import model_validator
from pydantic.json_schema import SkipJsonSchema

from shared.core.questions.answer import Answer
from workers.phase.text_edits import TextEdit
from workers.phases.consolidate.contradictions import Contradiction
from workers.phases.consolidate.published_contract import read_memory_contract


class ConsolidateAction(Answer):
    """One classified relationship. `files` holds the offered paths that it is about."""

    type: Literal["MERGE", "TEMPORAL_UPDATE", "CROSS_REFERENCE", "SKIP"]
    files: tuple[str, ...]
    reason: str = ""
    confidence: float | None = None
    output_file: str | None = None  # MERGE: the path that keeps the merged text, one of `files` or a new one
    edits: tuple[TextEdit, ...] | None = None  # MERGE, TEMPORAL_UPDATE: what differs from the files as they are written
    merged_content: str | None = None  # MERGE: the whole merged text, in place of edits
    updated_content: str | None = None  # TEMPORAL_UPDATE: the whole updated text, in place of edits
    category: str = ""  # a more specific one than the file's, for MERGE and TEMPORAL_UPDATE
    tags: SkipJsonSchema[tuple[str, ...]] = ()  # of directives that were written for RockBot; not asked for
    doubt: SkipJsonSchema[str] = ""  # why the rules without a model leave it to a person; not asked for


class ConsolidateAnswer(Answer):
    """Actions on one domain's changed memories."""

    actions: tuple[ConsolidateAction, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    to_delete: SkipJsonSchema[tuple[str, ...]] = ()  # of directives that were written for RockBot; not asked for

    @model_validator(mode="before")
    @classmethod
    def _read_published(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model sent
        """Read an answer of RockBot's contract as actions."""
        return read_memory_contract(value)
