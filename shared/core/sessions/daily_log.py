"""Daily logs, `logs/YYYY/MM/YYYY-MM-DD.md` or `memory/YYYY-MM-DD.md`: append-only notes of an agent. Their entries are session events."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import PurePosixPath

from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent

#: The source of a session that is a daily log.
SOURCE = "daily-log"
#: The second place is that of OpenClaw and QwenPaw.
_PLACE = re.compile(r"(?:^|/)((?:logs/\d{4}/\d\d|memory)/\d{4}-\d\d-\d\d\.md)$")
_ENTRY = re.compile(r"[-*+] |#{1,6} |\d+[.)] ")
_MARK = re.compile(r"\A\s{0,3}(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_CLOCK_MARK = re.compile(r"\A[\[(*]{0,3}\d{1,2}:\d\d(?::\d\d)?\b[\])*:]{0,3}\s*(?:[-\u2013\u2014]\s+)?")
_CLOCK = re.compile(r"[-*+#\s\[(]{0,10}(\d{1,2}):(\d\d)(?::(\d\d))?\b")


def find_place(path: str) -> str | None:
    """Return the trailing `logs/YYYY/MM/YYYY-MM-DD.md` or `memory/YYYY-MM-DD.md` of a path, which names the log's session; or None."""
    place = _PLACE.search(path)
    return place[1] if place else None


def read_text(place: str, text: str, mask: Callable[[str], str] = str) -> Iterator[FoundEvent]:
    """Yield one item for each entry: a list item, a heading, or a paragraph, with the lines that belong to it.

    An entry is known by its text as it is stored, with secrets masked by `mask`: it comes back so when the log is written again.
    """
    seen: Counter[str] = Counter()
    midnight = _day(PurePosixPath(place).stem)
    at = midnight
    for number, entry in _entries(text):
        digest = blake2b(mask(entry).encode("utf-8", "replace"), digest_size=12).hexdigest()
        seen[digest] += 1
        at = _moment(midnight, entry) or at
        own = f"entry-{digest}-{seen[digest]}"
        yield FoundEvent(line=number, session=place, event_id=own, kind=EventKind.LOG, role="agent", text=entry, at=at)


def bare_entry(entry: str) -> str:
    """Return the words of an entry without its bullet and the time of day that it begins with."""
    words = _MARK.sub("", entry.strip(), count=1)
    return _CLOCK_MARK.sub("", words, count=1)


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number of its first line, entry)."""
    first, lines = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if lines and (not line.strip() or _ENTRY.match(line)):
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            first = number if not lines else first
            lines.append(line.rstrip())
    if lines:
        yield first, "\n".join(lines)


def _day(raw: str) -> datetime | None:
    try:
        return datetime.strptime(raw, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def _moment(midnight: datetime | None, entry: str) -> datetime | None:
    clock = _CLOCK.match(entry)
    if midnight is None or clock is None:
        return None
    hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return midnight.replace(hour=hour, minute=minute, second=second)
