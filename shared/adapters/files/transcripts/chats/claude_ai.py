"""Claude.ai's export (`conversations.json`): a list of conversations with `chat_messages` by a human or the assistant."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.messages import read_message, text_in
from shared.adapters.files.transcripts.whole_json import read_list
from shared.core.sessions.transcript import Item, MalformedLine, SkippedLine

NAME = "claude-ai"


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file has conversations of chat messages."""
    return any({"uuid", "chat_messages"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each conversation and one for each of its messages, numbered through the file."""
    number = 0
    for place, talk in enumerate(read_list(path, progress), 1):
        session = text_in(talk, "uuid") or f"{name}/{place}"
        messages = talk.get("chat_messages") if isinstance(talk, dict) else None
        number += 1
        if not isinstance(messages, list):
            yield MalformedLine(line=number, reason="a conversation without messages")
            continue
        yield SkippedLine(line=number, what="conversation", title=text_in(talk, "name"), session=session)
        for message in messages:
            number += 1
            yield read_message(number, session, _plain(message))


def _plain(message: object) -> object:
    """Return a message with its content, or the text of one from before messages had content. Attached files are left out."""
    if not isinstance(message, dict):
        return message
    content = message.get("content")
    return {**message, "content": content if isinstance(content, list) and content else message.get("text")}
