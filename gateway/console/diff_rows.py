"""Two texts side by side: rows of lines, with the words that differ marked, long stretches of the same folded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

#: A comparison takes time that grows with the square of the lines; what is longer is shown without one.
MAX_LINES = 2_000
_MAX_LINE_CHARS = 2_000
_CONTEXT = 3
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
#: Two lines that have less than this in common are better read whole than with marks all over them.
_ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line; `is_marked` when the other side does not have it."""

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


def diff_rows(before: str, after: str) -> list[Row] | None:
    """Return the rows of a comparison, or None when the texts are too long for one."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > MAX_LINES:
        return None
    rows: list[Row] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += _same(old, i1, i2, j1, len(old))
        else:
            rows += _changed(old[i1:i2], new[j1:j2], i1, j1)
    return rows


def _same(lines: list[str], first: int, last: int, other: int, total: int) -> Iterator[Row]:
    head = _CONTEXT if first > 0 else 0
    tail = _CONTEXT if last < total else 0
    folds = last - first > head + tail + 1
    for index in range(first, last):
        if folds and first + head <= index < last - tail:
            if index == first + head:
                yield Row(kind="fold", folded=last - tail - index)
            continue
        part = (Part(lines[index]),)
        yield Row(kind="same", old_number=index + 1, new_number=other + index - first + 1, old=part, new=part)


def _changed(old: list[str], new: list[str], i: int, j: int) -> Iterator[Row]:
    for offset, (left, right) in enumerate(zip_longest(old, new)):
        kind = "added" if left is None else "removed" if right is None else "changed"
        marked = _mark(left, right) if kind == "changed" else ((Part(left or ""),), (Part(right or ""),))
        yield Row(
            kind=kind,
            old_number=None if left is None else i + offset + 1,
            new_number=None if right is None else j + offset + 1,
            old=marked[0],
            new=marked[1],
        )


def _mark(left: str, right: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return both lines in parts, those marked that the other does not have."""
    if len(left) + len(right) > _MAX_LINE_CHARS:
        return (Part(left),), (Part(right),)
    old, new = _WORDS.findall(left), _WORDS.findall(right)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return (Part(left),), (Part(right),)
    codes = matcher.get_opcodes()
    return (
        tuple(Part("".join(old[i1:i2]), tag != "equal") for tag, i1, i2, _, _ in codes if i1 != i2),
        tuple(Part("".join(new[j1:j2]), tag != "equal") for tag, _, _, j1, j2 in codes if j1 != j2),
    )
