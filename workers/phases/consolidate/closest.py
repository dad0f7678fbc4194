"""Find pairs of memories that seem to say the same in other words, for a person to decide.

Two notes about one thing share many of its words, however they are put, and more of them with each other than with any third
note. Words that many memories have count less. The share is that of all words of both, so that a page that mentions what a
note is about is no pair of it.

The share was chosen on forty stores of 14 to 22 memories, in which 24 of 27 proposals are of one thing. docs/benchmarks/judgement.md
has what it finds in stores that were not looked at.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from shared.core.merging.subject_words import are_named_in_turn

#: The two share at least this part of the weight of all their words.
_SHARED = 0.18
_FEWEST_SHARED = 7
#: Words of so many other memories are assumed, so that those of a few memories do not all seem rare.
_PRIOR = 20

_FEWEST_LABELS = 3
#: A line `Label: value`, as a bullet or in bold or neither.
_LABELLED = re.compile(r"^[ \t]*(?:[-*+] )?\**(\w[^:*\n|]{1,40}?)\**:\**[ \t]*(\S.*)$", re.MULTILINE)

#: A file with a date in its path and one of these words holds what a day brought, and is about no subject of its own.
_DATED = re.compile(r"\d{4}-?\d\d-?\d\d")
_OF_A_DAY = re.compile(
    r"(?:^|[^a-z])(?:sessions?|journals?|diar(?:y|ies)|daily|minutes|meetings?|stand-?ups?|weekly|sync|tagebuch|protokolle?|besprechung|diarios?|actas?|"
    r"réunions?|atas?|reunião)(?:[^a-z]|$)"
)

_Ends = tuple[str, str]
#: A path and a body.
Text = tuple[str, str]


def find_closest(words: Mapping[str, frozenset[str]], pairs: Iterable[_Ends]) -> Mapping[_Ends, float]:
    """Return the pairs of which each memory shares more words with the other than with any third one, and the share of each, 0 to 1.

    Args:
        words: the stems of each offered memory, by path.
        pairs: the paths of the pairs to look at.
    """
    counts = Counter(word for one in words.values() for word in one)
    weights = {word: math.log((len(words) + _PRIOR) / count) for word, count in counts.items()}
    shares = {
        ends: _share(words[ends[0]], words[ends[1]], weights)
        for ends in pairs
        if len(words[ends[0]] & words[ends[1]]) >= _FEWEST_SHARED
    }
    most: dict[str, float] = {}
    for ends, share in shares.items():
        for path in ends:
            most[path] = max(share, most.get(path, 0.0))
    return {
        ends: share for ends, share in shares.items() if share >= _SHARED and share == most[ends[0]] == most[ends[1]]
    }


def _share(left: frozenset[str], right: frozenset[str], weights: Mapping[str, float]) -> float:
    either = sum(weights[word] for word in left | right)
    return sum(weights[word] for word in left & right) / either if either else 0.0


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
