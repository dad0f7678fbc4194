"""The day on which a memory was written, as far as its text or its author tells: what a model is shown beside it.

The time stamp of a file does not count, and neither does the time of an import: a checkout or a copy sets the former, and
the latter says nothing about the author. Without a model, only what `find_spoken_on_day` finds is certain enough.
"""

import re
from datetime import date, datetime, time

from shared.core.dates.protected import blank_code_blocks
from shared.core.dates.spoken import Spoken, find_spoken
from shared.core.dates.stamps import find_stamps
from shared.core.memory.model import Author, Memory
from shared.core.memory.yaml_read import read_fields, split_frontmatter

#: What a frontmatter calls the day of its text; the first that holds a date counts.
_WRITTEN = ("updatedAt", "updated_at", "updated", "modified", "date")
#: A text of these kinds, or in such a folder, tells what to do on any day: "list what closes tonight".
_INSTRUCTIONS = re.compile(
    r"(?:how-?tos?|runbooks?|playbooks?|templates?|procedures?|macros?|checklists?|prompts?|instructions?|skills?|sops?)\Z",
    re.IGNORECASE,
)
_KINDS = ("type", "kind", "category")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t].*", re.MULTILINE)


def find_said_at(memory: Memory) -> datetime | None:
    """Return the moment that a memory's relative dates probably refer to, or None when nothing tells.

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


def find_entries(memory: Memory) -> tuple[Spoken, ...]:
    """Return the parts of a memory's text, without its frontmatter, that were certainly written on a day; see `find_spoken`.

    What a dream wrote last has none: it may have put a line of another day anywhere.
    """
    if memory.author is Author.DREAM or _is_instruction(memory.path, memory.content):
        return ()
    return find_spoken(split_frontmatter(memory.content).body)


def find_written_day(path: str, text: str) -> date | None:
    """Return the day on which a text says that it was written, or None when it names none or several.

    A dated file name comes first, then the frontmatter, then the first heading.

    Args:
        path: the path of the text; only the file's name counts.
        text: the whole text with its frontmatter.
    """
    named = _days_in(path.rpartition("/")[2])
    if named:
        return _only_one(named)
    fields = read_fields(text)
    written = next((day for day in (_as_day(fields.get(name)) for name in _WRITTEN) if day is not None), None)
    if written is not None:
        return written
    head = _HEADING.search(blank_code_blocks(split_frontmatter(text).body)[0])
    return _only_one(_days_in(head[0])) if head else None


def _is_instruction(path: str, text: str) -> bool:
    fields = read_fields(text)
    told = [str(fields.get(name, "")) for name in _KINDS]
    return any(_INSTRUCTIONS.match(one) for one in (*told, *path.split("/")[:-1]))


def _only_one(days: set[date]) -> date | None:
    return next(iter(days)) if len(days) == 1 else None


def _as_day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return _only_one(_days_in(value[:40])) if isinstance(value, str) else None


def _days_in(text: str) -> set[date]:
    return {one.day for one in find_stamps(text) if one.day is not None}
