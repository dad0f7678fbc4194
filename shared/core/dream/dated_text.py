"""Tell whether a text differs from an earlier one only in dates and superseded statements.

A date counts when it belongs to a relative phrase of its line, by the rules of `shared/core/dates` and from the day on
which the memory was written, if that is known. So does the year of a day and month, if it is the nearest one to that day. A statement may move to `## Superseded` when the one that opposes it stays.
"""

import calendar
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from shared.core.dates.anchor import find_entries, find_said_at
from shared.core.dates.phrases import find_phrases
from shared.core.memory.model import Memory
from shared.core.merging.opposites import reason_opposed
from shared.core.text.clip import clip

_SUPERSEDED = re.compile(r"^## Superseded[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'`*\[])")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: An added date as the host and models write it: `(2026-03-04)`, `(week of 2026-03-02)`, `on 2026-03-04`.
_DATE = r"(?:week of )?\d{4}(?:-\d{2}(?:-\d{2})?)?(?: to \d{4}-\d{2}-\d{2})?"
_ADDED = re.compile(rf"\s?\(({_DATE})\)|\s?\bon (\d{{4}}-\d{{2}}-\d{{2}})\b")
#: A day and month, and the year as models add it: `18 December 2026`, `December 18, 2026`.
_MONTH = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DAY_AND_MONTH = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?)\b(?P<added>,? (?P<year>\d{{4}})\b)?",
    re.IGNORECASE,
)
_PARENTHESES = re.compile(r"[()]")
#: The note that may follow a moved statement.
_ENDED = r"(?:\s*[\u2014\u2013-]\s*until \d{4}-\d{2}-\d{2}(?:, (?:changed since|corrected by the user))?)?\.?"


def find_undated_change(before: str, after: str, memory: Memory) -> str | None:
    """Describe a difference other than dates and moves, as the end of a sentence; None if there is none.

    Args:
        before: the earlier text, without frontmatter.
        after: the later one.
        memory: the memory as it was, for the day that its relative phrases refer to.
    """
    if before == after:
        return None
    ours, theirs = _Parts.of(before), _Parts.of(after)
    find_moment = _moments_of(memory, before)
    moved: list[str] = []
    rest = iter(theirs.current)
    other = next(rest, None)
    for line, unit in zip(ours.lines, ours.current, strict=True):
        if other is not None and (unit == other or _is_dated(unit, other, find_moment(line))):
            other = next(rest, None)
        else:
            moved.append(unit)
    if other is not None:
        return f'it would say "{clip(other)}"'
    for unit in moved:
        problem = _find_bad_move(unit, theirs)
        if problem is not None:
            return problem
    return _find_other_ended(ours.ended, theirs.ended, moved)


def ends_no_statement(before: str, after: str) -> bool:
    """Tell whether the superseded part of a text stays as it is: nothing moved there."""
    return _Parts.of(before).ended == _Parts.of(after).ended


def keeps_line(line: str, other: str) -> bool:
    """Tell whether a line equals another one apart from dates in parentheses that the host adds."""
    if line == other:
        return True
    bare, dates = _ADDED.sub("", line), set(_ISO_DAY.findall(line))
    return len(other) > len(line) and bare == _ADDED.sub("", other) and dates <= set(_ISO_DAY.findall(other))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The current sentences of a text, the start of each one's line, and the lines of its superseded part."""

    current: tuple[str, ...]
    lines: tuple[int, ...]
    ended: tuple[str, ...]

    @classmethod
    def of(cls, body: str) -> "_Parts":
        found = _SUPERSEDED.search(body)
        current, ended = (body[: found.start()], body[found.end() :]) if found else (body, "")
        units = list(_units_of(current))
        return cls(
            current=tuple(unit for _, unit in units),
            lines=tuple(line for line, _ in units),
            ended=tuple(line for line in ended.splitlines() if line.strip()),
        )


def _units_of(text: str) -> Iterator[tuple[int, str]]:
    """Return the sentences of prose and the lines of code, in order and as written, each with the start of its line."""
    is_code = False
    at = 0
    for line in text.splitlines(keepends=True):
        is_fence = _FENCE.match(line) is not None
        is_code ^= is_fence
        if line.strip():
            units = [line.rstrip()] if is_code or is_fence else _SENTENCE_END.split(line.rstrip())
            yield from ((at, unit) for unit in units)
        at += len(line)


def _moments_of(memory: Memory, body: str) -> Callable[[int], datetime | None]:
    """Return a function that gives the moment that phrases at a place in a memory refer to: its entry's, or the text's.

    The same sentence under several days means a different day each time, so its words alone do not determine the day.
    """
    sections = find_entries(replace(memory, content=body))
    starts = [one.start for one in sections]
    said_at = find_said_at(memory)

    def find_moment(place: int) -> datetime | None:
        number = bisect_right(starts, place) - 1
        is_inside = number >= 0 and place < sections[number].end
        return sections[number].said_at if is_inside else said_at

    return find_moment


def _is_dated(unit: str, other: str, said_at: datetime | None) -> bool:
    """Tell whether a sentence equals another one apart from dates next to its own relative phrases."""
    if said_at is None or len(other) <= len(unit) or _plain(unit, ()) == "":
        return False
    other = _without_added_years(unit, other, said_at.date())
    meant = {found.date for found in find_phrases(unit, said_at.date())}
    return other == unit or (bool(meant) and _plain(other, meant) == _plain(unit, ()))


def _without_added_years(unit: str, other: str, said_on: date) -> str:
    """Return the later sentence without each year that it adds to a day and month, if none makes that day nearer."""
    known = (found["year"] for found in _DAY_AND_MONTH.finditer(unit))

    def drop(found: re.Match[str]) -> str:
        has_year = next(known, None) is not None
        return found[0] if has_year or not _is_nearest(found, said_on) else found[0].removesuffix(found["added"])

    return _DAY_AND_MONTH.sub(drop, other)


def _is_nearest(found: re.Match[str], said_on: date) -> bool:
    """Tell whether a day and month stand with the year in which that day is nearest to another day."""
    day, month = re.search(r"\d+", found[0]), re.search(_MONTH, found[0], re.IGNORECASE)
    if found["year"] is None or day is None or month is None:
        return False
    number = [name[:3].lower() for name in calendar.month_name].index(month[0][:3].lower())
    years = [year for year in range(said_on.year - 1, said_on.year + 2) if _is_day(year, number, int(day[0]))]
    nearest = min(years, key=lambda year: abs(date(year, number, int(day[0])) - said_on), default=None)
    return nearest == int(found["year"])


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= day <= calendar.monthrange(year, month)[1]


def _plain(text: str, dates: Collection[str]) -> str:
    """Return a sentence without added dates, and without the punctuation around a date or its phrase."""
    kept = _ADDED.sub(lambda found: "" if (found[1] or found[2]) in dates else found[0], text)
    return " ".join(_PARENTHESES.sub(" ", kept).replace(" .", ".").replace(" ,", ",").split())


def _find_bad_move(unit: str, theirs: _Parts) -> str | None:
    said = _BULLET.sub("", unit).strip()
    if not any(_quotes(line, said) for line in theirs.ended):
        return f'it would no longer say "{clip(unit)}"'
    if not any(reason_opposed(said, other) is not None for other in theirs.current):
        return f'it would call "{clip(unit)}" superseded, and nothing that stays opposes it'
    return None


def _quotes(line: str, said: str) -> bool:
    if said not in line:
        return False
    quoted = rf"\s*[-*]\s+[\"\u201c]?{re.escape(said)}[\"\u201d]?{_ENDED}\s*"
    return re.fullmatch(quoted, line) is not None


def _find_other_ended(before: Sequence[str], after: Sequence[str], moved: Sequence[str]) -> str | None:
    """Describe a line that the superseded part lost, or that it contains although the text never did."""
    said = [_BULLET.sub("", unit).strip() for unit in moved]
    gone = next((line for line in before if line not in after), None)
    if gone is not None:
        return f'it would no longer say "{clip(gone)}"'
    added = next((line for line in after if line not in before and not any(_quotes(line, one) for one in said)), None)
    return None if added is None else f'it would say "{clip(added)}"'
