"""Tell whether two texts say much of the same in other words: enough to ask a person, never enough for a merge.

Words that stand anywhere in a long text prove nothing: it holds those of every short one. So each sentence is looked for in one
place of the other text, a sentence or two neighbouring ones.
"""

from collections.abc import Sequence
from itertools import pairwise

from shared.core.merging.sentence_slots import read_sentences
from shared.core.merging.subject_words import Subject

#: A place says a sentence if it has this share of its words; for one subject, half of them may differ.
_SAID = 0.65
_PARTLY_SAID = 0.5
#: The sentences that the other text says hold this share of a text's words: it is nearly all in the other. Of a
#: single sentence, this many words: a single word does not tell two topics with the same terms apart.
_NEARLY_ALL = 0.75
#: For two texts of one subject, this overlap is enough.
_HALF = 0.5
#: A sentence of fewer words is a heading or a label.
_FEWEST_WORDS = 2
_FEWEST_SENTENCES = 2

_Stems = frozenset[str]


def overlap_mostly(left: Subject, right: Subject, *, is_one_subject: bool) -> bool:
    """Tell whether nearly all of one text stands in the other, or half of each of two texts about one subject."""
    ours, theirs = _sentences_of(left), _sentences_of(right)
    if _is_nearly_all_said(ours, theirs, right) or _is_nearly_all_said(theirs, ours, left):
        return True
    if not is_one_subject or min(len(ours), len(theirs)) < _FEWEST_SENTENCES:
        return False
    return min(_share_said(ours, theirs, right, _PARTLY_SAID), _share_said(theirs, ours, left, _PARTLY_SAID)) >= _HALF


def _is_nearly_all_said(sentences: Sequence[_Stems], others: Sequence[_Stems], other: Subject) -> bool:
    least = _SAID if len(sentences) >= _FEWEST_SENTENCES else _NEARLY_ALL
    return _share_said(sentences, others, other, least) >= _NEARLY_ALL


def _sentences_of(subject: Subject) -> list[_Stems]:
    return [one.key for one in read_sentences(subject.body) if len(one.key) >= _FEWEST_WORDS]


def _share_said(sentences: Sequence[_Stems], others: Sequence[_Stems], other: Subject, least: float) -> float:
    """Return how much of a text, by its words, stands in sentences that the other text says; its title is said everywhere."""
    told = frozenset(other.title_words)
    places = [place | told for place in (*others, *(one | following for one, following in pairwise(others)))]
    whole = sum(map(len, sentences))
    said = sum(len(one) for one in sentences if any(len(one & place) >= least * len(one) for place in places))
    return said / whole if whole else 0.0
