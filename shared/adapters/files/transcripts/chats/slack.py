"""Slack's export: a folder for each channel with a file for each day (`general/2026-03-04.json`), beside `users.json`."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, parse
from shared.adapters.files.transcripts.messages import text_in
from shared.adapters.files.transcripts.whole_json import MAX_DOCUMENT_BYTES, read_list
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment

NAME = "slack"
_USERS = "users.json"
#: What lies beside the channels and holds no messages.
_BESIDE = frozenset(
    {_USERS, "channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json", "canvases.json"}
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
#: Messages of a subtype tell of joins, topics and the like, but for these.
_SPOKEN = frozenset({"", "thread_broadcast", "me_message", "file_share", "bot_message"})
_MARK = re.compile(
    r"<(?:@(?P<user>\w{1,40})(?:\|[^<>|]{0,200})?|(?P<link>[^<>|]{1,2000})(?:\|(?P<label>[^<>|]{0,2000}))?)>"
)


def recognizes(path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether a file is named after a day and has messages with a time in seconds."""
    return _DAY.fullmatch(path.stem) is not None and any({"ts", "type"} <= line.keys() for line in head)


def is_part(path: Path) -> bool:
    """Tell whether a file belongs to an export and holds no messages."""
    return path.name in _BESIDE and (path.parent / _USERS).is_file() and (path.parent / "channels.json").is_file()


def read(path: Path, progress: Progress, _name: str) -> Iterator[Item]:
    """Yield one item for each message, numbered from 1. A session is a day of a channel: `general/2026-03-04`."""
    file = path.absolute()
    session = f"{file.parent.name}/{path.stem}"
    names = _find_names(file.parent.parent / _USERS)
    for number, message in enumerate(read_list(path, progress), 1):
        yield _item(number, session, message, names)


def _item(number: int, session: str, message: object, names: Mapping[str, str]) -> Item:
    stamp, text, what = (text_in(message, key) for key in ("ts", "text", "subtype"))
    if not isinstance(message, dict) or not re.fullmatch(r"\d{1,12}(?:\.\d{1,12})?", stamp):
        return MalformedLine(line=number, reason="a message without a time")
    if what not in _SPOKEN or not text.strip():
        return SkippedLine(line=number, what=what[:40] or "message without text")
    user, profile = text_in(message, "user"), message.get("user_profile")
    told = text_in(profile, "display_name") or text_in(profile, "real_name") or text_in(message, "username")
    is_bot = bool(text_in(message, "bot_id")) or what == "bot_message"
    return FoundEvent(
        line=number,
        session=session,
        event_id=f"{stamp}-{user}" if user else stamp,
        kind=EventKind.META if is_bot else EventKind.USER,
        role=(names.get(user) or told or user or "unknown")[:80],
        text=_plain(text, names),
        at=parse_moment(float(stamp)),
        origin=Origin.MACHINE if is_bot else None,
    )


def _plain(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of people and the labels of links in the place of Slack's marks."""

    def say(mark: re.Match[str]) -> str:
        if mark["user"]:
            return f"@{names.get(mark['user'], mark['user'])}"
        return mark["label"] or mark["link"].lstrip("!")

    return unescape(_MARK.sub(say, text))


@lru_cache(maxsize=4)
def _find_names(path: Path) -> Mapping[str, str]:
    """Return the names of the people of an export by their ids; empty where the list cannot be read."""
    try:
        users = parse(path.read_bytes()) if path.stat().st_size <= MAX_DOCUMENT_BYTES else None
    except (OSError, ValueError, RecursionError):
        return {}
    return {text_in(user, "id"): _name_of(user) for user in (users if isinstance(users, list) else [])}


def _name_of(user: object) -> str:
    profile = user.get("profile") if isinstance(user, dict) else None
    names = (
        text_in(profile, "display_name"),
        text_in(profile, "real_name"),
        text_in(user, "real_name"),
        text_in(user, "name"),
    )
    return next((name for name in names if name), "")
