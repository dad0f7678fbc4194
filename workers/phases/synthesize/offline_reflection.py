"""Reflect without a model: flag two memories that plainly contradict each other, and invent no insight."""

from itertools import combinations

from shared.core.checks.at_odds import find_plain_conflict
from shared.core.memory.frontmatter import body_of
from shared.core.merging.same_subject import same_subject
from shared.core.questions.question import Question
from shared.core.text.excerpt import is_cut
from shared.core.text.similarity import NEAR_DUPLICATE, similarity
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer

_MAX_FLAGS = 3


def decide_reflection(question: Question) -> ReflectAnswer:
    """Return a flag on one of each two texts that are alike but for what one statement claims."""
    texts = {document.path: document.text for document in question.documents if document.role == "memory"}
    bodies = {path: body_of(text) for path, text in texts.items()}
    flags: dict[str, FlaggedMemory] = {}
    for left, right in combinations(sorted(bodies), 2):
        # Beginnings that are alike show a template, and no texts that are.
        if left in flags or is_cut(bodies[left]) or is_cut(bodies[right]):
            continue
        is_alike = similarity(bodies[left], bodies[right]) >= NEAR_DUPLICATE
        if not is_alike or same_subject(left, texts[left], right, texts[right]).is_different:
            continue
        conflict = find_plain_conflict(bodies[left], bodies[right])
        if conflict is not None:
            flags[left] = FlaggedMemory(file=left, about=(right,), reason=conflict, confidence=0.6)
    return ReflectAnswer(flags=tuple(flags.values())[:_MAX_FLAGS])
