"""Gemini CLI's sessions, with messages of type user, gemini, info or error.

A session is one document or, in newer versions, a line for each message below a line about the session.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import text_in
from shared.adapters.files.transcripts.whole_json import is_document, read_document
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

NAME = "gemini-cli"
_KINDS = {"user": EventKind.USER, "gemini": EventKind.ASSISTANT}


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file has a session's id and its project's hash."""
    return any({"sessionId", "projectHash"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each message, numbered from 1, or for each line."""
    if is_document(path):
        yield from _read_whole(read_document(path, progress), path, name)
        return
    session = name
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
        elif "messages" in found[1]:
            yield from _read_whole(found[1], path, name)
        elif "type" not in found[1]:
            session = text_in(found[1], "sessionId") or session
            yield SkippedLine(line=found[0], what="session")
        else:
            yield _item(found[0], session, found[1])


def _read_whole(document: object, path: Path, name: str) -> Iterator[Item]:
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list):
        msg = f"{path} is not a session of Gemini CLI: it has no list of messages"
        raise BadInputError(msg)
    session = text_in(document, "sessionId") or name
    for number, message in enumerate(messages, 1):
        yield _item(number, session, message if isinstance(message, dict) else {})


def _item(number: int, session: str, message: dict[str, Any]) -> Item:
    own, what = message.get("id"), message.get("type")
    if not isinstance(own, str) or not own or not isinstance(what, str):
        return MalformedLine(line=number, reason="a message without id or type")
    text = "\n".join(texts_of(message.get("content")))
    if what not in _KINDS or not text.strip():
        return SkippedLine(line=number, what=what[:40])
    at = parse_moment(message.get("timestamp"))
    return FoundEvent(line=number, session=session, event_id=own, kind=_KINDS[what], role=what, text=text, at=at)
