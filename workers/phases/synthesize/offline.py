"""Synthesize without a model: nothing. Words that recur in several domains are not yet something that was learned."""

from shared.core.questions.question import Question
from workers.phases.synthesize.answer import SynthesizeAnswer


def decide_synthesis(_question: Question) -> SynthesizeAnswer:
    """Return no synthesis."""
    return SynthesizeAnswer()
