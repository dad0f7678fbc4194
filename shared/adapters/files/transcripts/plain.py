"""The plain format for other hosts: JSONL of `{"role", "content", "at"}`, optionally with `"session"`, `"id"`, `"name"` and `"origin"`.

A JSON array of such objects, a common form of chat messages, is read like such lines.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.whole_json import read_document
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, parse_moment, texts_of

NAME = "plain"
_HEAD_BYTES = 1 << 12
_ORIGINS = frozenset(Origin)
_KINDS = {
    "user": EventKind.USER,
    "human": EventKind.USER,
    "assistant": EventKind.ASSISTANT,
    "ai": EventKind.ASSISTANT,
    "model": EventKind.ASSISTANT,
    "tool": EventKind.TOOL_RESULT,
    "function": EventKind.TOOL_RESULT,
    "system": EventKind.SYSTEM,
    "developer": EventKind.SYSTEM,
}


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether the first objects of a file have a role and content."""
    return any({"role", "content"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each line. A line without an id gets one from its number and text: files may only grow."""
    for found in _read_array(path, progress) if _is_array(path) else read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        role, content = line.get("role"), line.get("content")
        if not isinstance(role, str) or not isinstance(content, str | list):
            yield MalformedLine(line=number, reason="no role or no content")
            continue
        text = "\n".join(texts_of(content))
        own, session, name_of_speaker, origin = (line.get(key) for key in ("id", "session", "name", "origin"))
        yield FoundEvent(
            line=number,
            session=session if isinstance(session, str) and session else name,
            event_id=own if isinstance(own, str) and own else _made_id(number, role, text),
            kind=_KINDS.get(role.casefold(), EventKind.META),
            role=(name_of_speaker if isinstance(name_of_speaker, str) and name_of_speaker else role)[:80],
            text=text,
            at=parse_moment(line.get("at") or line.get("timestamp")),
            origin=Origin(origin) if isinstance(origin, str) and origin in _ORIGINS else None,
        )


def _is_array(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES).removeprefix(BOM_UTF8).lstrip().startswith(b"[")


def _read_array(path: Path, progress: Progress) -> Iterator[tuple[int, dict[str, Any]] | MalformedLine]:
    listed = read_document(path, progress)
    for number, entry in enumerate(listed if isinstance(listed, list) else [], 1):
        yield (number, entry) if isinstance(entry, dict) else MalformedLine(line=number, reason="no JSON object")


def _made_id(number: int, role: str, text: str) -> str:
    digest = blake2b(f"{role}\n{text}".encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"line-{number}-{digest}"
