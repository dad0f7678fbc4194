"""LoCoMo's JSON: a list of conversations between two people, each of many dated sessions of turns."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.whole_json import read_document
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine

NAME = "locomo"
_MOMENT = "%I:%M %p on %d %B, %Y"


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether the first objects of a file are conversations with samples' ids."""
    return any({"conversation", "sample_id"} <= line.keys() for line in head)


def read(path: Path, progress: Progress, _name: str) -> Iterator[Item]:
    """Yield one item for each turn, numbered through the file. A session is called `conv-26/session_3`."""
    document = read_document(path, progress)
    if not isinstance(document, list):
        msg = f"{path} is not LoCoMo's list of conversations"
        raise BadInputError(msg)
    number = 0
    for sample in document:
        for session, at, turn in _turns(sample):
            number += 1
            yield _item(number, session, at, turn)


def _turns(sample: object) -> Iterator[tuple[str, datetime | None, object]]:
    talk = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(talk, dict):
        return
    for name, turns in talk.items():
        if isinstance(turns, list):
            at = _moment(talk.get(f"{name}_date_time"))
            for turn in turns:
                yield f"{sample.get('sample_id')}/{name}", at, turn


def _item(number: int, session: str, at: datetime | None, turn: object) -> Item:
    known = turn if isinstance(turn, dict) else {}
    speaker, own, text = known.get("speaker"), known.get("dia_id"), known.get("text")
    if not isinstance(speaker, str) or not isinstance(own, str) or not isinstance(text, str):
        return MalformedLine(line=number, reason=f"a turn of {session} without speaker, dia_id or text")
    caption = known.get("blip_caption")
    words = f"{text} [image: {caption}]" if isinstance(caption, str) else text
    # Both speakers are people, and the words of both are worth remembering.
    return FoundEvent(line=number, session=session, event_id=own, kind=EventKind.USER, role=speaker, text=words, at=at)


def _moment(raw: object) -> datetime | None:
    try:
        return datetime.strptime(str(raw).upper(), _MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
