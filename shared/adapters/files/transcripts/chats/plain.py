"""The plain format for other hosts: JSONL of `{"role", "content", "at"}`, optionally with `"session"`, `"id"`, `"name"` and `"origin"`.

Read as such lines are: a JSON array of such objects; the list `messages` of an object, as OpenAI's API, LangGraph and many
frameworks keep a conversation, alone or one a line; and LangChain's messages, which have a `type`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import read_message, text_in
from shared.adapters.files.transcripts.whole_json import is_document, read_document
from shared.core.sessions.transcript import Item, MalformedLine

NAME = "plain"
#: LangChain's names for who speaks, which its messages have instead of a role.
_LANGCHAIN = frozenset({"human", "ai", "system", "tool", "function", "developer", "chat"})
_SESSIONS = ("session", "thread_id", "conversation_id", "session_id", "id")


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether the first objects of a file have a role and content, or a list of messages that do."""
    return any(map(_is_message, (*head, *(message for line in head for message in _messages_in(line) or []))))


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each message. One without an id gets one from its number and text: files may only grow."""
    objects = _read_whole(path, progress) if is_document(path) else read_objects(path, progress)
    for found in objects:
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        messages = _messages_in(line)
        if messages is None:
            yield read_message(number, text_in(line, "session") or name, _plain(line))
            continue
        session = next(
            (own for key in _SESSIONS if (own := text_in(line, key))), name if number == 1 else f"{name}/{number}"
        )
        for place, message in enumerate(messages, 1):
            yield read_message(place, session, _plain(message))


def _read_whole(path: Path, progress: Progress) -> Iterator[tuple[int, dict[str, Any]] | MalformedLine]:
    document = read_document(path, progress)
    for number, entry in enumerate(document if isinstance(document, list) else [document], 1):
        yield (number, entry) if isinstance(entry, dict) else MalformedLine(line=number, reason="no JSON object")


def _messages_in(line: dict[str, Any]) -> list[object] | None:
    """Return the messages of a conversation, also where LangGraph and OpenAI's threads keep them; None if it is none."""
    values = line.get("values")
    listed = (line.get("messages"), values.get("messages") if isinstance(values, dict) else None, line.get("data"))
    return next((one for one in listed if isinstance(one, list)), None)


def _is_message(line: object) -> bool:
    message = _plain(line)
    if not isinstance(message, dict):
        return False
    is_called = "role" in message or text_in(message, "type") in _LANGCHAIN
    return is_called and bool({"content", "tool_calls"} & message.keys())


def _plain(message: object) -> object:
    """Return a message of LangChain in the plain form, and any other as it is."""
    if not isinstance(message, dict):
        return message
    kwargs, data, kinds = message.get("kwargs"), message.get("data"), message.get("id")
    if isinstance(kwargs, dict) and isinstance(kinds, list) and kinds:
        return {"role": str(kinds[-1]).lower().removesuffix("chunk").removesuffix("message"), **kwargs}
    if isinstance(data, dict) and text_in(message, "type") in _LANGCHAIN:
        return {"role": message["type"], **data}
    return message
