"""Change single fields of a YAML block in place, in their existing style, with every other byte unchanged."""

import json
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import yaml

from shared.core.errors import BadInputError
from shared.core.memory.yaml_read import YamlBlock, YamlField

#: Text that begins with a letter and has no sign of YAML syntax; words that YAML reads as other values are listed
#: below.
_PLAIN = re.compile(r"[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*")
_BARE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NOT_STRINGS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
#: Characters that YAML does not allow as printable, and line breaks and marks that readers treat differently.
_UNPRINTABLE = re.compile(r"[\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LITERAL_CONTROL = re.compile(r"[\x00-\x1f]|" + _UNPRINTABLE.pattern)


def emit_key(name: str) -> str:
    """Return a field's name, quoted unless it is a plain word."""
    return name if _BARE_WORD.fullmatch(name) and not _is_reserved(name) else quote(name)


def emit_inline(value: object, style: str = "") -> str:
    """Return a value on one line. `style` is the quote of the strings before: `'`, `"` or nothing for plain.

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
    """Return a string in the requested style if YAML reads it back unchanged, else double-quoted."""
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
        raise BadInputError("The text contains half of a surrogate pair, which cannot be stored in a file; remove it.")
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def is_same(left: object, right: object) -> bool:
    """Tell whether two values are written alike: `1`, `1.0` and `true` differ, a tuple equals a list."""
    if is_list(left) and is_list(right):
        return len(left) == len(right) and all(map(is_same, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return list(left) == list(right) and all(is_same(left[key], right[key]) for key in left)
    if isinstance(left, float) and isinstance(right, float):
        return repr(left) == repr(right)
    return type(left) is type(right) and left == right


def _key_of(value: object) -> Hashable:
    """Return a key that is equal for two values exactly if `is_same` holds."""
    if is_list(value):
        return (list, *map(_key_of, value))
    if isinstance(value, Mapping):
        return (dict, *((key, _key_of(item)) for key, item in value.items()))
    return (type(value), value if isinstance(value, str | int) else repr(value))


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Tell whether a value is a list or a tuple; a text is not."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _is_reserved(word: str) -> bool:
    return word.lower() in _NOT_STRINGS


def _emit_float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    # YAML 1.1 reads `1e-07` as a string: its floats need a point.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Replace the block's characters from `start` up to `end` by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEditor:
    """A planner of edits of one block. With `keeps_items`, list items that stay keep their spelling and comments."""

    inner: str
    block: YamlBlock
    newline: str
    keeps_items: bool = True

    def rewrite(self, changes: dict[str, object]) -> str:
        """Return the block with these fields changed in place, and new ones at its end."""
        known = {name: value for name, value in changes.items() if name in self.block.fields}
        result = self.inner
        for edit in sorted((self.plan_edit(*item) for item in known.items()), key=lambda edit: -edit.start):
            result = result[: edit.start] + edit.text + result[edit.end :]
        indent = " " * self.block.column
        fresh = [line for name, value in changes.items() if name not in known for line in emit_field(name, value)]
        return result + "".join(indent + line + self.newline for line in fresh)

    def plan_edit(self, name: str, value: object) -> Edit:
        """Find the part of the block with a field's value, and the text to write there."""
        field = self.block.fields[name]
        node = field.node
        if _is_inline(node):
            return self._replace_inline(field, value)
        end = self._end_of(field)
        if isinstance(node, yaml.SequenceNode) and is_list(value) and value:
            return self._replace_items(node, end, field.value, value)
        style = "" if isinstance(node, yaml.CollectionNode) else '"'
        return Edit(start=self._colon_end(field), end=end, text=f" {emit_inline(value, style)}{self.newline}")

    def _replace_inline(self, field: YamlField, value: object) -> Edit:
        node = field.node
        start, end = node.start_mark.index, node.end_mark.index
        if start == end:
            start = end = self._colon_end(field)
        space = "" if self.inner[start - 1 : start].isspace() else " "
        if not (isinstance(node, yaml.SequenceNode) and is_list(value)):
            return Edit(start=start, end=end, text=space + emit_inline(value, _style_of(node)))
        spelled = [self.inner[item.start_mark.index : item.end_mark.index] for item in node.value]
        items = self._emit_items(field.value, spelled, value, _style_of(node))
        return Edit(start=start, end=end, text=f"{space}[{', '.join(items)}]")

    def _replace_items(self, node: yaml.SequenceNode, end: int, old: object, new: Sequence[object]) -> Edit:
        starts = [item.start_mark.index for item in node.value]
        stops = [*(self._line_start(start) for start in starts[1:]), end]
        spelled = [self.inner[start:stop].rstrip() for start, stop in zip(starts, stops, strict=True)]
        first_line = self._line_start(starts[0])
        dash = self.inner[first_line : self.inner.index("-", first_line) + 1]
        items = self._emit_items(old, spelled, new, _style_of(node))
        return Edit(start=first_line, end=end, text="".join(f"{dash} {item}{self.newline}" for item in items))

    def _emit_items(self, old: object, spelled: list[str], new: Sequence[object], style: str) -> list[str]:
        before: dict[Hashable, str] = {}
        if self.keeps_items and isinstance(old, list):
            for known, text in zip(old, spelled, strict=True):
                before.setdefault(_key_of(known), text)
        return [before.get(_key_of(item)) or emit_inline(item, style) for item in new]

    def _end_of(self, field: YamlField) -> int:
        """Return where a block value ends: blank lines and comments before the next field are not part of it."""
        start = field.key.start_mark.index
        later = [other.key.start_mark.index for other in self.block.fields.values()]
        end = self._line_start(min((index for index in later if index > start), default=-1))
        # In a block scalar an indented `# …` is text, elsewhere it is a comment.
        comment_column = self.block.column if isinstance(field.node, yaml.ScalarNode) else len(self.inner)
        while end > start:
            last = self.inner[self._line_start(end - 1) : end]
            stripped = last.lstrip(" \t")
            if stripped.strip() and not (stripped[0] == "#" and len(last) - len(stripped) <= comment_column):
                break
            end -= len(last)
        return end

    def _colon_end(self, field: YamlField) -> int:
        return self.inner.index(":", field.key.end_mark.index) + 1

    def _line_start(self, index: int) -> int:
        """Return where the line of a character starts; -1 stands for the end of the block."""
        return len(self.inner) if index < 0 else self.inner.rfind("\n", 0, index) + 1


def _is_inline(node: yaml.Node) -> bool:
    if isinstance(node, yaml.CollectionNode):
        return bool(node.flow_style)
    return getattr(node, "style", None) not in ("|", ">")


def _style_of(node: yaml.Node) -> str:
    """Return the quote of a scalar, or of a list's first string."""
    if isinstance(node, yaml.SequenceNode):
        return next((_style_of(item) for item in node.value if isinstance(item, yaml.ScalarNode)), "")
    style = getattr(node, "style", None)
    return style if style in ("'", '"') else ""
