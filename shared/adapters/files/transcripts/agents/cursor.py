"""Cursor's agent transcripts (`~/.cursor/projects/*/agent-transcripts/*/*.jsonl`): a role and a message on each line."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import read_message, text_in
from shared.core.sessions.transcript import Item, MalformedLine, SkippedLine, texts_of

NAME = "cursor"
_FOLDER = "agent-transcripts"
#: What stands before a person's words: `<timestamp>Friday, Sep 4, 2026, 2:21 AM (UTC+8)</timestamp>`.
_STAMP = re.compile(
    r"<timestamp>\w{1,12}, (\w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M)(?: \(UTC(?:([+-]\d{1,2})(?::(\d\d))?)?\))?</timestamp>"
)


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether lines have a role beside a message, and no type."""
    return any(text_in(line, "role") and _is_message(line.get("message")) and "type" not in line for line in head)


def read(path: Path, progress: Progress, _name: str) -> Iterator[Item]:
    """Yield one item for each line. A line without a stamp is as old as the one before it."""
    at = None
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        message = line.get("message")
        if not isinstance(message, dict):
            yield SkippedLine(line=number, what=text_in(line, "type")[:40] or "no message")
            continue
        at = _find_moment(message.get("content")) or at
        yield read_message(number, path.stem, {**message, "role": line.get("role")}, at=at)


def find_project(path: Path) -> str:
    """Return the name of a transcript's project, as Cursor names the folder that it keeps for it."""
    kept = next((folder.parent.name for folder in path.resolve().parents if folder.name == _FOLDER), "")
    return f"-{kept}" if kept else ""


def _is_message(message: object) -> bool:
    return isinstance(message, dict) and "content" in message


def _find_moment(content: object) -> datetime | None:
    found = next((stamp for text in texts_of(content) if (stamp := _STAMP.match(text.lstrip()))), None)
    if found is None:
        return None
    sign = -1 if (found[2] or "").startswith("-") else 1
    offset = sign * timedelta(hours=abs(int(found[2] or 0)), minutes=int(found[3] or 0))
    try:
        moment = datetime.strptime(found[1], "%b %d, %Y, %I:%M %p").replace(tzinfo=timezone(offset))
    except ValueError:
        return None
    return moment.astimezone(UTC)
