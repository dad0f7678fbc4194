"""The transcript formats, and the detection of a file's format. A format is a module below here and its name in the list below.

The import contracts cannot see a module that is loaded by its name: pyproject.toml names this loader.
"""

import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson

from shared.adapters.files.transcripts.encoding import check_utf8
from shared.adapters.files.transcripts.json_lines import Progress, parse_object
from shared.core.errors import BadInputError
from shared.core.sessions.transcript import Item

_HEAD_BYTES, _DOCUMENT_HEAD_BYTES = 1 << 16, 1 << 20
_HEAD_LINES = 12
_MAX_NAME_CHARS = 180
_SUFFIXES = frozenset({".jsonl", ".json"})
_KEY = re.compile(r'"([A-Za-z_]{1,40})"\s*:')


@dataclass(frozen=True, slots=True)
class Format:
    """One transcript format: its detection and its reader."""

    name: str
    recognizes: Callable[[Path, list[dict[str, Any]]], bool]
    read_named: Callable[[Path, Progress, str], Iterator[Item]]
    find_project: Callable[[Path], str]
    find_branch: Callable[[Path], str]
    is_named: Callable[[Path], bool]
    is_part: Callable[[Path], bool]

    def read(self, path: Path, progress: Progress, session: str = "") -> Iterator[Item]:
        """Yield one item for each line. Lines without a session belong to `session`, or else to the file's name.

        Raises BadInputError, at the first item, for a file in another encoding than UTF-8.
        """
        check_utf8(path)
        yield from self.read_named(path, progress, session or path.stem)


def _find_none(_path: Path) -> str:
    return ""


def _is_none(_path: Path) -> bool:
    return False


def _load(name: str) -> Format:
    module = import_module(f"{__package__}.{name}")
    return Format(
        name=module.NAME,
        recognizes=module.recognizes,
        read_named=module.read,
        find_project=getattr(module, "find_project", _find_none),
        find_branch=getattr(module, "find_branch", _find_none),
        is_named=getattr(module, "is_named", _is_none),
        is_part=getattr(module, "is_part", _is_none),
    )


#: Every format, in the order of detection.
FORMATS = tuple(
    _load(name)
    for name in (
        "texts.daily_log",
        "texts.aider",
        "texts.specstory",
        "texts.git_log",
        "agents.cline",
        "agents.codex",
        "agents.cursor",
        "agents.gemini_cli",
        "agents.hermes",
        "agents.nanobot",
        "agents.openclaw",
        "agents.opencode",
        "chats.chatgpt",
        "chats.claude_ai",
        "chats.letta",
        "chats.locomo",
        "chats.slack",
        "agents.claude_code",
        "chats.plain",
    )
)


def name_formats() -> str:
    """Return the names of all formats, in the order of the alphabet."""
    return ", ".join(sorted(known.name for known in FORMATS))


def get_format(name: str) -> Format:
    """Return a format by name. Raises BadInputError with the names of all formats."""
    for known in FORMATS:
        if known.name == name:
            return known
    msg = f"There is no format {name!r}; choose auto, {name_formats()}"
    raise BadInputError(msg)


def find_format(path: Path) -> Format | None:
    """Detect the format of a file. Raises BadInputError for another encoding than UTF-8."""
    check_utf8(path)
    head = [] if _is_named(path) else _read_head(path)
    return next((known for known in FORMATS if known.recognizes(path, head)), None)


def find_files(place: Path, refuse: Callable[[OSError], None] | None = None) -> list[Path]:
    """Return the file itself, or what appear to be transcripts below a folder, by path; no links, and no parts of others.

    `refuse` is called with each folder and file that cannot be read.

    Raises:
        BadInputError: there is no such file or folder, or it may not be read.
    """
    try:
        mode = place.stat().st_mode
    except OSError as error:
        msg = f"There is no file or folder {place} that can be read: {error.strerror}"
        raise BadInputError(msg) from error
    if stat.S_ISREG(mode):
        return [place]
    if not stat.S_ISDIR(mode):
        msg = f"{place} is neither a file nor a folder"
        raise BadInputError(msg)
    below = (Path(folder, name) for folder, _, names in os.walk(place, onerror=refuse) for name in names)
    named = (path for path in below if path.suffix in _SUFFIXES or _is_named(path))
    return sorted(path for path in named if not _is_part(path) and _is_file(path, refuse))


def _is_named(path: Path) -> bool:
    return any(known.is_named(path) for known in FORMATS)


def _is_part(path: Path) -> bool:
    return any(known.is_part(path) for known in FORMATS)


def _is_file(path: Path, refuse: Callable[[OSError], None] | None) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError as error:
        if refuse is not None:
            refuse(error)
        return False


def name_session(path: Path, root: Path) -> str:
    """Return a name for a session without one: the file's path below the imported folder, without its suffix.

    Thus files with the same name in different folders are different sessions. A longer path becomes its end and a hash.
    """
    name = (path.relative_to(root) if path != root else Path(path.name)).with_suffix("").as_posix()
    if len(name) <= _MAX_NAME_CHARS:
        return name
    return f"{blake2b(os.fsencode(name), digest_size=8).hexdigest()}/{name[-_MAX_NAME_CHARS + 20 :]}"


def _read_head(path: Path) -> list[dict[str, Any]]:
    """Return the first objects of a file; for a document over many lines, one object with the keys near its top."""
    with path.open("rb") as file:
        data = file.read(_HEAD_BYTES).removeprefix(BOM_UTF8)
    lines = [parse_object(line) for line in data.split(b"\n", _HEAD_LINES)[:_HEAD_LINES] if line.strip()]
    objects = [line for line in lines if isinstance(line, dict) and line]
    if objects:
        return objects
    with path.open("rb") as file:
        data = file.read(_DOCUMENT_HEAD_BYTES).removeprefix(BOM_UTF8)
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError:
        return [dict.fromkeys(_KEY.findall(data.decode("utf-8", "replace")))]
    listed = whole if isinstance(whole, list) else [whole]
    return [entry for entry in listed if isinstance(entry, dict)]
