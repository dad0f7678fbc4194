"""Exact duplicates: a file and its copies that say the same, whatever their bytes are.

SwarmClaw folds by a hash over category | lower(trim(content)). Equal texts under two names or in two folders may be about two
things, however: the watering of the fern and of the palm. Only what is named as a copy of a file is folded into it.
"""

import hashlib
import re
import unicodedata

from shared.core.memory.headline import summary_of
from shared.core.memory.model import MemoryKind, kind_of
from shared.core.memory.paths import original_of
from shared.core.memory.yaml_read import split_frontmatter

#: A place to be filled in, or a label with nothing behind it: a page that will be about something.
_TO_FILL_IN = re.compile(
    r"\{\{|\$\{|<[a-z][a-z _-]{1,30}>|_{3,}|\b(?:TODO|TBD|XXX)\b|\[[A-Z][A-Za-z _-]{1,30}\](?!\()"
    r"|^[^\n:|]{1,60}:[ \t]*(?=\n+(?:#|[^\W\d][^\n:|]{0,60}:)|\s*\Z)",
    re.MULTILINE,
)
#: Signs of full and half width, by their usual form.
_WIDTHS = {code: unicodedata.normalize("NFKC", chr(code)) for code in (0x3000, *range(0xFF01, 0xFFA0))}
_CODE = re.compile(r"`|~~~|^(?: {4}|\t)", re.MULTILINE)
_STOP = re.compile(r"(?<=\w)[!\u3002](?=\s|[^\x00-\x7f]|$)", re.MULTILINE)
_MARK = re.compile(r"^(\s*)\*(?=\s)")


def content_hash(text: str) -> str:
    """Return the SHA-256 of a text as 64 hex digits; equal hashes mean equal bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fold_hash(path: str, content: str) -> str:
    """Return 64 hex digits that exact duplicates share; empty for generated files and for texts without content."""
    normal = _normal(content)
    if not normal or kind_of(path) is not MemoryKind.TOPIC or not _says_something(content):
        return ""
    file = path if _is_to_fill_in(content) else original_of(path)
    return hashlib.sha256(f"{file}\n{normal}".encode("utf-8", "surrogatepass")).hexdigest()


def _says_something(content: str) -> bool:
    """Tell whether a text has a body or a summary: texts with nothing but settings differ only by their paths."""
    front = split_frontmatter(content)
    return bool(front.body.strip()) or bool(front.raw and summary_of(content))


def _is_to_fill_in(content: str) -> bool:
    """Tell whether a text is a template: it has places to be filled in, or headings and nothing below them."""
    body = split_frontmatter(content).body
    said = [line for line in body.splitlines() if line.strip()]
    return _TO_FILL_IN.search(body) is not None or bool(said and all(line.startswith("#") for line in said))


def is_same_text(left: str, right: str) -> bool:
    """Tell whether two texts are the same but for blanks, the stop of a line, and the width, case and marks of signs.

    In a text with code only outer blanks do not count.
    """
    return _normal(left) == _normal(right)


def _normal(content: str) -> str:
    text = unicodedata.normalize("NFC", content).strip()
    if _CODE.search(text):
        return "\n".join(map(str.rstrip, text.splitlines()))
    text = unicodedata.normalize("NFC", text.translate(_WIDTHS)).lower()
    return "\n".join(_bare(line) for line in _STOP.sub(".", text).splitlines() if line.strip())


def _bare(line: str) -> str:
    """Return a line without its stop and with single blanks; how far it is indented says what it belongs to."""
    words = _MARK.sub(r"\1-", line).split()
    text = line[: len(line) - len(line.lstrip())] + " ".join(words)
    return text[:-1] if text.endswith(".") and text[-2:-1].isalnum() else text
