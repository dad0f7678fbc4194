"""The day that a text gives for itself: the anchor of its relative dates.

The time stamp of a file does not count, and neither does the time of an import: a checkout or a copy sets the former, and
the latter says nothing about the author.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time

from shared.core.dates.protected import blank_code_blocks
from shared.core.memory.model import Author, Memory
from shared.core.memory.yaml_read import read_fields, split_frontmatter

#: What a frontmatter calls the day of its text; the first that holds a date counts.
_FIELDS = ("updatedAt", "updated_at", "updated", "modified", "date", "createdAt", "created_at", "created")
_ISO = re.compile(r"(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t].*", re.MULTILINE)
#: A text whose headings name fewer days has one day for all of it.
_FEWEST_DAYS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedSection:
    """The part of a text, `text[start:end]`, that its own heading dates."""

    start: int
    end: int
    said_at: datetime


def find_said_at(memory: Memory) -> datetime | None:
    """Return the moment that a memory's relative dates refer to, or None when it is unknown.

    When a dream wrote it last, "yesterday" was said on another day. Of an imported one only its own text tells the day.
    Every other one was said when it was written, unless its text names a day. A day has no time zone: it is local.
    """
    if memory.author is Author.DREAM:
        return None
    day = find_written_day(memory.path, memory.content)
    if day is not None:
        return datetime.combine(day, time(12))
    return None if memory.author is Author.IMPORT else memory.updated_at


def find_written_day(path: str, text: str) -> date | None:
    """Return the day on which a text says that it was written, or None when it names none or several.

    A dated file name comes first, then the frontmatter, then a dated heading.

    Args:
        path: the path of the text; only the file's name counts.
        text: the whole text with its frontmatter.
    """
    named = _days_in(path.rpartition("/")[2])
    if named:
        return _only_one(named)
    fields = read_fields(text)
    told = (_as_day(fields.get(name)) for name in _FIELDS)
    day = next((day for day in told if day is not None), None)
    return day or _only_one(_days_in("\n".join(_headings(split_frontmatter(text).body))))


def find_dated_sections(memory: Memory) -> tuple[DatedSection, ...]:
    """Return the sections of a memory whose headings name different days; none where one day holds for the whole text.

    A section ends at the next heading of its level or above, and at the next one with a date. What a dream wrote last
    has none: it may have put a line of another day anywhere.
    """
    if memory.author is Author.DREAM or _days_in(memory.path.rpartition("/")[2]):
        return ()
    return find_sections(memory.content)


def find_sections(text: str) -> tuple[DatedSection, ...]:
    """Return the sections of a text whose headings name different days; none when a block of code is not closed.

    A line of code that looks like a heading is none.
    """
    prose, is_closed = blank_code_blocks(text)
    if not is_closed:
        return ()
    heads = [(found.start(), len(found[1]), _only_one(_days_in(found[0]))) for found in _HEADING.finditer(prose)]
    if len({day for _, _, day in heads if day is not None}) < _FEWEST_DAYS:
        return ()
    sections: list[DatedSection] = []
    open_section: tuple[int, int, date] | None = None
    for start, level, day in [*heads, (len(text), 0, None)]:
        if open_section is not None and (level <= open_section[1] or day is not None):
            begin, _, its = open_section
            sections.append(DatedSection(start=begin, end=start, said_at=datetime.combine(its, time(12))))
            open_section = None
        if day is not None:
            open_section = (start, level, day)
    return tuple(sections)


def _headings(body: str) -> list[str]:
    return [found[0] for found in _HEADING.finditer(blank_code_blocks(body)[0])]


def _only_one(days: set[date]) -> date | None:
    return next(iter(days)) if len(days) == 1 else None


def _as_day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return _only_one(_days_in(value[:40])) if isinstance(value, str) else None


def _days_in(text: str) -> set[date]:
    days = set()
    for found in _ISO.findall(text):
        try:
            days.add(date.fromisoformat(found))
        except ValueError:  # the 31st of June
            continue
    return days
