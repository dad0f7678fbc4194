"""ChatGPT's export (`conversations.json`): a list of conversations, each a tree of messages of which one branch is current."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.messages import as_kind, read_message, text_in
from shared.adapters.files.transcripts.whole_json import read_list
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import Item, MalformedLine, SkippedLine, parse_moment

NAME = "chatgpt"
#: What a message's content calls itself when no text of it is said to anyone.
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_CALLS = frozenset({"code", "tether_browsing_display"})


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file has conversations with a tree of messages."""
    return any({"mapping", "current_node"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each conversation and one for each message of its current branch, numbered through the file."""
    number = 0
    for place, talk in enumerate(read_list(path, progress), 1):
        session = text_in(talk, "conversation_id") or text_in(talk, "id") or f"{name}/{place}"
        number += 1
        if not isinstance(talk, dict) or not isinstance(talk.get("mapping"), dict):
            yield MalformedLine(line=number, reason="a conversation without messages")
            continue
        yield SkippedLine(line=number, what="conversation", title=text_in(talk, "title"), session=session)
        for message in _follow(talk):
            number += 1
            yield _item(number, session, message)


def _follow(talk: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the messages from the root to the current node; other branches were regenerated or edited away."""
    tree = talk["mapping"]
    found, seen, place = list[Mapping[str, Any]](), set[str](), text_in(talk, "current_node")
    while place and place not in seen:
        seen.add(place)
        node = tree.get(place)
        message = node.get("message") if isinstance(node, dict) else None
        if isinstance(message, dict):
            found.append({"id": place, **message})
        place = text_in(node, "parent")
    return found[::-1]


def _item(number: int, session: str, message: Mapping[str, Any]) -> Item:
    author, content, metadata = (message.get(key) for key in ("author", "content", "metadata"))
    what = text_in(content, "content_type")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True:
        return SkippedLine(line=number, what="hidden message")
    parts = content.get("parts") if isinstance(content, dict) else None
    texts = (
        [part if isinstance(part, str) else text_in(part, "text") for part in parts] if isinstance(parts, list) else []
    )
    said = "\n".join(text for text in texts if text) or text_in(content, "text")
    if not said.strip():
        return SkippedLine(line=number, what=f"{what[:40] or 'message'} without text")
    plain = {"id": message["id"], "role": text_in(author, "role"), "content": said, "name": text_in(author, "name")}
    item = read_message(number, session, plain, at=parse_moment(message.get("create_time")))
    kind = EventKind.THINKING if what in _THOUGHTS else EventKind.TOOL_CALL if what in _CALLS else None
    return as_kind(item, kind, of=EventKind.ASSISTANT) if kind else item
