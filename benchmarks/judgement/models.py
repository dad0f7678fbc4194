"""Stand-ins for a model that is asked to consolidate two memories: none, one that merges all it may, and careless ones."""

import re
from collections.abc import Callable

from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.questions.question import Document, Question
from workers.offline.join_texts import merge_bodies
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation

#: Takes two memories and returns what the model says about them.
Model = Callable[[Memory, Memory], ConsolidateAnswer]
_NEGATION = re.compile(r"\b(?:not|no|never)\s+", re.IGNORECASE)
_CONFIDENCE = 0.99


def ask_no_model(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Answer by the rules without a model."""
    shown = tuple(Document(path=one.path, text=one.content, role="changed", at="") for one in (left, right))
    return decide_consolidation(
        Question(
            phase="consolidate",
            key="k",
            documents=shown,
            answer_type=ConsolidateAnswer,
            without_model=decide_consolidation,
        )
    )


def merge_everything(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown into a text that holds every statement of both."""
    return _merge(left, right, merge_bodies(body_of(left.content), [body_of(right.content)]))


def keep_the_first(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown into the first text."""
    return _merge(left, right, body_of(left.content))


def drop_numbers(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown, and leave every number out."""
    both = merge_bodies(body_of(left.content), [body_of(right.content)])
    return _merge(left, right, re.sub(r"\d+", "some", both))


def flip_negations(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown, and leave every negation out."""
    both = merge_bodies(body_of(left.content), [body_of(right.content)])
    return _merge(left, right, _NEGATION.sub("", both))


def append_words(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown into one empty sentence and the words of both, sorted."""
    words = sorted({*body_of(left.content).split(), *body_of(right.content).split()})
    return _merge(left, right, f"See below.\n\n{' '.join(words)}\n")


MODELS: dict[str, Model] = {
    "none": ask_no_model,
    "merges everything": merge_everything,
    "keeps the first text": keep_the_first,
    "drops numbers": drop_numbers,
    "drops negations": flip_negations,
    "bag of words": append_words,
}


def _merge(left: Memory, right: Memory, text: str) -> ConsolidateAnswer:
    action = ConsolidateAction(
        type="MERGE", files=(left.path, right.path), reason="The same.", confidence=_CONFIDENCE,
        output_file=left.path, merged_content=text,
    )  # fmt: skip
    return ConsolidateAnswer(actions=(action,))
