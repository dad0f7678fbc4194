"""Writes YAML values so that every reader gets them back exactly, in the style of the value that stood there before."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from shared.core.errors import BadInputError

#: Letters first and no sign that YAML could take for syntax; words that it reads as something else are listed below.
_PLAIN = re.compile(r"[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*")
_BARE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NOT_STRINGS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
#: What YAML does not call printable, besides the line breaks and marks that readers disagree about.
_UNPRINTABLE = re.compile(r"[\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LITERAL_CONTROL = re.compile(r"[\x00-\x1f]|" + _UNPRINTABLE.pattern)


def emit_key(name: str) -> str:
    """Return a field's name, quoted unless it is a plain word."""
    return name if _BARE_WORD.fullmatch(name) and not _is_reserved(name) else quote(name)


def emit_inline(value: object, style: str = "") -> str:
    """Return a value on one line. `style` is the quote that strings had before: `'`, `"` or nothing for plain.

    Raises:
        BadInputError: for a value that frontmatter cannot hold, such as a date object or a lone surrogate.
    """
    if isinstance(value, str):
        return emit_string(value, style)
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, float):
        return _emit_float(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{emit_key(str(key))}: {emit_inline(item, style)}" for key, item in value.items())
        return f"{{{inner}}}"
    if is_list(value):
        return f"[{', '.join(emit_inline(item, style) for item in value)}]"
    raise BadInputError(f"Frontmatter cannot hold a {type(value).__name__}; give it as text.")


def emit_string(value: str, style: str = "") -> str:
    """Return a string in the wanted style if YAML reads it back so, else double-quoted."""
    if style == "'" and not _LITERAL_CONTROL.search(value) and not _SURROGATE.search(value):
        return "'" + value.replace("'", "''") + "'"
    if style == "" and _PLAIN.fullmatch(value) and not _is_reserved(value):
        return value
    return quote(value)


def emit_field(name: str, value: object) -> list[str]:
    """Return the lines of a new field: words plain, other strings double-quoted, lists as an indented block."""
    key = emit_key(name)
    if is_list(value) and value:
        return [f"{key}:", *("  - " + emit_inline(item, '"') for item in value)]
    is_word = isinstance(value, str) and _BARE_WORD.fullmatch(value) is not None
    return [f"{key}: " + emit_inline(value, "" if is_word else '"')]


def quote(value: str) -> str:
    """Return a double-quoted YAML string."""
    if _SURROGATE.search(value):
        raise BadInputError("The text holds half of a surrogate pair, which no file can hold; remove it.")
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def is_same(left: object, right: object) -> bool:
    """Tell whether two values are written the same: `1`, `1.0` and `true` differ, a tuple equals a list."""
    if is_list(left) and is_list(right):
        return len(left) == len(right) and all(map(is_same, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return list(left) == list(right) and all(is_same(left[key], right[key]) for key in left)
    if isinstance(left, float) and isinstance(right, float):
        return repr(left) == repr(right)
    return type(left) is type(right) and left == right


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Tell a list or a tuple from everything else, text included."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _is_reserved(word: str) -> bool:
    return word.lower() in _NOT_STRINGS


def _emit_float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    # YAML 1.1 takes `1e-07` for a string: its floats need the point.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text
