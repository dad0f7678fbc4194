"""Find who spoke when: the day of each part of a text, by its nearest stamp or heading; and what a day's own file says of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from shared.core.dates.protected import blank_code_blocks
from shared.core.dates.stamps import Stamp, find_stamps
from shared.core.dates.words import SHORT_WEEKDAY
from shared.languages.language_file import pattern_of

#: A text under such a heading, or in such a folder, does not say what happened on a day: it is a rule, an example or a story.
NO_SPEECH = pattern_of("no_speech")
#: A heading that names another day than the one on which its section was written.
_OTHER_DAY = pattern_of("other_days", rf"<>|\b{SHORT_WEEKDAY}\b")
_WEEKDAY = re.compile(rf"\b{SHORT_WEEKDAY}\b,?", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]")
#: A line that is nothing but a stamp heads what follows: "**2026-03-04 10:22**".
_ONLY_STAMP = re.compile(r"[\s*_\[\]():|\u2014-]*\Z")
_BENEATH_HEADINGS = 7
#: Agents write such a file during its day; a diary elsewhere may be written the morning after. A minute in a name is a machine's.
_OF_DAY = re.compile(r"(?:\A|/)memory/(?:[^/]+/)*\d{4}-\d{2}-\d{2}(?![-_T]?\d)[^/]*\Z")
#: A time in a zone or with seconds, near the beginning of a line: a machine's clock, by which the day may be another one.
_MACHINE = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2}|(?:\s?[AP]M)?\s?\(?(?:Z\b|[+-]\d|[A-Z]{3,4}\b))")
#: In front of the stamp of an entry: a bracket, or nothing but its bullet and who speaks; and the name of the weekday.
_BEFORE_STAMP = re.compile(
    r"(?:\[|\A[ \t]*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?(?:[^\W\d_]{1,20}:\s+)?[*_`\[(\u3010]{0,4})"
    rf"(?:{SHORT_WEEKDAY},?\s+)?\Z",
    re.IGNORECASE,
)
_BEHIND_STAMP = re.compile(r"(?:\s?\(?[A-Z]{2,5}\)?|\s?(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)?[*_`\])\u3011:|\u2014\s-]*")
#: So much of a line is searched for its stamp, and for a time of day.
_REACH, _BEGINNING = 400, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A part of a text, `text[start:end]`, that was written on one day: `said_at`, a local moment without a zone."""

    start: int
    end: int
    said_at: datetime


@dataclass(frozen=True, slots=True)
class _Head:
    """A heading, or a line with nothing but a stamp: its level, its words and the stamps in it."""

    level: int
    words: str
    stamps: tuple[Stamp, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    under: tuple[_Head, ...]
    own: Stamp | None  # of the line itself or of the entry that it belongs to

    @property
    def stamps(self) -> tuple[Stamp, ...]:
        """The stamp that the line begins with, and those of all heads above it."""
        return (*((self.own,) if self.own else ()), *(stamp for head in self.under for stamp in head.stamps))

    def find_moment(self) -> datetime | None:
        """Return when the line was written, by its own stamp or by the nearest head that has any."""
        if self.own is not None:
            return self.own.said_at
        stamps = next((head.stamps for head in reversed(self.under) if head.stamps), ())
        return stamps[0].said_at if len({_date_of(one) for one in stamps}) == 1 else None


def find_spoken(text: str) -> tuple[Spoken, ...]:
    """Return the parts of a text, without its frontmatter, whose nearest stamp or heading names a day, in order.

    None are returned for a text with a block of code that is not closed: what is code and what is not cannot be told.
    """
    prose, is_whole = blank_code_blocks(text)
    found: list[Spoken] = []
    for line in _read_lines(prose) if is_whole else ():
        moment = line.find_moment()
        if moment is None:
            continue
        if found and found[-1].end == line.start and found[-1].said_at == moment and line.own is None:
            found[-1] = replace(found[-1], end=line.end)
        else:
            found.append(Spoken(start=line.start, end=line.end, said_at=moment))
    return tuple(found)


def find_spoken_on_day(path: str, text: str) -> tuple[Spoken, ...]:
    """Return the lines of a text that tell of the day by which an agent's file is named, in order.

    None are returned where any stamp of the text is of another day, or where a machine's clock stands in it: such files are named
    by machines, too. What plans, instructs or tells a story says nothing of a day.

    Args:
        path: the path of the text: only a file such as `memory/2026-03-04.md` or `memory/2026-03-04-trip.md` has lines.
        text: the text without its frontmatter.
    """
    days = {one.day for one in find_stamps(path.rpartition("/")[2])}
    prose, is_whole = blank_code_blocks(text)
    if not _OF_DAY.search(path) or len(days) != 1 or not is_whole or NO_SPEECH.search(re.sub(r"[/_.-]", " ", path)):
        return ()
    day, lines = days.pop(), list(_read_lines(prose))
    named = {_date_of(stamp) for line in lines for stamp in line.stamps}
    if day is None or named - {day} or any(_MACHINE.search(line[:_BEGINNING]) for line in prose.splitlines()):
        return ()
    said_at = datetime.combine(day, time(12))
    told = (line for line in lines if not any(_is_closed(head) for head in line.under))
    return tuple(Spoken(start=line.start, end=line.end, said_at=said_at) for line in told)


def find_stamped(text: str) -> Stamp | None:
    """Return the stamp that a message begins with, or that stands in brackets on its first line; None where it has none."""
    return _stamp_of(text.lstrip().partition("\n")[0])


def skip_stamp(line: str) -> int:
    """Return where the words of a line begin, behind the stamp of its entry; 0 where it has none."""
    stamp = _stamp_of(line)
    behind = _BEHIND_STAMP.match(line, stamp.end) if stamp else None
    return behind.end() if behind else 0


def _is_closed(head: _Head) -> bool:
    return bool(NO_SPEECH.search(head.words) or _OTHER_DAY.search(head.words))


def _read_lines(text: str) -> Iterator[_Line]:
    """Yield each line that is no heading."""
    under: tuple[_Head, ...] = ()
    entry: tuple[int, Stamp] | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        head = _head_of(line)
        if head is not None:
            entry = None
            under = (*(one for one in under if one.level < head.level), head)
            continue
        stamp = _stamp_of(line)
        indent = len(line) - len(line.lstrip())
        if not line.strip() or (entry is not None and indent <= entry[0]):
            entry = None
        entry = (indent, stamp) if stamp is not None else entry
        yield _Line(start, at, under, entry[1] if entry else None)


def _head_of(line: str) -> _Head | None:
    """Return the head of what follows: a heading, or a line with nothing but a stamp; None for any other line."""
    heading = _HEADING.match(line)
    stamps = find_stamps(line)
    words = line
    for one in reversed(stamps):
        words = words[: one.start] + words[one.end :]
    if stamps:
        words = _WEEKDAY.sub("", words)
    if heading is None:
        return _Head(_BENEATH_HEADINGS, "", stamps) if len(stamps) == 1 and _ONLY_STAMP.match(words) else None
    return _Head(len(heading[1]), words, stamps)


def _date_of(stamp: Stamp) -> date | None:
    return stamp.said_at.date() if stamp.said_at else None


def _stamp_of(line: str) -> Stamp | None:
    """Return the stamp of an entry, at its head or in brackets; one without a moment where the line has stamps of several days."""
    stamps = find_stamps(line[:_REACH])
    own = next((one for one in stamps if _BEFORE_STAMP.search(line[: one.start])), None)
    if own is None:
        return None
    return own if len({_date_of(one) for one in stamps}) == 1 else replace(own, said_at=None)
