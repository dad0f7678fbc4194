"""Daily logs from files; `shared.core.sessions.daily_log` defines their entries."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.texts.text_files import read_whole
from shared.core.errors import BadInputError
from shared.core.sessions.daily_log import SOURCE, find_place, read_text
from shared.core.sessions.transcript import Item

NAME = SOURCE


def recognizes(path: Path, _head: list[dict[str, Any]]) -> bool:
    """Tell whether a path is a daily log's."""
    return is_named(path)


def is_named(path: Path) -> bool:
    """Tell whether a path is a daily log's."""
    return find_place(path.absolute().as_posix()) is not None


def read(path: Path, progress: Progress, _name: str) -> Iterator[Item]:
    """Yield one item for each entry."""
    place = find_place(path.absolute().as_posix())
    if place is None:
        msg = f"{path} is not a daily log: it needs a path logs/YYYY/MM/YYYY-MM-DD.md or memory/YYYY-MM-DD.md"
        raise BadInputError(msg)
    yield from read_text(place, read_whole(path, progress))
