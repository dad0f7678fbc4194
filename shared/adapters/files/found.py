"""The results of reading or writing a folder: the accepted files, and every refused file with the reason."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.core.memory.model import Signals


class Refusal(StrEnum):
    """The reason why a file was refused: a stable word for `--json`, beside a sentence for people."""

    NOT_MARKDOWN = "not_markdown"
    NOT_UTF8 = "not_utf8"
    NUL_BYTE = "nul_byte"
    TOO_LARGE = "too_large"
    ODD_NAME = "odd_name"
    SYMLINK = "symlink"
    SYMLINK_OUTSIDE = "symlink_outside"
    SYMLINK_LOOP = "symlink_loop"
    SYMLINK_BROKEN = "symlink_broken"
    SPECIAL_FILE = "special_file"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"
    TOO_DEEP = "too_deep"
    TOOL_FOLDER = "tool_folder"
    OUTSIDE_MEMORY = "outside_memory"
    CASE_COLLISION = "case_collision"
    PATH_COLLISION = "path_collision"
    UNWRITABLE = "unwritable"
    NOT_A_SKILL = "not_a_skill"
    UNREVIEWED = "unreviewed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """One file that becomes a memory. `content` is the exact text, including byte order mark and CRLF."""

    path: str
    content: str
    signals: Signals
    created_at: datetime | None
    updated_at: datetime
    doubt: str = ""  # what a person should know of it, although it is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    """One refused file, or a whole folder. `path` is safe for a terminal: odd characters are escaped."""

    path: str
    reason: str
    code: Refusal


def refuse(path: str, code: Refusal, reason: str) -> RefusedFile:
    """Return the refusal of a file, with a path that cannot disturb a terminal or an encoder."""
    return RefusedFile(path=shown_path(path), reason=reason, code=code)


def shown_path(path: str) -> str:
    """Escape unprintable characters: control characters, and bytes of names that are not UTF-8."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def why_failed(error: OSError) -> str:
    """Return the operating system's message, without the file name that Python adds."""
    return error.strerror or str(error)
