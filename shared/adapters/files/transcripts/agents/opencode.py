"""OpenCode's sessions: what `opencode export` prints, and its folder `storage` with a file for each session, message and part."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, parse
from shared.adapters.files.transcripts.messages import as_kind, dumped, find_value, project_of, text_in
from shared.adapters.files.transcripts.whole_json import MAX_DOCUMENT_BYTES, read_document
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment

NAME = "opencode"
_PART = re.compile(r"/storage/(?:message|part|project|session_diff|todo|session_share)/")
_SPOKEN = {"user": EventKind.USER, "assistant": EventKind.ASSISTANT}


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file is an exported session, or the file of a session in the folder."""
    is_export = any({"info", "messages"} <= line.keys() and _is_session(line.get("info")) for line in head)
    return is_export or any({"id", "projectID", "directory", "time"} <= line.keys() for line in head)


def is_part(path: Path) -> bool:
    """Tell whether a file is read with the session that it belongs to."""
    place = path.as_posix()
    found = _PART.search(place)
    return found is not None and Path(place[: found.start()], "storage", "session").is_dir()


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for the session and one for each message, numbered from 1."""
    document = read_document(path, progress)
    held = document.get("messages") if isinstance(document, dict) else None
    info = document.get("info") if held is not None and isinstance(document, dict) else document
    session = text_in(info, "id") or name
    messages = held if isinstance(held, list) else list(_stored(path, text_in(info, "id")))
    is_sub = bool(text_in(info, "parentID"))
    yield SkippedLine(line=1, what="session", title=text_in(info, "title"), session=session)
    for number, message in enumerate(messages, 2):
        item = _item(number, session, message)
        yield as_kind(item, EventKind.SIDECHAIN) if is_sub else item


def find_project(path: Path) -> str:
    """Return the name of the project that a session was in."""
    return project_of(find_value(path, "directory"))


def _is_session(info: object) -> bool:
    return info is None or isinstance(info, dict)


def _stored(path: Path, session: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of a session from the files beside its own; their names are in order."""
    storage = next((folder for folder in path.parents if folder.name == "storage"), None)
    for file in _files(storage, "message", session):
        info = _load(file)
        parts = [_load(part) for part in _files(storage, "part", text_in(info, "id"))]
        yield {"info": info, "parts": parts}


def _files(storage: Path | None, kind: str, name: str) -> list[Path]:
    if storage is None or not re.fullmatch(r"\w{1,100}", name):
        return []
    return sorted(path for path in (storage / kind / name).glob("*.json") if path.is_file() and not path.is_symlink())


def _load(path: Path) -> object:
    try:
        return parse(path.read_bytes()) if path.stat().st_size <= MAX_DOCUMENT_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None


def _item(number: int, session: str, message: object) -> Item:
    info = message.get("info") if isinstance(message, dict) else None
    role, own = text_in(info, "role"), text_in(info, "id")
    if not isinstance(message, dict) or not isinstance(info, dict) or role not in _SPOKEN or not own:
        return MalformedLine(line=number, reason="a message without id or role, or a file that cannot be read")
    held = message.get("parts")
    parts = [part for part in held if isinstance(part, dict)] if isinstance(held, list) else []
    kind, text = _classify(_SPOKEN[role], parts)
    if kind is None:
        return SkippedLine(line=number, what=f"{role} without text")
    time = info.get("time")
    at = parse_moment(time.get("created") if isinstance(time, dict) else None)
    return FoundEvent(line=number, session=session, event_id=own, kind=kind, role=role, text=text, at=at)


def _classify(kind: EventKind, parts: list[dict[str, Any]]) -> tuple[EventKind | None, str]:
    """Return the texts of a message; what the program put into it counts only where there is nothing else."""
    texts = [(text_in(part, "text"), bool(part.get("synthetic") or part.get("ignored"))) for part in _of(parts, "text")]
    said = "\n".join(text for text, is_programs in texts if not is_programs)
    if said.strip():
        return kind, said
    calls = [f"{text_in(part, 'tool')} {dumped(part.get('state'))}" for part in _of(parts, "tool")]
    thoughts = [text_in(part, "text") for part in _of(parts, "reasoning")]
    others = (
        (EventKind.TOOL_CALL, calls),
        (EventKind.THINKING, thoughts),
        (EventKind.META, [text for text, _ in texts]),
    )
    return next(((other, "\n".join(found)) for other, found in others if "".join(found).strip()), (None, ""))


def _of(parts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [part for part in parts if part.get("type") == kind]
