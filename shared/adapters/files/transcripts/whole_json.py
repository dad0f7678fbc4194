"""Formats that are one JSON document, which is read whole, so its size is limited."""

from codecs import BOM_UTF8
from pathlib import Path

from shared.adapters.files.transcripts.json_lines import Progress, parse
from shared.core.errors import BadInputError

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024


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
