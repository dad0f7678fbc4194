"""Lines of JSON from a file of any size, one at a time, each of limited length; unreadable lines are reported, not raised."""

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from shared.core.sessions.transcript import MalformedLine

#: A longer line is skipped: no event is that long, and the limit bounds the use of memory.
MAX_LINE_BYTES = 32 * 1024 * 1024
#: Called with the size in bytes of each part that was read.
Progress = Callable[[int], None]
_BUFFER_BYTES = 1 << 20


def read_objects(path: Path, progress: Progress) -> Iterator[tuple[int, dict[str, Any]] | MalformedLine]:
    """Yield (line number, object) for each line that is one; empty lines are left out."""
    with path.open("rb", buffering=_BUFFER_BYTES) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            progress(len(line))
            if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                _skip_rest(file, progress)
                yield MalformedLine(line=number, reason=f"longer than {MAX_LINE_BYTES // 1024 // 1024} MB")
                continue
            if number == 1:
                line = line.removeprefix(BOM_UTF8)
            if not line.strip():
                continue
            parsed = parse_object(line)
            yield MalformedLine(line=number, reason=parsed) if isinstance(parsed, str) else (number, parsed)


def parse_object(line: bytes) -> dict[str, Any] | str:
    """Return the object of a line, or why there is none. Broken UTF-8 and half surrogate pairs are tolerated."""
    try:
        value = parse(line)
    except (ValueError, RecursionError) as error:
        return f"no JSON: {str(error)[:100]}"
    return value if isinstance(value, dict) else "no JSON object"


def parse(data: bytes) -> object:
    """Return the value of a JSON text, read leniently. Raises ValueError or RecursionError if it is unreadable."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data.decode("utf-8", "replace"))


def _skip_rest(file: BinaryIO, progress: Progress) -> None:
    while part := file.readline(_BUFFER_BYTES):
        progress(len(part))
        if part.endswith(b"\n"):
            return
