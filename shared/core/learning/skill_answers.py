"""Skills as a model returns them: the answer that every phase about skills shares."""

from typing import Any

from pydantic import model_validator
from pydantic.json_schema import SkipJsonSchema

from shared.core.questions.answer import Answer


class SkillDraft(Answer):
    """A skill to be saved. `sourceNames` are the skills that it replaces (`sourceIds` is understood, too)."""

    name: str
    summary: str = ""
    content: str = ""
    source_names: tuple[str, ...] = ()
    see_also: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()  # find_skill_gaps: the offered sessions that call for the skill
    reason: str = ""
    confidence: float | None = None
    doubt: SkipJsonSchema[str] = ""  # why the rules without a model leave a merge to a person; not for models

    @model_validator(mode="before")
    @classmethod
    def _take_ids_for_names(cls, given: Any) -> Any:  # noqa: ANN401 - what a model wrote
        """Read `sourceIds`, the name of this field in answers about memories, as `sourceNames`."""
        if isinstance(given, dict) and "sourceIds" in given and not {"sourceNames", "source_names"} & given.keys():
            return {**given, "sourceNames": given["sourceIds"]}
        return given


class SkillsAnswer(Answer):
    """Merged, linked or repaired skills. Skills in `toDelete` are superseded by a skill of `toSave`, never deleted."""

    to_delete: tuple[str, ...] = ()
    to_save: tuple[SkillDraft, ...] = ()
