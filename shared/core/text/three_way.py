"""Merge two changes of one text line by line (a three-way merge), so that neither side loses a line.

Lines that one side added or replaced are always in the result. If both sides changed the same line differently, there is a
conflict: there is no result, and a person decides.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import Indel

#: Texts with more lines are not compared: time and memory grow with the product of both lengths.
MAX_LINES = 2_000


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines `begin` to `end` of the base became `lines`; an insertion when `begin` is `end`."""

    begin: int
    end: int
    lines: tuple[str, ...]

    @property
    def is_deletion(self) -> bool:
        return not self.lines

    @property
    def is_insertion(self) -> bool:
        return self.begin == self.end


def merge_three_ways(base: str, ours: str, theirs: str) -> str | None:
    """Return `ours` with the changes from `base` to `theirs`, or None if both changed the same lines differently.

    Where both insert lines at the same place, those of `theirs` come first.
    """
    if base in (ours, theirs):
        return theirs if ours == base else ours
    if max(text.count("\n") for text in (base, ours, theirs)) >= MAX_LINES:
        return None
    lines = base.split("\n")
    mine = _find_changes(lines, ours)
    wanted = _drop_done(_find_changes(lines, theirs), mine, lines)
    if any(_is_conflict(one, change) for change in wanted for one in _find_near(change, mine)):
        return None
    return "\n".join(_apply(lines, mine, wanted))


def _find_changes(base: Sequence[str], text: str) -> list[_Change]:
    lines = text.split("\n") if text or not base[-1] else []  # a line break at the end of a text stays
    found: list[_Change] = []
    for is_equal, steps in groupby(Indel.opcodes(base, lines), key=lambda one: one.tag == "equal"):
        if not is_equal:
            run = list(steps)
            first, last = run[0], run[-1]
            found.append(_Change(first.src_start, last.src_end, tuple(lines[first.dest_start : last.dest_end])))
    return found


def _drop_done(wanted: Sequence[_Change], mine: Sequence[_Change], base: Sequence[str]) -> list[_Change]:
    """Return the changes without those that our side also made, and without deletions of lines that it lacks."""
    gone = _find_gone(mine)
    same = set(mine)
    return [
        change
        for change in wanted
        if change not in same
        and not (
            change.is_deletion and all(line in gone for line in range(change.begin, change.end) if base[line].strip())
        )
    ]


def _find_gone(changes: Iterable[_Change]) -> set[int]:
    return {line for one in changes for line in range(one.begin, one.end)}


def _find_near(change: _Change, others: Sequence[_Change]) -> Sequence[_Change]:
    """Return the changes of the other side that touch this one's lines; each side's changes are sorted and disjoint."""
    first = bisect_left(others, change.begin, key=lambda one: one.end)
    last = bisect_right(others, change.end, key=lambda one: one.begin)
    return others[first:last]


def _is_conflict(mine: _Change, wanted: _Change) -> bool:
    if mine.is_insertion and wanted.is_insertion:
        return False
    if mine.is_insertion:
        return wanted.begin < mine.begin < wanted.end and not wanted.is_deletion
    if wanted.is_insertion:
        return mine.begin < wanted.begin < mine.end
    is_shared = mine.begin < wanted.end and wanted.begin < mine.end
    return is_shared and not (mine.is_deletion and wanted.is_deletion)


def _apply(base: Sequence[str], mine: Sequence[_Change], wanted: Sequence[_Change]) -> list[str]:
    gone = _find_gone((*mine, *wanted))
    added: dict[int, list[str]] = {}
    for change in (
        *(one for one in wanted if one.is_insertion),
        *mine,
        *(one for one in wanted if not one.is_insertion),
    ):
        added.setdefault(change.begin, []).extend(change.lines)
    merged: list[str] = []
    for number in range(len(base) + 1):
        merged += added.get(number, ())
        if number < len(base) and number not in gone:
            merged.append(base[number])
    return merged
