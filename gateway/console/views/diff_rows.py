"""Compare two texts side by side: rows of lines with changed words marked and long unchanged stretches folded."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

#: A comparison takes time quadratic in the number of lines; longer texts are shown without one.
MAX_LINES = 2_000
_MAX_LINE_CHARS = 2_000
_CONTEXT = 3
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
#: Marking words takes about 5 microseconds per pair of equal words. Prose has 200 such pairs in a line, a wide table
#: thousands. Above this number, lines are shown without marked words.
MAX_PAIRS = 40_000
#: Two lines that have less than this in common are shown without marked words.
_ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line; `is_marked` if the other side does not have it."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row. `kind`: same, changed, removed, added, or fold (then `folded` lines are left out)."""

    kind: str
    old_number: int | None = None
    new_number: int | None = None
    old: tuple[Part, ...] = ()
    new: tuple[Part, ...] = ()
    folded: int = 0


class _Marker:
    """Marks the words that differ between two lines, within a budget for one comparison."""

    def __init__(self) -> None:
        self._left = MAX_PAIRS

    def __call__(self, left: str, right: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return both lines in parts; parts that the other line does not have are marked."""
        whole = (Part(left),), (Part(right),)
        if len(left) + len(right) > _MAX_LINE_CHARS:
            return whole
        old, new = _WORDS.findall(left), _WORDS.findall(right)
        counts = Counter(new)
        self._left -= sum(counts[word] for word in old)
        if self._left < 0:
            return whole
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        if matcher.ratio() < _ALIKE:
            return whole
        codes = matcher.get_opcodes()
        return (
            tuple(Part("".join(old[i1:i2]), tag != "equal") for tag, i1, i2, _, _ in codes if i1 != i2),
            tuple(Part("".join(new[j1:j2]), tag != "equal") for tag, _, _, j1, j2 in codes if j1 != j2),
        )


def diff_rows(before: str, after: str) -> list[Row] | None:
    """Return the rows of a comparison, or None if the texts are too long."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > MAX_LINES:
        return None
    rows: list[Row] = []
    mark = _Marker()
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for place, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag == "equal":
            context = (_CONTEXT if place else 0, _CONTEXT if place < len(codes) - 1 else 0)
            rows += _same(old[i1:i2], i1, j1, context)
        else:
            rows += _changed(mark, old[i1:i2], new[j1:j2], i1, j1)
    return rows


def _same(lines: list[str], old: int, new: int, context: tuple[int, int]) -> Iterator[Row]:
    """Yield equal lines, folded except for some context next to changes."""
    head, tail = context
    folds = len(lines) > head + tail + 1
    for index, line in enumerate(lines):
        if folds and head <= index < len(lines) - tail:
            if index == head:
                yield Row(kind="fold", folded=len(lines) - tail - head)
            continue
        part = (Part(line),)
        yield Row(kind="same", old_number=old + index + 1, new_number=new + index + 1, old=part, new=part)


def _changed(mark: _Marker, old: list[str], new: list[str], i: int, j: int) -> Iterator[Row]:
    for offset, (left, right) in enumerate(zip_longest(old, new)):
        kind = "added" if left is None else "removed" if right is None else "changed"
        marked = mark(left, right) if kind == "changed" else ((Part(left or ""),), (Part(right or ""),))
        yield Row(
            kind=kind,
            old_number=None if left is None else i + offset + 1,
            new_number=None if right is None else j + offset + 1,
            old=marked[0],
            new=marked[1],
        )
