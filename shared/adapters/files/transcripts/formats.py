"""The formats of transcripts, and which one a file has. Adding a format is one file and one line here."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from shared.adapters.files.transcripts import claude_code, daily_log, gemini_cli, locomo, plain
from shared.adapters.files.transcripts.json_lines import Progress, parse_object
from shared.core.errors import BadInputError
from shared.core.transcript import Item

_HEAD_BYTES, _DOCUMENT_HEAD_BYTES = 1 << 16, 1 << 20
_HEAD_LINES = 12
_SUFFIXES = frozenset({".jsonl", ".json"})
_KEY = re.compile(r'"([A-Za-z_]{1,40})"\s*:')


@dataclass(frozen=True, slots=True)
class Format:
    """How one kind of transcript is told from others, and read."""

    name: str
    recognizes: Callable[[Path, list[dict[str, Any]]], bool]
    read: Callable[[Path, Progress], Iterator[Item]]


def _format(module: ModuleType) -> Format:
    return Format(module.NAME, module.recognizes, module.read)


#: In the order in which they are asked.
FORMATS = tuple(map(_format, (daily_log, gemini_cli, locomo, claude_code, plain)))


def get_format(name: str) -> Format:
    """Return a format by name. Raises BadInputError that names all there are."""
    for known in FORMATS:
        if known.name == name:
            return known
    msg = f"There is no format {name!r}; choose auto, {', '.join(known.name for known in FORMATS)}"
    raise BadInputError(msg)


def find_format(path: Path) -> Format | None:
    """Return the format that a file looks like."""
    head = [] if daily_log.recognizes(path, []) else _read_head(path)
    return next((known for known in FORMATS if known.recognizes(path, head)), None)


def find_files(place: Path) -> list[Path]:
    """Return the file itself, or what looks like a transcript or a daily log below a folder, by path; no links.

    Raises:
        BadInputError: there is no such file or folder.
    """
    if place.is_file():
        return [place]
    if not place.is_dir():
        msg = f"There is no file or folder {place}"
        raise BadInputError(msg)
    below = (path for path in place.rglob("*") if not path.is_symlink() and path.is_file())
    return sorted(path for path in below if path.suffix in _SUFFIXES or daily_log.recognizes(path, []))


def _read_head(path: Path) -> list[dict[str, Any]]:
    """Return the first objects of a file; of a document over many lines, one object that has the keys near its top."""
    with path.open("rb") as file:
        data = file.read(_HEAD_BYTES)
    lines = [parse_object(line) for line in data.split(b"\n", _HEAD_LINES)[:_HEAD_LINES] if line.strip()]
    objects = [line for line in lines if isinstance(line, dict) and line]
    if objects:
        return objects
    with path.open("rb") as file:
        data = file.read(_DOCUMENT_HEAD_BYTES)
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError:
        return [dict.fromkeys(_KEY.findall(data.decode("utf-8", "replace")))]
    listed = whole if isinstance(whole, list) else [whole]
    return [entry for entry in listed if isinstance(entry, dict)]
