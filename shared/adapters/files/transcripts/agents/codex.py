"""Codex CLI's rollouts (`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`): one line per item, below a line about the session.

What people and the model say stands there twice: once as the item that the model got or gave, and once as an event for the
screen. The items are read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import (
    as_kind,
    dumped,
    find_value,
    make_id,
    project_of,
    read_message,
    text_in,
)
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

NAME = "codex"
_ROLLOUT = "rollout-"
_META, _ITEM, _COMPACTED = "session_meta", "response_item", "compacted"
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_PARTS = ("arguments", "input", "action")


def recognizes(path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file begins as a rollout does; the oldest have no type in their first line."""
    is_old = path.name.startswith(_ROLLOUT) and any(
        {"id", "timestamp", "instructions"} <= line.keys() for line in head[:1]
    )
    return is_old or any(line.get("type") in (_META, _ITEM) and "payload" in line for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each line. A session that goes on from another one repeats the other's first line, which is not its own."""
    session, is_sub = "", False
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        payload = line.get("payload", line)
        what = text_in(line, "type") if payload is not line else _ITEM if "type" in line else _META
        if not session and what == _META:
            session = text_in(payload, "id")
            is_sub = isinstance(payload, dict) and isinstance(payload.get("source"), dict)
        item = _item(number, session or name, what, payload, line)
        # A session of a sub-agent names what began it: its prompt is the agent's.
        yield as_kind(item, EventKind.SIDECHAIN) if is_sub else item


def find_project(path: Path) -> str:
    """Return the name of the project that a rollout was recorded in."""
    return project_of(find_value(path, "cwd"))


def find_branch(path: Path) -> str:
    """Return the branch that a rollout begins on; empty if the file tells none."""
    return find_value(path, "branch")


def _item(number: int, session: str, what: str, payload: object, line: dict[str, Any]) -> Item:
    at = parse_moment(line.get("timestamp"))
    kind, text = (EventKind.CONTINUED, text_in(payload, "message")) if what == _COMPACTED else _classify(payload)
    if what in (_ITEM, _COMPACTED) and kind is not None:
        event_id = make_id(number, kind, text)
        role = "tool" if kind is EventKind.TOOL_RESULT else "assistant"
        return FoundEvent(line=number, session=session, event_id=event_id, kind=kind, role=role, text=text, at=at)
    if what == _ITEM and isinstance(payload, dict) and "role" in payload:
        return read_message(number, session, payload, at=at)
    inner = text_in(payload, "type")
    return SkippedLine(line=number, what=(inner or what or "no type")[:40])


def _classify(payload: object) -> tuple[EventKind | None, str]:
    """Return the kind and the text of what is no message; None for a message."""
    what = text_in(payload, "type")
    if not isinstance(payload, dict) or what == "message":
        return None, ""
    if what in _RESULTS:
        return EventKind.TOOL_RESULT, "\n".join(texts_of(payload.get("output"))) or dumped(payload.get("output"))
    if what in _CALLS:
        given = next((payload[key] for key in _PARTS if key in payload), "")
        return EventKind.TOOL_CALL, f"{text_in(payload, 'name') or what} {dumped(given)}"
    if what == "reasoning":
        listed = payload.get("summary")
        return EventKind.THINKING, "\n".join(
            text_in(part, "text") for part in (listed if isinstance(listed, list) else [])
        )
    return None, ""
