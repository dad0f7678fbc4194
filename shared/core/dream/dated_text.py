"""Tell whether a text differs from an earlier one in nothing but dates and in what it calls superseded.

A date counts when it belongs to a relative phrase of its line, by the rules of `shared/core/dates` and from the day on
which the memory was written, if that is known. A statement may move to `## Superseded` when the one that opposes it stays.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.dates.anchor import find_dated_sections, find_said_at
from shared.core.dates.resolve import resolve_dates
from shared.core.dates.resolved import render
from shared.core.memory.model import Memory
from shared.core.merging.opposites import decide_opposites
from shared.core.sessions.languages import find_language
from shared.core.text.clip import clip

#: A longer text takes seconds where it is full of dates, so that a person decides about it.
_MOST_CHARS = 100_000

_SUPERSEDED = re.compile(r"^## Superseded[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'`*\[])")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: An added date as the host and models write it: `(2026-03-04)`, `(week of 2026-03-02)`, `on 2026-03-04`.
_DATE = r"(?:week of )?\d{4}(?:-\d{2}(?:-\d{2})?)?(?: to \d{4}-\d{2}-\d{2})?"
_ADDED = re.compile(rf"\s?\(({_DATE})\)|\s?\bon (\d{{4}}-\d{{2}}-\d{{2}})\b")
_PARENTHESES = re.compile(r"[()]")
#: What may stand behind a quoted statement that was moved.
_ENDED = r"(?:\s*[\u2014\u2013-]\s*until \d{4}-\d{2}-\d{2}(?:, (?:changed since|corrected by the user))?)?\.?"


def find_undated_change(before: str, after: str, memory: Memory) -> str | None:
    """Return what differs beyond dates and moves, as the end of a sentence, or None when nothing does.

    Args:
        before: the earlier text, without frontmatter.
        after: the later one.
        memory: the memory as it was, for the day that its relative phrases refer to.
    """
    if before == after:
        return None
    if max(len(before), len(after)) > _MOST_CHARS:
        return "it is too long to be compared date by date"
    ours, theirs = _Parts.of(before), _Parts.of(after)
    moments = _moments_of(memory)
    moved: list[str] = []
    rest = iter(theirs.current)
    other = next(rest, None)
    for unit in ours.current:
        if other is not None and (unit == other or _is_dated(unit, other, moments(unit))):
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


def keeps_line(line: str, other: str) -> bool:
    """Tell whether a line is another one, with dates in parentheses added at most, as the host itself adds them."""
    if line == other:
        return True
    bare, dates = _ADDED.sub("", line), set(_ISO_DAY.findall(line))
    return len(other) > len(line) and bare == _ADDED.sub("", other) and dates <= set(_ISO_DAY.findall(other))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The sentences of a text that hold, and the lines of what it calls superseded."""

    current: tuple[str, ...]
    ended: tuple[str, ...]

    @classmethod
    def of(cls, body: str) -> "_Parts":
        found = _SUPERSEDED.search(body)
        current, ended = (body[: found.start()], body[found.end() :]) if found else (body, "")
        return cls(current=tuple(_units_of(current)), ended=tuple(line for line in ended.splitlines() if line.strip()))


def _units_of(text: str) -> list[str]:
    """Return the sentences of prose and the lines of code, in order, each as it is written."""
    units: list[str] = []
    is_code = False
    for line in text.splitlines():
        is_fence = _FENCE.match(line) is not None
        is_code ^= is_fence
        if line.strip():
            units += [line.rstrip()] if is_code or is_fence else _SENTENCE_END.split(line.rstrip())
    return units


def _moments_of(memory: Memory) -> Callable[[str], Sequence[datetime]]:
    """Return what tells the moments that a sentence's relative phrases may refer to: those of its sections, or of the text."""
    sections = [(memory.content[one.start : one.end], one.said_at) for one in find_dated_sections(memory)]
    said_at = find_said_at(memory)

    def moments(unit: str) -> Sequence[datetime]:
        own = [at for text, at in sections if unit in text]
        return own or ([said_at] if said_at is not None else [])

    return moments


def _is_dated(unit: str, other: str, moments: Sequence[datetime]) -> bool:
    """Tell whether a sentence is another one with dates beside its own relative phrases."""
    if len(other) <= len(unit) or _plain(unit, ()) == "":
        return False
    locale = find_language(unit).code
    for said_at in moments:
        meant = {render(found) for found in resolve_dates(unit, said_at, locale=locale)}
        if meant and _plain(other, meant) == _plain(unit, ()):
            return True
    return False


def _plain(text: str, dates: Collection[str]) -> str:
    """Return a sentence without these added dates, and without the signs that set a date or its phrase apart."""
    kept = _ADDED.sub(lambda found: "" if (found[1] or found[2]) in dates else found[0], text)
    return " ".join(_PARENTHESES.sub(" ", kept).replace(" .", ".").replace(" ,", ",").split())


def _find_bad_move(unit: str, theirs: _Parts) -> str | None:
    said = _BULLET.sub("", unit).strip()
    if not any(_quotes(line, said) for line in theirs.ended):
        return f'it would no longer say "{clip(unit)}"'
    if not any(decide_opposites(said, other) is not None for other in theirs.current):
        return f'it would call "{clip(unit)}" superseded, and nothing that stays opposes it'
    return None


def _quotes(line: str, said: str) -> bool:
    quoted = rf"\s*[-*]\s+[\"\u201c]?{re.escape(said)}[\"\u201d]?{_ENDED}\s*"
    return re.fullmatch(quoted, line) is not None


def _find_other_ended(before: Sequence[str], after: Sequence[str], moved: Sequence[str]) -> str | None:
    """Return what the superseded part lost or says that never stood there."""
    said = [_BULLET.sub("", unit).strip() for unit in moved]
    gone = next((line for line in before if line not in after), None)
    if gone is not None:
        return f'it would no longer say "{clip(gone)}"'
    added = next((line for line in after if line not in before and not any(_quotes(line, one) for one in said)), None)
    return None if added is None else f'it would say "{clip(added)}"'
