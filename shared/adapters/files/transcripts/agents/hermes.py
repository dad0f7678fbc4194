"""Hermes' sessions: the snapshots `~/.hermes/sessions/session_*.json`, and what `hermes sessions export` writes, one a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import as_kind, read_message, text_in
from shared.adapters.files.transcripts.whole_json import is_document, read_document
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import Item, MalformedLine, SkippedLine, parse_moment

NAME = "hermes"
_SNAPSHOT, _EXPORT = (
    frozenset({"session_id", "session_start", "messages"}),
    frozenset({"id", "source", "started_at", "messages"}),
)
_PROGRAMS = frozenset({"cron"})


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file is a snapshot of a session, or has exported sessions."""
    return any(line.keys() >= _SNAPSHOT or line.keys() >= _EXPORT for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each session and one for each of its messages, numbered within it."""
    if is_document(path):
        yield from _items(read_document(path, progress), name)
        return
    for found in read_objects(path, progress):
        yield from [found] if isinstance(found, MalformedLine) else _items(found[1], f"{name}/{found[0]}")


def _items(document: object, name: str) -> Iterator[Item]:
    session = text_in(document, "session_id") or text_in(document, "id") or name
    held = document.get("messages") if isinstance(document, dict) else None
    messages = held if isinstance(held, list) else []
    start = (
        parse_moment(document.get("session_start") or document.get("started_at"))
        if isinstance(document, dict)
        else None
    )
    kind = text_in(document, "platform") or text_in(document, "source")
    is_programs, labels = kind in _PROGRAMS, {"kind": kind} if kind else {}
    yield SkippedLine(line=1, what="session", title=text_in(document, "title"), session=session, labels=labels)
    for number, message in enumerate(messages, 2):
        item = read_message(number, session, message, at=start)
        yield as_kind(item, EventKind.USER, Origin.MACHINE) if is_programs else item
