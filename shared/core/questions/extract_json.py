"""Find the JSON answer in a model's text: think blocks, fences, prose and small faults around it are tolerated.

The readings are tried from the most to the least certain, and the first that works is the answer: the whole text · a
fenced block · the first object in the prose · a repair of the text from the beginning of the answer on · a bare list.
Text that does not end in a bracket is not repaired: it was cut off, and half a memory would be taken for a whole one.
"""

import json
import re
from collections.abc import Iterator
from typing import Self, SupportsIndex

import json_repair

MAX_CHARS = 1_000_000
MAX_REPAIR_CHARS = 16_000
#: json-repair takes more than quadratic time on hostile input, so it is stopped after this many accesses to a
#: character: some tenths of a second. An answer with ordinary mistakes takes four accesses for each character.
_MAX_LOOKS = 500_000

_THINK_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE_BEFORE_JSON = re.compile(r"```[ \t]*(?:json\w*)?\s*(?=[\[{])", re.IGNORECASE)
_BRACKET = re.compile(r"[\[{]")
_OBJECT = re.compile(r"\[\s*\{|\{")
_TOKEN = re.compile(r'["\[\]{}]')
_STRING_REST = re.compile(r'(?:[^"\\]|\\.)*+"', re.DOTALL)


def extract_json(text: str) -> object | None:
    """Return the JSON value in a model's text, or None if there is none or the text is over 1 MB."""
    if len(text) > MAX_CHARS:
        return None
    value = _parse(text)
    if value is None:
        value = _find_before_thinking(text)
    return _find_in_prose(_drop_thinking(text)) if value is None else value


def _find_in_prose(text: str) -> object | None:
    fence = _FENCE_BEFORE_JSON.search(text)
    likely = text[fence.end() :] if fence else text
    value = _find_object(likely)
    if value is None and fence:
        value = _find_object(text)
    if value is None:
        value = _repair(likely, _OBJECT)
    if value is None:
        value = next((found for _, found in _values(likely) if found is not None), None)
    return _repair(likely, _BRACKET) if value is None else value


def _parse(text: str) -> object | None:
    try:
        value: object = json.loads(text, strict=False, parse_constant=_read_constant)
    except (ValueError, RecursionError):
        return None
    return value


def _read_constant(_name: str) -> None:
    """Read NaN and Infinity as null: they are not JSON, and comparisons with them mislead."""


def _find_before_thinking(text: str) -> object | None:
    """Return an answer that begins before the first think block; a tag inside its strings is part of the text."""
    tag = _THINK_TAG.search(text)
    if tag is None or tag.group(1):
        return None
    return _find_object(text, before=tag.start())


def _drop_thinking(text: str) -> str:
    """Remove think blocks. An unclosed one extends to the end; a lone closing tag removes everything before it."""
    kept: list[str] = []
    thinking, start = False, 0
    for tag in _THINK_TAG.finditer(text):
        closes = bool(tag.group(1))
        if not thinking and not closes:
            kept.append(text[start : tag.start()])
        if thinking or not closes or not kept:
            thinking, start = not closes, tag.end()
    return "".join(kept) if thinking else "".join((*kept, text[start:]))


def _find_object(text: str, before: int = MAX_CHARS) -> object | None:
    """Return the first object or list of objects; any other list in prose is more likely a citation, such as [1]."""
    for start, value in _values(text):
        if start >= before:
            return None
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
            return value
    return None


def _values(text: str) -> Iterator[tuple[int, object | None]]:
    """Yield the start and the content of each outermost pair of brackets, up to an unclosed one, in one pass."""
    position = 0
    while (opening := _BRACKET.search(text, position)) is not None:
        end = _matching_end(text, opening.start())
        if end is None:
            return
        yield opening.start(), _parse(text[opening.start() : end])
        position = end


def _matching_end(text: str, start: int) -> int | None:
    """Return the offset after the bracket that closes the one at `start`; brackets in strings do not count."""
    depth, position = 0, start
    while (token := _TOKEN.search(text, position)) is not None:
        position = token.end()
        if token.group() == '"':
            rest = _STRING_REST.match(text, position)
            if rest is None:
                return None
            position = rest.end()
        else:
            depth += 1 if token.group() in "[{" else -1
            if depth == 0:
                return position
    return None


class _MeteredText(str):
    """A text that counts accesses to its characters. Raises ValueError beyond `_MAX_LOOKS`."""

    __slots__ = ("_looks",)
    _looks: int

    def __new__(cls, text: str) -> Self:
        """Create the text with a count of 0."""
        made = super().__new__(cls, text)
        made._looks = 0
        return made

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        """Return a character or a slice, and count it."""
        found = super().__getitem__(key)
        self._looks += max(1, len(found))
        if self._looks > _MAX_LOOKS:
            raise ValueError("Too many mistakes to repair")
        return found


def _repair(text: str, beginning: re.Pattern[str]) -> object | None:
    """Return json-repair's result for the text, if it is an object or a list."""
    opening = beginning.search(text)
    if opening is None:
        return None
    end = _matching_end(text, opening.start())
    body = text[opening.start() : end]
    if end is None:
        body = body.rpartition("```")[0] or body
    if len(body) > MAX_REPAIR_CHARS or not body.rstrip().endswith(("}", "]")):
        return None
    try:
        value: object = json_repair.loads(_MeteredText(body), skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) and value else None
