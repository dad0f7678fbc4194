"""The day that a text gives for itself: the anchor of its relative dates.

A time of a file system is none, and neither is the time of an import: a checkout or a copy sets the one, and the other
says nothing about the author.
"""

import re
from datetime import date, datetime, time

from shared.core.memory.model import Author, Memory
from shared.core.memory.yaml_read import read_fields, split_frontmatter

#: What a frontmatter calls the day of its text; the first that holds a date counts.
_FIELDS = ("updatedAt", "updated_at", "updated", "modified", "date", "createdAt", "created_at", "created")
_ISO = re.compile(r"(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t].*", re.MULTILINE)


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
    return day or _only_one(_days_in("\n".join(_HEADING.findall(split_frontmatter(text).body))))


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
