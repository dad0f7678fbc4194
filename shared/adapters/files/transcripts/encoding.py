"""Detect by its first bytes what a file is: only UTF-8 is read, and what is something else is refused by name."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from shared.core.errors import BadInputError

_START_BYTES = 16
#: UTF-32's little-endian mark begins with UTF-16's, so it is checked first.
_MARKS = (
    (BOM_UTF32_LE, "UTF-32"), (BOM_UTF32_BE, "UTF-32"), (BOM_UTF16_LE, "UTF-16"), (BOM_UTF16_BE, "UTF-16"),
)  # fmt: skip
#: What people have whose sessions are packed or in a database, and what to do with it.
_CONTAINERS = {
    b"PK\x03\x04": "a ZIP archive; unpack it and import its folder",
    b"SQLite format 3\x00": "a SQLite database; have its program export the sessions, and import the export",
}
#: The positions of NUL bytes if a text begins with two ASCII characters, as JSON and lists do (RFC 4627, section 3).
_NULS = {"000x": "UTF-32BE", "x000": "UTF-32LE", "0x0x": "UTF-16BE", "x0x0": "UTF-16LE"}


def check_utf8(path: Path) -> None:
    """Raise BadInputError for an archive, a database, or a file in UTF-16 or UTF-32, with advice; OSError if it is gone."""
    with path.open("rb") as file:
        start = file.read(_START_BYTES)
    what = next((what for mark, what in _CONTAINERS.items() if start.startswith(mark)), None)
    if what is not None:
        msg = f"{path} is {what}"
        raise BadInputError(msg)
    head = start[:4]
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    name = marked or _NULS.get("".join("x" if byte else "0" for byte in head))
    if name is not None:
        msg = f"{path} is in {name}, and only UTF-8 is read; convert it: iconv -f {name} -t UTF-8 OLD > NEW"
        raise BadInputError(msg)
