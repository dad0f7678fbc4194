"""Detect a file's encoding by its first bytes: only UTF-8 is read, and others are refused by name."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from shared.core.errors import BadInputError

#: UTF-32's little-endian mark begins with UTF-16's, so it is checked first.
_MARKS = (
    (BOM_UTF32_LE, "UTF-32"), (BOM_UTF32_BE, "UTF-32"), (BOM_UTF16_LE, "UTF-16"), (BOM_UTF16_BE, "UTF-16"),
)  # fmt: skip
#: The positions of NUL bytes if a text begins with two ASCII characters, as JSON and lists do (RFC 4627, section 3).
_NULS = {"000x": "UTF-32BE", "x000": "UTF-32LE", "0x0x": "UTF-16BE", "x0x0": "UTF-16LE"}


def check_utf8(path: Path) -> None:
    """Raise BadInputError for a file in UTF-16 or UTF-32, with advice on converting it; OSError if it is gone."""
    with path.open("rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    name = marked or _NULS.get("".join("x" if byte else "0" for byte in head))
    if name is not None:
        msg = f"{path} is in {name}, and only UTF-8 is read; convert it: iconv -f {name} -t UTF-8 OLD > NEW"
        raise BadInputError(msg)
