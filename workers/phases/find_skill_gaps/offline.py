"""Find skill gaps without a model: none. A rule cannot know the steps of a skill, and without them it is only a note."""

from shared.core.questions.question import Question
from workers.phases.find_skill_gaps.answer import SkillGapAnswer


def decide_skill_gaps(_question: Question) -> SkillGapAnswer:
    """Return no skill."""
    return SkillGapAnswer()
