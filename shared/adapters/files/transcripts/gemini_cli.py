"""Gemini CLI's JSON: one document a session, with `messages` of type user, gemini, info or error."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.whole_json import read_document
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

NAME = "gemini-cli"
_KINDS = {"user": EventKind.USER, "gemini": EventKind.ASSISTANT}


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file is one object with messages and a project's hash."""
    return any({"sessionId", "projectHash", "messages"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each message, numbered from 1."""
    document = read_document(path, progress)
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(messages, list):
        msg = f"{path} is not a session of Gemini CLI: it has no list of messages"
        raise BadInputError(msg)
    own = document.get("sessionId")
    session = own if isinstance(own, str) and own else name
    for number, message in enumerate(messages, 1):
        yield _item(number, session, message if isinstance(message, dict) else {})


def _item(number: int, session: str, message: dict[str, Any]) -> Item:
    own, what = message.get("id"), message.get("type")
    if not isinstance(own, str) or not isinstance(what, str):
        return MalformedLine(line=number, reason="a message without id or type")
    text = "\n".join(texts_of(message.get("content")))
    if what not in _KINDS or not text.strip():
        return SkippedLine(line=number, what=what[:40])
    at = parse_moment(message.get("timestamp"))
    return FoundEvent(line=number, session=session, event_id=own, kind=_KINDS[what], role=what, text=text, at=at)
