"""nanobot's sessions (`workspace/sessions/*.jsonl`, below a line about the session) and its history (`memory/history.jsonl`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import as_kind, make_id, read_message, text_in
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment

NAME = "nanobot"
#: The beginnings of the keys of sessions that a program began.
_PROGRAMS = ("cron:", "heartbeat", "dream:", "system:")


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file begins with a session's line, or has entries of the history."""
    is_session = any(line.get("_type") == "metadata" for line in head[:1])
    return is_session or any({"cursor", "content"} <= line.keys() and "role" not in line for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each line. An entry of the history is what the agent noted of its sessions, as in a daily log."""
    session = name
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        if line.get("_type") == "metadata":
            session = text_in(line, "key") or session
            kind = session.partition(":")[0] if session.startswith(_PROGRAMS) else ""
            labels = {"kind": kind} if kind else {}
            yield SkippedLine(line=number, what="metadata", session=session, labels=labels)
        elif "role" in line:
            item = read_message(number, session, line)
            yield as_kind(item, EventKind.USER, Origin.MACHINE) if session.startswith(_PROGRAMS) else item
        else:
            yield _entry(number, session, line)


def _entry(number: int, session: str, line: dict[str, Any]) -> Item:
    text, cursor = text_in(line, "content"), line.get("cursor")
    if not text.strip():
        return MalformedLine(line=number, reason="no role, or an entry without content")
    own = f"entry-{cursor}" if isinstance(cursor, int) else make_id(number, "agent", text)
    at = parse_moment(line.get("timestamp"))
    return FoundEvent(line=number, session=session, event_id=own, kind=EventKind.LOG, role="agent", text=text, at=at)
