"""Formats that are texts, which are read whole, so their size is limited."""

from pathlib import Path

from shared.adapters.files.transcripts.json_lines import Progress
from shared.core.errors import BadInputError

MAX_TEXT_BYTES = 64 * 1024 * 1024
_START_BYTES = 1 << 12


def read_whole(path: Path, progress: Progress) -> str:
    """Return the text of a file, with replacements for bytes that are not UTF-8. Raises BadInputError over 64 MB."""
    size = path.stat().st_size
    if size > MAX_TEXT_BYTES:
        msg = f"{path} has {size:,} bytes; a file of this format may have at most {MAX_TEXT_BYTES:,}"
        raise BadInputError(msg)
    data = path.read_bytes()
    progress(len(data))
    return data.decode("utf-8-sig", "replace")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as its program wrote them; what else may end a line belongs to its words."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def read_start(path: Path) -> str:
    """Return the first 4,096 bytes of a file as a text."""
    with path.open("rb") as file:
        return file.read(_START_BYTES).decode("utf-8-sig", "replace")
