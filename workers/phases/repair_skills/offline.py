"""Repair skills without a model: add corrections word for word. A sparse skill is not expanded."""

from shared.core.memory.frontmatter import body_of
from shared.core.questions.question import Question
from workers.phases.repair_skills.answer import RepairedSkill, RepairSkillsAnswer

_CONFIDENCE = 0.6


def decide_skill_repairs(question: Question) -> RepairSkillsAnswer:
    """Return each corrected skill with the corrections appended, word for word."""
    drafts = []
    for document in question.documents:
        corrections = [fact for fact in document.facts if " correction: " in fact]
        body = body_of(document.text).partition("\n\n### Review note")[0].rstrip()
        fresh = [fact for fact in corrections if fact not in body]
        if document.role == "skill" and fresh:
            listed = "\n".join(f"- {fact}" for fact in fresh)
            heading = "" if "## Corrections" in body else "\n\n## Corrections\n"
            drafts.append(
                RepairedSkill(
                    name=document.path,
                    content=f"{body}{heading}\n{listed}\n",
                    reason="Users corrected its results",
                    confidence=_CONFIDENCE,
                )
            )
    return RepairSkillsAnswer(to_save=tuple(drafts))
