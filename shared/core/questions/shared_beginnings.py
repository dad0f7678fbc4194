"""Arrange the questions of a phase so that shared content comes first, byte for byte the same in each, for the prompt cache.

A prompt cache only matches up to the first differing byte. So the survey of the store comes before all documents, and the
document that most questions show comes first. Content that only one question shows, or that follows different beginnings, stays
in the question itself; nothing is shown twice, and nothing is added.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from shared.core.questions.question import Beginning, Document, Question, find_marker


def share_beginnings(questions: Sequence[Question], survey: str = "") -> tuple[Question, ...]:
    """Return the questions in their order, each with the beginning that it shares with others."""
    marker = find_marker(questions, survey)
    shown_by = Counter(document for one in questions for document in dict.fromkeys(one.documents))
    # The tie-breaker is the order in which documents first appear, which is the same in every question.
    ranks = {document: (-number, place) for place, (document, number) in enumerate(shown_by.items()) if number > 1}
    ordered = [sorted({d for d in one.documents if d in ranks}, key=ranks.__getitem__) for one in questions]
    begun_by = Counter(tuple(first[:length]) for first in ordered for length in range(len(first) + 1))
    return tuple(
        replace(one, beginning=Beginning(marker=marker, survey=survey, parts=_cut(first, begun_by)))
        for one, first in zip(questions, ordered, strict=True)
    )


def _cut(first: Sequence[Document], begun_by: Counter[tuple[Document, ...]]) -> tuple[tuple[Document, ...], ...]:
    """Return the shared beginning of a question, cut where fewer questions continue alike; empty if it shares none."""
    numbers = [begun_by[tuple(first[:length])] for length in range(len(first) + 1)]
    shared = [length for length, number in enumerate(numbers) if number > 1]
    ends = [length for length in shared if length + 1 not in shared or numbers[length + 1] < numbers[length]]
    return tuple(tuple(first[start:end]) for start, end in zip((0, *ends), ends, strict=False))
