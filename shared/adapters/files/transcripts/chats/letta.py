"""Letta's agent files (`*.af`): the messages of agents. `slowwave import` takes their memory blocks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.messages import as_kind, read_message, text_in
from shared.adapters.files.transcripts.whole_json import read_document
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import Item, SkippedLine, texts_of

NAME = "letta"
_SUFFIX = ".af"
#: What a packed message calls itself when a person wrote it; login and heartbeat are the program's.
_SPOKEN = "user_message"


def recognizes(path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file is one of agents, by its name or by what it holds."""
    return is_named(path) or any(
        {"agents", "blocks"} <= line.keys() or {"core_memory", "messages"} <= line.keys() for line in head
    )


def is_named(path: Path) -> bool:
    """Tell whether a file has the ending of an agent file."""
    return path.suffix == _SUFFIX


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each agent and one for each of its messages, numbered through the file. A session is called `FILE/agent-0`."""
    document, number = read_document(path, progress), 0
    agents = document.get("agents") if isinstance(document, dict) else None
    for agent in agents if isinstance(agents, list) else [document]:
        own = text_in(agent, "id")
        session = f"{name}/{own}" if own else name
        number += 1
        yield SkippedLine(line=number, what="agent", title=text_in(agent, "name"), session=session)
        messages = agent.get("messages") if isinstance(agent, dict) else None
        for message in messages if isinstance(messages, list) else []:
            number += 1
            yield _item(number, session, message)


def _item(number: int, session: str, message: object) -> Item:
    if isinstance(message, dict) and not isinstance(message.get("content"), str | list):
        message = {**message, "content": message.get("text") or []}
    role = text_in(message, "role")
    packed = _unpack(message) if isinstance(message, dict) and role in ("user", "tool") else None
    if packed is None or not isinstance(message, dict):
        return read_message(number, session, message)
    said = text_in(packed, "message")
    item = read_message(number, session, {**message, "content": said})
    is_programs = role == "user" and packed.get("type") != _SPOKEN
    return as_kind(item, EventKind.META, Origin.MACHINE) if is_programs else item


def _unpack(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the object that the only text of a message is: older agents pack what they are told with its kind and time."""
    texts = texts_of(message["content"])
    if len(texts) != 1 or not texts[0].startswith("{"):
        return None
    try:
        packed = orjson.loads(texts[0])
    except orjson.JSONDecodeError:
        return None
    return packed if isinstance(packed, dict) and text_in(packed, "message") else None
