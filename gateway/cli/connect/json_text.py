"""Add to the text of a JSON file, and take away again, without touching any other byte of it.

Comments and trailing commas are read over, as several tools allow them. What is no JSON besides is an error.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_INDENT = re.compile(r"^([ \t]+)[\"{\[]", re.MULTILINE)
_DECODER = json.JSONDecoder()


@dataclass(slots=True)
class _Node:
    """A value with its place in the text. Members of objects have a key; `starts` are the places of members and elements."""

    start: int
    end: int
    kind: str
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    values: list["_Node"] = field(default_factory=list)

    def find(self, key: str) -> "_Node | None":
        return self.values[self.keys.index(key)] if key in self.keys else None


def find_value(text: str, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - any value of JSON
    """Return the value at a path of keys, None if there is none. Raises ValueError for a text that is no JSON."""
    node: _Node | None = _read(text)
    for key in path:
        node = node.find(key) if node is not None else None
    return None if node is None else _value(text, node)


def count_known(text: str, path: tuple[str, ...]) -> int:
    """Return how many keys of a path are there."""
    node, depth = _read(text), 0
    while depth < len(path) and (below := node.find(path[depth])) is not None:
        node, depth = below, depth + 1
    return depth


def add_value(text: str, path: tuple[str, ...], value: Any, *, is_element: bool) -> str:  # noqa: ANN401 - as above
    """Return a text with a value at a path of keys that is free, or with another element in the list there.

    Raises:
        ValueError: the text is no JSON, or something else stands on the path.
    """
    node, depth = _read(text), count_known(text, path)
    for key in path[:depth]:
        node = node.find(key) or node
    if depth == len(path):
        if not is_element or node.kind != "[":
            raise ValueError(f"{'.'.join(path)} is there already")
        return _insert(text, node, "", value)
    if node.kind != "{":
        raise ValueError(f"{'.'.join(path[:depth])} is no object")
    whole: Any = [value] if is_element else value
    for key in reversed(path[depth + 1 :]):
        whole = {key: whole}
    return _insert(text, node, path[depth], whole)


def remove_value(text: str, path: tuple[str, ...], value: Any, *, is_element: bool, known: int) -> str:  # noqa: ANN401 - as above
    """Return a text without a value that was added; objects that were made for it go with it when they are empty.

    Args:
        text: the text of the file.
        path: where it was added.
        value: the element; a member goes whatever its value is now.
        is_element: whether it was added to a list.
        known: how many keys of the path were there before.
    """
    nodes = [_read(text)]
    for key in path:
        below = nodes[-1].find(key)
        if below is None:
            return text
        nodes.append(below)
    if is_element:
        found = [place for place, one in enumerate(nodes[-1].values) if _value(text, one) == value]
        if not found:
            return text
        if len(nodes[-1].values) > 1 or known == len(path):
            return _cut(text, nodes[-1], found[0])
    depth = len(path) - 1
    while depth > known and len(nodes[depth].values) == 1:
        depth -= 1
    return _cut(text, nodes[depth], nodes[depth].keys.index(path[depth]))


def _read(text: str) -> _Node:
    start = _skip(text, 0)
    node = _parse(text, start)
    if _skip(text, node.end) != len(text) or node.kind != "{":
        raise ValueError("it is not one JSON object")
    return node


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _parse(text: str, place: int) -> _Node:
    opening = text[place : place + 1]
    if opening not in {"{", "["}:
        return _Node(place, _DECODER.raw_decode(text, place)[1], "")
    node, place = _Node(place, place, opening), _skip(text, place + 1)
    while text[place : place + 1] != {"{": "}", "[": "]"}[opening]:
        start = place
        if opening == "{":
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, place)
            if not isinstance(key, str) or text[place : place + 1] != ":":
                raise ValueError(f"there is no key at character {start}")
            node.keys.append(key)
            place = _skip(text, place + 1)
        value = _parse(text, place)
        node.starts.append(start)
        node.values.append(value)
        place = _skip(text, value.end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] not in {"}", "]"}:
            raise ValueError(f"there is no comma at character {place}")
    node.end = place + 1
    return node


def _value(text: str, node: _Node) -> Any:  # noqa: ANN401 - any value of JSON
    if node.kind == "{":
        return {key: _value(text, value) for key, value in zip(node.keys, node.values, strict=True)}
    if node.kind == "[":
        return [_value(text, value) for value in node.values]
    return _DECODER.raw_decode(text, node.start)[0]


def _insert(text: str, node: _Node, key: str, value: Any) -> str:  # noqa: ANN401 - as above
    """Add a member or an element at the end, laid out like its neighbours."""
    found = _INDENT.search(text)
    unit = found[1] if found else "  "
    name = f"{json.dumps(key)}: " if node.kind == "{" else ""
    if node.values:
        lead = text[text.rfind("\n", 0, node.starts[0]) + 1 : node.starts[0]]
        end = node.values[-1].end
        if "\n" not in text[node.start : node.starts[0]] or lead.strip():
            return f"{text[:end]}, {name}{json.dumps(value, ensure_ascii=False)}{text[end:]}"
        return f"{text[:end]},\n{lead}{name}{_laid_out(value, unit, lead)}{text[end:]}"
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    base = line[: len(line) - len(line.lstrip())]
    inside = text[node.start + 1 : node.end - 1].rstrip()
    added = f"{inside}\n{base}{unit}{name}{_laid_out(value, unit, base + unit)}\n{base}"
    return f"{text[: node.start + 1]}{added}{text[node.end - 1 :]}"


def _laid_out(value: Any, unit: str, lead: str) -> str:  # noqa: ANN401 - as above
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", f"\n{lead}")


def _cut(text: str, node: _Node, place: int) -> str:
    """Remove a member or an element with the comma that belongs to it."""
    if len(node.values) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if place:
        return text[: node.values[place - 1].end] + text[node.values[place].end :]
    return text[: node.starts[0]] + text[node.starts[1] :]
