"""Aider's history (`.aider.chat.history.md`): what people typed is marked by `####`, what the program said by `>`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.messages import make_id, project_of
from shared.adapters.files.transcripts.texts.text_files import read_whole, split_lines
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, SkippedLine, parse_moment

NAME = "aider"
_FILE = ".aider.chat.history.md"
_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_SAID, _TOLD = "####", ">"


def recognizes(path: Path, _head: list[dict[str, Any]]) -> bool:
    """Tell whether a file has the name of a history."""
    return path.name.endswith("aider.chat.history.md")


def is_named(path: Path) -> bool:
    """Tell whether a file has the name of a history."""
    return recognizes(path, [])


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each message. A session is named after its beginning; its time, which names no zone, counts as UTC.

    A slash command is not what a person says to the model.
    """
    session, at, number, seen = name, None, 0, 0
    for number, kind, text in _messages(read_whole(path, progress)):
        start = _START.fullmatch(text) if kind is EventKind.SYSTEM else None
        if start is not None:
            session, at, seen = f"{name} {start[1]}", parse_moment(start[1]), 0
            yield SkippedLine(line=number, what="start")
        elif kind is EventKind.META:
            yield SkippedLine(line=number, what="output")
        elif text.strip():
            seen += 1
            role = "assistant" if kind is EventKind.ASSISTANT else "user"
            is_command = kind is EventKind.USER and text.startswith(("/", "!"))
            yield FoundEvent(
                line=number,
                session=session,
                event_id=make_id(seen, role, text),
                kind=EventKind.COMMAND if is_command else kind,
                role=role,
                text=text,
                at=at,
            )


def find_project(path: Path) -> str:
    """Return the name of the project in whose folder the history is."""
    return project_of(path.absolute().parent.as_posix())


def _messages(text: str) -> Iterator[tuple[int, EventKind, str]]:
    """Yield (number of the first line, kind, text) of each run of lines of one kind."""
    first, kind, lines = 1, EventKind.SYSTEM, list[str]()
    for number, line in enumerate(split_lines(text), 1):
        own, said = _classify(line, kind)
        if own is not kind or own is EventKind.SYSTEM:
            if any(map(str.strip, lines)):
                yield first, kind, "\n".join(lines).strip()
            first, kind, lines = number, own, []
        lines.append(said)
    if any(map(str.strip, lines)):
        yield first, kind, "\n".join(lines).strip()


def _classify(line: str, before: EventKind) -> tuple[EventKind, str]:
    if _START.fullmatch(line):
        return EventKind.SYSTEM, line
    if line == _SAID or line.startswith(f"{_SAID} "):
        return EventKind.USER, line[len(_SAID) + 1 :].rstrip()
    if line.startswith(f"{_TOLD} ") or line == _TOLD:
        return EventKind.META, line
    # An empty line belongs to whatever it stands in.
    return (before if not line.strip() and before is not EventKind.SYSTEM else EventKind.ASSISTANT), line
