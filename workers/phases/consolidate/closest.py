"""Find pairs of memories that seem to say the same in other words, for a person to decide.

Two notes about one thing share many of its words, however they are put, and more of them with each other than with any third
note. Words that many memories have count less. The share is that of all words of both, so that a page that mentions what a
note is about is no pair of it.

Short notes that have most of their names and numbers in common may share fewer words: a paraphrase keeps those.

The share was chosen on forty stores of 14 to 22 memories, in which 24 of 27 proposals are of one thing; that of names and
numbers on 66 stores and 200 pairs, in which 10 of 11 more in the stores are. docs/benchmarks/judgement.md has what both find in
stores that were not looked at.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from shared.core.merging.subject_words import are_named_in_turn, list_stems
from shared.languages.language_file import pattern_of

#: The two share at least this part of the weight of all their words.
_SHARED = 0.18
_FEWEST_SHARED = 7
#: As much is enough where they have half of the names and numbers of the shorter one in common, which count for two at least.
_SHARED_BY_MARKS = 0.1
_FEWEST_SHARED_BY_MARKS = 6
_MARKS_IN_COMMON = 0.5
_FEWEST_MARKS = 2.0
#: A number of one or two digits stands in many texts.
_SMALL_NUMBER, _SMALL_COUNTS = 2, 0.5
#: In a longer text some names and numbers are those of any other by chance, and a table has many of both.
_MOST_STEMS_OF_MARKED = 60
_MOST_BARS = 8
_WORD = re.compile(r"[^\W_]+")
#: The characters before a word that are looked at, and those that may stand between it and its sentence.
_REACH = 16
_BEFORE_WORD = " *_`\"'([„“«"
_SENTENCE_ENDS = ".!?:\n#-"
#: Words of so many other memories are assumed, so that those of a few memories do not all seem rare.
_PRIOR = 20

_FEWEST_LABELS = 3
#: A line `Label: value`, as a bullet or in bold or neither.
_LABELLED = re.compile(r"^[ \t]*(?:[-*+] )?\**(\w[^:*\n|]{1,40}?)\**:\**[ \t]*(\S.*)$", re.MULTILINE)

#: A file with a date in its path and one of these words holds what a day brought, and is about no subject of its own.
_DATED = re.compile(r"\d{4}-?\d\d-?\d\d")
_OF_A_DAY = pattern_of("records", r"(?:^|[^a-z])<>(?:[^a-z]|$)", is_whole=False)

_Ends = tuple[str, str]
#: A path and a body.
Text = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a memory: the stems of all, and those of its names and numbers, none where it is long or holds a table."""

    stems: frozenset[str]
    marks: frozenset[str] = frozenset()


def read_wording(stems: frozenset[str], text: str) -> Wording:
    """Return the wording of a title and a body whose stems are known."""
    is_short = len(stems) <= _MOST_STEMS_OF_MARKED and text.count("|") <= _MOST_BARS
    return Wording(stems=stems, marks=frozenset(_list_marks(text)) if is_short else frozenset())


def _list_marks(text: str) -> Iterator[str]:
    """Yield the stems of numbers, and of words with a capital that no sentence's beginning explains.

    `find_specifics` takes more for a name, since it guards against a loss; here in doubt a word is none.
    """
    for found in _WORD.finditer(text):
        word, stems = found[0], list_stems(found[0])
        before = text[max(0, found.start() - _REACH) : found.start()].rstrip(_BEFORE_WORD)
        is_inside = bool(before) and before[-1] not in _SENTENCE_ENDS
        is_name = word[0].isupper() and (is_inside or word.isupper())
        is_mark = is_name or (word.isascii() and not word.isalpha())
        yield from (stem for stem in stems if is_mark or stem.isdigit())


def share_marks(left: Wording, right: Wording) -> bool:
    """Tell whether two short texts have most of their names and numbers in common."""
    least = min(_weigh_marks(left.marks), _weigh_marks(right.marks))
    return _weigh_marks(left.marks & right.marks) >= max(_FEWEST_MARKS, _MARKS_IN_COMMON * least)


def _weigh_marks(marks: frozenset[str]) -> float:
    return sum(_SMALL_COUNTS if mark.isdigit() and len(mark) <= _SMALL_NUMBER else 1.0 for mark in marks)


def find_closest(words: Mapping[str, Wording], pairs: Iterable[_Ends]) -> Mapping[_Ends, float]:
    """Return the pairs of which each memory shares more words with the other than with any third one, and the share of each, 0 to 1.

    Args:
        words: the wording of each offered memory, by path.
        pairs: the paths of the pairs to look at.
    """
    counts = Counter(word for one in words.values() for word in one.stems)
    weights = {word: math.log((len(words) + _PRIOR) / count) for word, count in counts.items()}
    shares = {
        ends: _share(words[ends[0]].stems, words[ends[1]].stems, weights)
        for ends in pairs
        if len(words[ends[0]].stems & words[ends[1]].stems) >= _FEWEST_SHARED_BY_MARKS
    }
    most: dict[str, float] = {}
    for ends, share in shares.items():
        for path in ends:
            most[path] = max(share, most.get(path, 0.0))
    return {
        ends: share
        for ends, share in shares.items()
        if share == most[ends[0]] == most[ends[1]] and _is_enough(words[ends[0]], words[ends[1]], share)
    }


def _is_enough(left: Wording, right: Wording, share: float) -> bool:
    if share >= _SHARED and len(left.stems & right.stems) >= _FEWEST_SHARED:
        return True
    return share >= _SHARED_BY_MARKS and share_marks(left, right)


def _share(left: frozenset[str], right: frozenset[str], weights: Mapping[str, float]) -> float:
    # Exact, so that it does not depend on the order of a set, which differs from process to process.
    either = math.fsum(weights[word] for word in left | right)
    return math.fsum(weights[word] for word in left & right) / either if either else 0.0


def are_entries(left: Text, right: Text) -> bool:
    """Tell whether two texts are entries of a series: by their files' names, as cards that are filled in differently, or one of a day."""
    is_of_a_day = any(_DATED.search(path) and _OF_A_DAY.search(path.lower()) for path, _ in (left, right))
    return is_of_a_day or _are_numbered(left[0], right[0]) or _are_cards(left[1], right[1])


def _are_cards(left: str, right: str) -> bool:
    """Tell whether two texts have the same labels, and mostly other values behind them: two things, not one."""
    ours, theirs = dict(_LABELLED.findall(left)), dict(_LABELLED.findall(right))
    shared = ours.keys() & theirs.keys()
    other = sum(ours[label] != theirs[label] for label in shared)
    return len(shared) >= _FEWEST_LABELS and 2 * other > len(shared)


def _are_numbered(left: str, right: str) -> bool:
    """Tell whether two files are numbered or lettered: `adr/0009-locks` and `adr/0015-leases`, `cart-a` and `cart-c`."""
    ours, theirs = PurePosixPath(left), PurePosixPath(right)
    if ours.parent != theirs.parent:
        return False
    if ours.stem[:1].isdigit() and theirs.stem[:1].isdigit():
        return True
    return are_named_in_turn(left, right)
