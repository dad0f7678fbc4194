"""The answer that find_skill_gaps accepts from a model."""

from shared.core.learning.skill_answers import SkillDraft
from shared.core.questions.answer import Answer


class SkillGapAnswer(Answer):
    """Skills for recurring requests; an empty list is a good answer."""

    to_save: tuple[SkillDraft, ...] = ()
