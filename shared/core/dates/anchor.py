"""The day that a text gives for itself: the anchor of its relative dates.

The time stamp of a file does not count, and neither does the time of an import: a checkout or a copy sets the former, and
the latter says nothing about the author.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from shared.core.dates.arithmetic import nearest_of_year
from shared.core.dates.protected import blank_code_blocks
from shared.core.dates.words import MONTH, read_month
from shared.core.memory.model import Author, Memory
from shared.core.memory.yaml_read import read_fields, split_frontmatter

#: What a frontmatter calls the day of its text; the first that holds a date counts.
_WRITTEN = ("updatedAt", "updated_at", "updated", "modified", "date")
#: The day of its first line. A longer text has grown since, and so has one with a status or a later day: the day of each line
#: is unknown.
_BEGUN = ("createdAt", "created_at", "created")
#: So many characters are a note of one sitting. In fresh stores, three of eleven dates of longer texts were right.
_WRITTEN_AT_ONCE = 400
_MONTH_DAY = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\s(?P<of>{MONTH})|(?P<month>{MONTH})\s(?P<nth>\d{{1,2}}))\b(?!,?\s\d{{4}})", re.IGNORECASE
)
#: A text of these kinds, or in such a folder, tells what to do on any day: "list what closes tonight".
_INSTRUCTIONS = re.compile(
    r"(?:how-?tos?|runbooks?|playbooks?|templates?|procedures?|macros?|checklists?|prompts?|instructions?|skills?|sops?)\Z",
    re.IGNORECASE,
)
_KINDS = ("type", "kind", "category")
_ISO = re.compile(r"(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t].*", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedSection:
    """The part of a text, `text[start:end]`, that its own heading dates."""

    start: int
    end: int
    said_at: datetime


def find_said_at(memory: Memory) -> datetime | None:
    """Return the moment that a memory's relative dates refer to, or None when it is unknown.

    When a dream wrote it last, "yesterday" was said on another day. Of an imported one only its own text tells the day.
    Every other one was said when it was written, unless its text names a day. A day has no time zone: it is local. What
    tells how to do something speaks of any day.
    """
    if memory.author is Author.DREAM or _is_instruction(memory.path, memory.content):
        return None
    day = find_written_day(memory.path, memory.content)
    if day is not None:
        return datetime.combine(day, time(12))
    return None if memory.author is Author.IMPORT else memory.updated_at


def find_written_day(path: str, text: str) -> date | None:
    """Return the day on which a text says that it was written, or None when it names none or several.

    A dated file name comes first, then the frontmatter, then the first heading. The day on which a text was begun counts for
    a short note alone.

    Args:
        path: the path of the text; only the file's name counts.
        text: the whole text with its frontmatter.
    """
    named = _days_in(path.rpartition("/")[2])
    if named:
        return _only_one(named)
    fields, body = read_fields(text), split_frontmatter(text).body
    written, begun = _first_day(fields, _WRITTEN), _first_day(fields, _BEGUN)
    if written is not None:
        return written
    if begun is not None:
        is_kept_up = len(body.strip()) > _WRITTEN_AT_ONCE or "status" in fields or _names_later(body, begun)
        return None if is_kept_up else begun
    heads = _headings(body)
    return _only_one(_days_in("\n".join(heads))) if heads and _days_in(heads[0]) else None


def find_dated_sections(memory: Memory) -> tuple[DatedSection, ...]:
    """Return the sections of a memory that their headings date; none where one day holds for the whole text.

    A section ends at the next heading of its level or above, and at the next one with a date. What a dream wrote last
    has none: it may have put a line of another day anywhere.
    """
    if memory.author is Author.DREAM or _days_in(memory.path.rpartition("/")[2]):
        return ()
    return find_sections(memory.content)


def find_sections(text: str) -> tuple[DatedSection, ...]:
    """Return the sections of a text that their headings date; none when a block of code is not closed.

    The first heading is that of the whole text: where no other names another day, there are no sections. A line of code that
    looks like a heading is none.
    """
    prose, is_closed = blank_code_blocks(text)
    if not is_closed:
        return ()
    heads = [(found.start(), len(found[1]), _only_one(_days_in(found[0]))) for found in _HEADING.finditer(prose)]
    if not heads or len({day for _, _, day in heads if day is not None}) < (1 if heads[0][2] is None else 2):
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


def _is_instruction(path: str, text: str) -> bool:
    fields = read_fields(text)
    told = [str(fields.get(name, "")) for name in _KINDS]
    return any(_INSTRUCTIONS.match(one) for one in (*told, *path.split("/")[:-1]))


def _first_day(fields: Mapping[str, object], names: Sequence[str]) -> date | None:
    return next((day for day in (_as_day(fields.get(name)) for name in names) if day is not None), None)


def _names_later(text: str, begun: date) -> bool:
    """Tell whether a text names a day after the one on which it was begun; a day without a year is the nearest one."""
    days = _days_in(text)
    for found in _MONTH_DAY.finditer(text):
        day = nearest_of_year(begun, read_month(found["of"] or found["month"]), int(found["day"] or found["nth"]))
        days |= {day} if day is not None else set()
    return any(day > begun for day in days)


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
