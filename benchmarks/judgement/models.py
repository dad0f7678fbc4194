"""Stand-ins for a model that is asked to consolidate two memories: none, ones that merge all they may, and careless ones."""

import re
from collections.abc import Callable, Sequence
from itertools import chain, islice, repeat

from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.statements import read_statements
from shared.core.questions.question import Document, Question
from shared.core.text.wording import wording_of
from workers.offline.join_texts import merge_bodies
from workers.phase.text_edits import TextEdit
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


def join_by_no_edits(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown, and let the host write the text."""
    return _merge(left, right, None, edits=())


def drop_the_second(left: Memory, right: Memory) -> ConsolidateAnswer:
    """Merge whatever is shown, and leave out each statement of the second for the one in its place in the first."""
    ours, theirs = ([one.text for one in read_statements(memory.content).statements] for memory in (left, right))
    fresh = [one for one in theirs if wording_of(one) not in map(wording_of, ours)]
    pairs = zip(fresh, islice(chain(ours, repeat(ours[-1])), len(fresh)), strict=True) if ours else ()
    said = [*ours, *fresh]
    edits = (TextEdit(words=_opening_of(one, said), keep=_opening_of(other, said)) for one, other in pairs)
    return _merge(left, right, None, edits=tuple(edits))


def _opening_of(text: str, others: Sequence[str]) -> str:
    """Return the first words of a statement, as many as tell it from the others."""
    words = text.split()
    openings = (" ".join(words[:count]) for count in range(2, len(words)))
    is_alone = (one for one in openings if sum(wording_of(o).startswith(wording_of(one)) for o in others) == 1)
    return next(is_alone, text)


MODELS: dict[str, Model] = {
    "none": ask_no_model,
    "merges everything": merge_everything,
    "keeps the first text": keep_the_first,
    "drops numbers": drop_numbers,
    "drops negations": flip_negations,
    "bag of words": append_words,
    "joins by no edits": join_by_no_edits,
    "leaves out the second text": drop_the_second,
}


def _merge(
    left: Memory, right: Memory, text: str | None, edits: tuple[TextEdit, ...] | None = None
) -> ConsolidateAnswer:
    action = ConsolidateAction(
        type="MERGE", files=(left.path, right.path), reason="The same.", confidence=_CONFIDENCE,
        output_file=left.path, merged_content=text, edits=edits,
    )  # fmt: skip
    return ConsolidateAnswer(actions=(action,))
