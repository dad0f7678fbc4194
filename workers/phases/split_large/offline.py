"""Split without a model: every part is named by its heading."""

from shared.core.questions.question import Question
from workers.phases.split_large.answer import SplitAnswer


def decide_split(_question: Question) -> SplitAnswer:
    """Return an answer that leaves each part its heading."""
    return SplitAnswer()
