"""Read the YAML block at the head of a memory, without ever raising and without expanding alias bombs.

The text is not changed, and a block that cannot be read stays where it is. One fault that people and agents make often is read as it
is meant: a colon in a value without quotes, as in `description: Letters: one page`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: the same results, ten times slower
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]  # the two loaders share no base class

BOM = "\ufeff"
#: A longer block does not count as frontmatter: reading it would cost too much.
MAX_BLOCK_CHARS = 65_536
#: The deepest nesting that is read; people do not write a deeper one by hand.
MAX_DEPTH = 24

_START = re.compile(r"\ufeff?---[ \t]*(\r?\n)")
_END = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
#: A field whose value has no quotes and a colon inside, on one line.
_UNQUOTED = re.compile(
    r"^(?P<key>[A-Za-z_][\w-]{0,63}:[ \t]+)(?P<value>[^\s\"'\[\]{}|>&*!%@`#?,-][^\r\n]*:[ \t][^\r\n]*)(?=\r?$)(?!\s*\n[ \t])",
    re.MULTILINE,
)
#: Errors other than its own that PyYAML raises for hostile scalars such as `!!int ""`, `!!bool x` or the 45th of May.
_LOAD_ERRORS = (yaml.YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlField:
    """One top-level field: its key and value nodes (with positions in the block) and the Python value."""

    key: yaml.Node
    node: yaml.Node
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlBlock:
    """A block that could be read. `column` is the indentation of its keys; a flow mapping `{a: 1}` cannot be edited.

    `inner` is what the positions of its fields refer to: the text between the delimiters, with quotes where they were missing.
    """

    inner: str
    fields: Mapping[str, YamlField]
    is_flow: bool = False
    column: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontmatter:
    """The parts of a text, which is `raw + body`. `raw` includes delimiters and a byte order mark, or is empty."""

    raw: str
    body: str
    newline: str
    start: int = 0
    end: int = 0
    is_closed: bool = True

    @property
    def inner(self) -> str:
        """Return the text between the delimiters."""
        return self.raw[self.start : self.end]

    @property
    def is_valid(self) -> bool:
        """Tell whether the frontmatter is readable, or absent."""
        return self.is_closed and (not self.raw or load_block(self.inner) is not None)


def split_frontmatter(text: str) -> Frontmatter:
    """Split a text without changing a byte; a block without an end belongs to the body."""
    opening = _START.match(text) if text.startswith(("---", BOM)) else None
    if opening is None:
        return Frontmatter(raw="", body=text, newline="\r\n" if _first_line_has_crlf(text) else "\n")
    start, newline = opening.end(), opening[1]
    closing = _END.search(text, start, start + MAX_BLOCK_CHARS)
    if closing is None or (closing.end() == start + MAX_BLOCK_CHARS and closing.end() < len(text)):
        return Frontmatter(raw="", body=text, newline=newline, is_closed=False)
    raw, body = text[: closing.end()], text[closing.end() :]
    return Frontmatter(raw=raw, body=body, newline=newline, start=start, end=closing.start())


def read_fields(text: str) -> Mapping[str, object]:
    """Return the frontmatter's fields; `{}` if it is missing or unreadable."""
    front = split_frontmatter(text)
    block = load_block(front.inner) if front.raw else None
    return {name: field.value for name, field in block.fields.items()} if block else {}


def load_block(inner: str) -> YamlBlock | None:
    """Read the text between delimiters; None for invalid YAML, no mapping, duplicate keys, aliases or deep nesting."""
    found = _load(inner)
    if found is None and (quoted := _UNQUOTED.sub(_quote, inner)) != inner:
        return _load(quoted)
    return found


def _quote(line: re.Match[str]) -> str:
    return f"{line['key']}{json.dumps(line['value'], ensure_ascii=False)}"


def _load(inner: str) -> YamlBlock | None:
    try:
        if not _is_tame(inner):
            return None
        loader = _Loader(inner)
        root = loader.get_single_node()
        if root is None:
            return YamlBlock(inner=inner, fields={})
        return _read_mapping(inner, loader, root) if isinstance(root, yaml.MappingNode) else None
    except _LOAD_ERRORS:
        return None


def _read_mapping(inner: str, loader: yaml.SafeLoader | yaml.CSafeLoader, root: yaml.MappingNode) -> YamlBlock | None:
    fields: dict[str, YamlField] = {}
    for key, node in root.value:
        if not isinstance(key, yaml.ScalarNode) or key.value in fields:
            return None
        value = loader.construct_object(node, deep=True)
        fields[str(key.value)] = YamlField(key=key, node=node, value=value)
    return YamlBlock(inner=inner, fields=fields, is_flow=bool(root.flow_style), column=root.start_mark.column)


def _is_tame(inner: str) -> bool:
    """Tell whether a block has no aliases or deep nesting, from its events alone, without expanding it."""
    depth = 0
    for event in yaml.parse(inner, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            return False
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                return False
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return True


def _first_line_has_crlf(text: str) -> bool:
    end = text.find("\n")
    return end > 0 and text[end - 1] == "\r"
