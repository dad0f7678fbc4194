"""Tasks of Cline and Roo Code: `tasks/ID/api_conversation_history.json`, an array of messages with the editor's state in them."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.messages import project_of, read_message
from shared.adapters.files.transcripts.whole_json import read_document
from shared.core.errors import BadInputError
from shared.core.sessions.transcript import Item, parse_moment, texts_of

NAME = "cline"
_FILE = "api_conversation_history.json"
_PARTS = frozenset(
    {"ui_messages.json", "claude_messages.json", "task_metadata.json", "context_history.json", "history_item.json"}
)
_HEAD_BYTES = 1 << 18
_FOLDER = re.compile(rb"# Current (?:Working|Workspace) Directory \(([^()\n\\]{1,500})\)")
#: `11/28/2026, 3:04:05 PM (Europe/Berlin, UTC+1:00)`, in the state that comes with a message; Roo Code writes it in ISO 8601.
_LOCAL = re.compile(
    r"# Current Time\s+(\d{1,2}/\d{1,2}/\d{4}, \d{1,2}:\d\d:\d\d [AP]M) \([\w/+-]{1,60}, UTC([+-]\d{1,2})(?::(\d\d))?\)"
)
_ISO = re.compile(r"# Current Time\s+Current time in ISO 8601 UTC format: (\S{1,40})")


def recognizes(path: Path, _head: list[dict[str, Any]]) -> bool:
    """Tell whether a file has the name of a task's conversation."""
    return path.name == _FILE


def is_part(path: Path) -> bool:
    """Tell whether a file belongs to a task and says nothing that its conversation does not."""
    return path.name in _PARTS and (path.parent / _FILE).is_file()


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each message, numbered from 1. The session is the task, whose id is the milliseconds of its beginning."""
    document = read_document(path, progress)
    if not isinstance(document, list):
        msg = f"{path} is not a task of Cline or Roo Code: it has no list of messages"
        raise BadInputError(msg)
    task = path.absolute().parent.name
    at = parse_moment(int(task)) if re.fullmatch(r"\d{13}", task) else None
    for number, message in enumerate(document, 1):
        at = _find_moment(message) or at
        yield read_message(number, task or name, message, at=at)


def find_project(path: Path) -> str:
    """Return the name of the project that a task was in."""
    with path.open("rb") as file:
        found = _FOLDER.search(file.read(_HEAD_BYTES))
    return project_of(found[1].decode("utf-8", "replace")) if found else ""


def _find_moment(message: object) -> datetime | None:
    for text in texts_of(message.get("content")) if isinstance(message, dict) else ():
        if (iso := _ISO.search(text)) and (at := parse_moment(iso[1])):
            return at
        if (local := _LOCAL.search(text)) and (at := _read_local(local)):
            return at
    return None


def _read_local(local: re.Match[str]) -> datetime | None:
    sign = -1 if local[2].startswith("-") else 1
    offset = sign * timedelta(hours=abs(int(local[2])), minutes=int(local[3] or 0))
    try:
        return datetime.strptime(local[1], "%m/%d/%Y, %I:%M:%S %p").replace(tzinfo=timezone(offset)).astimezone(UTC)
    except ValueError:
        return None
