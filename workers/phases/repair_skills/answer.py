"""The answer that repair_skills accepts from a model, and the text of the repaired skill that results from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.learning.skill_answers import SkillDraft, SkillsAnswer
from shared.core.memory.frontmatter import body_of
from shared.core.questions.answer import Answer
from shared.core.text.clip import clip

#: The most edits of one skill in an answer; a skill with more stays unchanged.
MAX_EDITS = 50


class SkillEdit(Answer):
    """`write` replaces `words`, a passage of the skill; without `words` it is added at the skill's end."""

    words: str = ""
    write: str = ""


class RepairedSkill(SkillDraft):
    """A better skill. `content` is the whole text and replaces edits."""

    edits: tuple[SkillEdit, ...] = ()


class RepairSkillsAnswer(SkillsAnswer):
    """Repaired skills."""

    to_save: tuple[RepairedSkill, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """The body of a skill after a repair, or the reason why it stays unchanged."""

    body: str = ""
    refused: str = ""


def write_repair(one: RepairedSkill, current: str) -> Repaired:
    """Return the body of a repaired skill, with all edits or with none.

    Steps of a skill depend on each other, so half a repair may be worse than none. Unlike edits of memories, these may
    change code, which has the commands of a skill, and may lose a specific: then the plan asks a person.

    Args:
        one: the repair from the model.
        current: the skill's current text, with frontmatter.
    """
    whole = body_of(one.content)
    if whole.strip() or not one.edits:
        return Repaired(body=whole)
    if len(one.edits) > MAX_EDITS:
        return Repaired(refused=f"{len(one.edits)} edits are more than {MAX_EDITS}")
    return _apply(one.edits, body_of(current).strip("\n"))


def _apply(edits: Sequence[SkillEdit], body: str) -> Repaired:
    for edit in edits:
        words = edit.words.strip()
        if not words:
            body = f"{body.rstrip()}\n\n{edit.write.strip()}" if edit.write.strip() else body
        elif (found := body.count(words)) == 1:
            body = body.replace(words, edit.write.strip())
        else:
            return Repaired(refused=f'"{clip(" ".join(words.split()))}" stands there {found} times')
    return Repaired(body=body)
