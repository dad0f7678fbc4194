"""Sessions of OpenClaw and Pi: a line about the session, then one line per entry.

OpenClaw keeps them in `~/.openclaw/agents/*/sessions/*.jsonl`, Pi in `~/.pi/agent/sessions/*/*.jsonl`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import as_kind, find_value, make_id, project_of, read_message, text_in
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

NAME = "openclaw"
_ENTRIES = frozenset({"message", "model_change", "thinking_level_change", "compaction", "custom", "custom_message"})
_LIST = "sessions.json"
_TOLD = {
    "compaction": EventKind.SUMMARY,
    "branch_summary": EventKind.SUMMARY,
    "branchSummary": EventKind.SUMMARY,
    "compactionSummary": EventKind.SUMMARY,
    "custom_message": EventKind.META,
    "bashExecution": EventKind.COMMAND,
}
#: Where OpenClaw says that a message came from when no person sent it.
_PROGRAMS = frozenset({"inter_session", "internal_system"})


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file begins with a session's line, or has entries of one."""
    is_session = any(line.get("type") == "session" and {"id", "timestamp"} <= line.keys() for line in head[:1])
    return is_session or any(text_in(line, "type") in _ENTRIES and "parentId" in line for line in head)


def is_part(path: Path) -> bool:
    """Tell whether a file is the list of the sessions that lie beside it, as OpenClaw and Hermes keep one."""
    return path.name == _LIST and path.parent.name == _LIST.removesuffix(".json")


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each line."""
    session = name
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        if line.get("type") == "session" and number == 1:
            session = text_in(line, "id") or name
        yield _item(number, session, line)


def find_project(path: Path) -> str:
    """Return the name of the project that a session was in."""
    return project_of(find_value(path, "cwd"))


def _item(number: int, session: str, line: dict[str, Any]) -> Item:
    what, message, at = text_in(line, "type"), line.get("message"), parse_moment(line.get("timestamp"))
    told = message if what == "message" else line
    kind = _TOLD.get(text_in(message, "role") if what == "message" else what)
    own = text_in(line, "id")
    if kind is not None and isinstance(told, dict):
        said = (told.get(key) for key in ("summary", "content", "command", "output"))
        text = "\n".join(text for value in said for text in texts_of(value))
        event_id = own or make_id(number, kind, text)
        return FoundEvent(line=number, session=session, event_id=event_id, kind=kind, role="system", text=text, at=at)
    if what != "message":
        return SkippedLine(
            line=number, what=what[:40] or "no type", title=text_in(line, "name") if what == "session_info" else ""
        )
    if isinstance(message, dict):
        message = {**message, "id": own, "timestamp": line.get("timestamp") or message.get("timestamp")}
    item = read_message(number, session, message, at=at)
    sent = message.get("provenance") if isinstance(message, dict) else None
    return as_kind(item, EventKind.USER, Origin.MACHINE) if text_in(sent, "kind") in _PROGRAMS else item
