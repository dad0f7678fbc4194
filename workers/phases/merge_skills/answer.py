"""The answer that merge_skills accepts from a model, and the text of the merged skill that results from it."""

from collections.abc import Sequence

from shared.core.learning.skill_answers import SkillDraft, SkillsAnswer
from shared.core.learning.skills import skill_path
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from workers.phase.merged_text import Edited
from workers.phase.text_edits import TextEdit, join_by_edits


class MergedSkill(SkillDraft):
    """A skill to be saved. A merge has lines, which name statements of the written skills, or edits; `content` is the whole text and replaces both."""

    lines: tuple[str, ...] | None = None
    edits: tuple[TextEdit, ...] | None = None


class MergeSkillsAnswer(SkillsAnswer):
    """Merged skills, guides and links."""

    to_save: tuple[MergedSkill, ...] = ()


def is_joined(one: MergedSkill) -> bool:
    """Tell whether the host joins the skills of a merge, because the model sent lines or edits instead of a whole text."""
    return (one.lines is not None or one.edits is not None) and not body_of(one.content).strip()


def find_keeper(one: MergedSkill, memories: Sequence[Memory]) -> Memory:
    """Return the skill that stays of those that become one, or the first where the merged skill has a new name."""
    return next((memory for memory in memories if memory.path == skill_path(one.name)), memories[0])


def write_skill(one: MergedSkill, memories: Sequence[Memory]) -> Edited:
    """Return the body of a merged skill, without frontmatter.

    Args:
        one: the merge from the model.
        memories: the skills to merge, whole; at least one.
    """
    if not is_joined(one):
        return Edited(body=body_of(one.content))
    keeper = find_keeper(one, memories)
    others = [memory.content for memory in memories if memory is not keeper]
    return join_by_edits(keeper.content, others, one.edits or ())
