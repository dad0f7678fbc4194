"""LangGraph's items as files that people and dreams can read: a namespace is a folder, a key a file, a value its text.

A value with a `text` is that text, below a head with its other fields (one a line, as JSON); any other value is a block of JSON. A file that
was not written so is an item whose `text` it is.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

TEXT = "text"
_ENDING = ".md"
#: A folder's index, which dreams write.
_INDEX = "_index"
_RULE = "---\n"
_OPENS, _CLOSES = "```json\n", "\n```\n"
_PLAIN = frozenset(" -_.@+=,()'&!~")


def path_of(namespace: Sequence[str], key: str) -> str:
    """Return the path of an item."""
    name = _encode(key).replace("_", "%5F", 1) if key == _INDEX else _encode(key)
    return "/".join((*map(_encode, namespace), f"{name}{_ENDING}"))


def folder_of(namespace: Sequence[str]) -> str:
    """Return the folder of a namespace with its slash; "" for the root."""
    return "".join(f"{_encode(label)}/" for label in namespace)


def item_of(path: str) -> tuple[tuple[str, ...], str] | None:
    """Return the namespace and key of a path, or None for a file that is no item: at the root, an index, or no markdown."""
    *folders, name = path.split("/")
    if not folders or not name.endswith(_ENDING) or name == f"{_INDEX}{_ENDING}":
        return None
    return tuple(map(unquote, folders)), unquote(name.removesuffix(_ENDING))


def text_of(value: Mapping[str, Any]) -> str:
    """Return the text of a value. Raises TypeError for one that is no JSON."""
    text = value.get(TEXT)
    if not isinstance(text, str):
        return f"{_OPENS}{json.dumps(value, ensure_ascii=False, indent=2)}{_CLOSES}"
    rest = {name: one for name, one in value.items() if name != TEXT}
    if not rest and not text.startswith((_RULE, _OPENS)):
        return text
    head = "".join(f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}\n" for name, one in rest.items())
    return f"{_RULE}{head}{_RULE}{text}"


def value_of(text: str) -> dict[str, Any]:
    """Return the value of a text."""
    if text.startswith(_OPENS) and text.rstrip().endswith(_CLOSES.strip()):
        found = _read(text.rstrip().removeprefix(_OPENS).removesuffix(_CLOSES.strip()))
        return found if isinstance(found, dict) else {TEXT: text}
    head, rule, body = text.removeprefix(_RULE).partition(_RULE) if text.startswith(_RULE) else ("", "", "")
    if not rule:
        return {TEXT: text}
    fields = _read("{" + ",".join(head.split("\n")[:-1]) + "}")
    return {**fields, TEXT: body} if isinstance(fields, dict) else {TEXT: text}


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _encode(label: str) -> str:
    """Return a label as a segment of a path, reversibly: signs that no path may have, or not there, are `%XX`."""
    last = len(label) - 1
    return "".join(
        sign
        if _is_plain(sign) and not (sign in " ." and at in {0, last})
        else "".join(f"%{byte:02X}" for byte in sign.encode())
        for at, sign in enumerate(label)
    )


def _is_plain(sign: str) -> bool:
    return sign in _PLAIN or (sign.isalnum() and unicodedata.normalize("NFC", sign) == sign)
