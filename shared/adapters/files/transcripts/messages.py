"""Messages in the form that most hosts share: a role, and content that is a text or a list of blocks."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

_KINDS = {
    **dict.fromkeys(("user", "human"), EventKind.USER),
    **dict.fromkeys(("assistant", "ai", "model"), EventKind.ASSISTANT),
    **dict.fromkeys(("tool", "function", "toolresult"), EventKind.TOOL_RESULT),
    **dict.fromkeys(("system", "developer"), EventKind.SYSTEM),
}
_ORIGINS = frozenset(Origin)
_ROLES, _IDS = ("role", "sender", "type"), ("id", "uuid")
_TIMES = ("at", "timestamp", "created_at", "create_time", "ts")
#: What the blocks of a message call a tool's use, its result, and a thought.
_CALLS = ("tool_use", "toolCall", "tool_call", "tool-call", "function_call")
_RESULTS = ("tool_result", "tool-result")
_THOUGHTS = ("thinking", "reasoning")
_MAX_ROLE_CHARS = 80
_HEAD_BYTES = 1 << 18


def read_lines(path: Path, progress: Progress, read: Callable[[int, dict[str, Any]], Item]) -> Iterator[Item]:
    """Yield what `read` makes of the number and the object of each line of a file."""
    for found in read_objects(path, progress):
        yield found if isinstance(found, MalformedLine) else read(*found)


def read_message(line: int, session: str, message: object, *, at: datetime | None = None) -> Item:
    """Return the event of a message; `at` is its time if it has none of its own.

    Texts come first: a message with texts and calls is what its texts say. A message without an id gets one from its number
    and text: a list of such messages may only grow.
    """
    if not isinstance(message, dict):
        return MalformedLine(line=line, reason="no JSON object")
    role, content = _first(message, _ROLES), message.get("content")
    calls = message.get("tool_calls") or message.get("function_call")
    if role is None or not (isinstance(content, str | list) or calls):
        return MalformedLine(line=line, reason="no role or no content")
    kind, text = _classify(role, content, calls)
    if kind is None:
        return SkippedLine(line=line, what=f"{role[:40]} without text")
    own, name, origin = _first(message, _IDS), message.get("name"), message.get("origin")
    moments = (parse_moment(message.get(key)) for key in _TIMES)
    return FoundEvent(
        line=line,
        session=session,
        event_id=own or make_id(line, role, text),
        kind=kind,
        role=(name if isinstance(name, str) and name and kind is not EventKind.TOOL_RESULT else role)[:_MAX_ROLE_CHARS],
        text=text,
        at=next((moment for moment in moments if moment), at),
        origin=Origin(origin) if isinstance(origin, str) and origin in _ORIGINS else None,
    )


def as_kind(item: Item, kind: EventKind, origin: Origin | None = None, *, of: EventKind = EventKind.USER) -> Item:
    """Return what looks like a person's words, or an event of another kind, as what a format knows it to be."""
    if not isinstance(item, FoundEvent) or item.kind is not of:
        return item
    return replace(item, kind=kind, origin=origin or item.origin)


def make_id(line: int, role: str, text: str) -> str:
    """Return an id for an event without one, from its number, its speaker and its text."""
    digest = blake2b(f"{role}\n{text}".encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"line-{line}-{digest}"


def find_value(path: Path, key: str) -> str:
    """Return the first text of this name near the beginning of a transcript, as it is written in JSON; empty without one."""
    with path.open("rb") as file:
        found = re.search(rb'"%s"\s*:\s*"((?:[^"\\]|\\.){1,1000})"' % key.encode(), file.read(_HEAD_BYTES))
    return found[1].decode("utf-8", "replace") if found else ""


def project_of(folder: str) -> str:
    """Return the name of a project by its folder, as Claude Code makes it: `/srv/me/shop` is `-srv-me-shop`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", folder)


def text_in(value: object, key: str) -> str:
    """Return a text of an object; empty if either is something else."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def dumped(value: object) -> str:
    """Return a value as JSON, or what it prints as; a text as it is."""
    if isinstance(value, str):
        return value
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return str(value)


def _first(message: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((value for key in keys if isinstance(value := message.get(key), str) and value), None)


def _classify(role: str, content: object, calls: object) -> tuple[EventKind | None, str]:
    kind, texts = _KINDS.get(role.casefold(), EventKind.META), texts_of(content)
    if "".join(texts).strip():
        return kind, "\n".join(texts)
    results = blocks(content, *_RESULTS)
    if results:
        parts = (part for block in results for part in texts_of(block.get("content") or block.get("output")))
        return EventKind.TOOL_RESULT, "\n".join(parts)
    called = blocks(content, *_CALLS)
    if called:
        return EventKind.TOOL_CALL, "\n".join(map(_call, called))
    thoughts = [text_in(block, "thinking") or text_in(block, "text") for block in blocks(content, *_THOUGHTS)]
    if thoughts:
        return EventKind.THINKING, "\n".join(thoughts)
    return (EventKind.TOOL_CALL, dumped(calls)) if calls else (None, "")


def blocks(content: object, *kinds: str) -> list[dict[str, Any]]:
    """Return the blocks of a message's content of some types."""
    listed = content if isinstance(content, list) else []
    return [block for block in listed if isinstance(block, dict) and text_in(block, "type") in kinds]


def _call(block: dict[str, Any]) -> str:
    name = text_in(block, "name") or text_in(block, "toolName") or text_in(block, "tool")
    given = next((block[key] for key in ("input", "arguments", "args") if key in block), None)
    return f"{name} {dumped(given)}"
