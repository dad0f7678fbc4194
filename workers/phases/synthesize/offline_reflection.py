"""Reflect without a model: flag two memories that plainly contradict each other, and invent no insight."""

from itertools import combinations

from shared.core.memory.frontmatter import body_of
from shared.core.merging.other_version import find_other_version
from shared.core.merging.same_subject import same_subject
from shared.core.questions.question import Question
from shared.core.text.excerpt import is_cut
from shared.core.text.similarity import NEAR_DUPLICATE, decide_near_duplicate
from workers.offline.plain_conflict import find_plain_conflict
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer

_MAX_FLAGS = 3


def decide_reflection(question: Question) -> ReflectAnswer:
    """Return a flag on one of each two texts that are alike but for what they claim, or that name two versions of one thing."""
    texts = {document.path: document.text for document in question.documents if document.role == "memory"}
    bodies = {path: body_of(text) for path, text in texts.items()}
    flags: dict[str, FlaggedMemory] = {}
    for left, right in combinations(sorted(bodies), 2):
        conflict = find_other_version(left, texts[left], right, texts[right])
        # Beginnings that are alike show a template, and no texts that are.
        is_whole = not is_cut(bodies[left]) and not is_cut(bodies[right])
        if conflict is None and is_whole and decide_near_duplicate(bodies[left], bodies[right]) >= NEAR_DUPLICATE:
            is_different = same_subject(left, texts[left], right, texts[right]).is_different
            conflict = None if is_different else find_plain_conflict(bodies[left], bodies[right])
        if conflict is not None and left not in flags:
            flags[left] = FlaggedMemory(file=left, about=(right,), reason=conflict, confidence=0.6)
    return ReflectAnswer(flags=tuple(flags.values())[:_MAX_FLAGS])
