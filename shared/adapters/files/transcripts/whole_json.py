"""Formats that are one JSON document, which is read whole, so its size is limited."""

from codecs import BOM_UTF8
from pathlib import Path

from shared.adapters.files.transcripts.json_lines import Progress, parse
from shared.core.errors import BadInputError

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
_START_BYTES = 1 << 12


def is_document(path: Path) -> bool:
    """Tell a JSON document from lines: an array, or an object whose first line holds nothing but its brace."""
    with path.open("rb") as file:
        start = file.read(_START_BYTES).removeprefix(BOM_UTF8).lstrip()
    return start.startswith(b"[") or start.partition(b"\n")[0].strip() == b"{"


def read_document(path: Path, progress: Progress) -> object:
    """Return a file's JSON. Raises BadInputError if it is invalid or over 256 MB."""
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        msg = f"{path} has {size:,} bytes; a file of this format may have at most {MAX_DOCUMENT_BYTES:,}"
        raise BadInputError(msg)
    try:
        document = parse(path.read_bytes().removeprefix(BOM_UTF8))
    except (ValueError, RecursionError) as error:
        msg = f"{path} is not a JSON document: {error}"
        raise BadInputError(msg) from error
    progress(size)
    return document


def read_list(path: Path, progress: Progress) -> list[object]:
    """Return a file's JSON, which must be a list. Raises BadInputError if it is not, or as `read_document` does."""
    document = read_document(path, progress)
    if not isinstance(document, list):
        msg = f"{path} is not a JSON array, as a file of this format is"
        raise BadInputError(msg)
    return document
