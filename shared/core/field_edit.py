"""Changes one field of a YAML block in place: the same position, the same style, every other byte as it was."""

from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from shared.core.yaml_block import YamlBlock, YamlField
from shared.core.yaml_text import emit_field, emit_inline, is_list, is_same


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Put `text` in the place of the block's characters from `start` up to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEditor:
    """Plans edits of one block. With `keeps_items`, list items that stay keep their own spelling and comments."""

    inner: str
    block: YamlBlock
    newline: str
    keeps_items: bool = True

    def rewrite(self, changes: dict[str, object]) -> str:
        """Return the block with these fields changed where they stand, and new ones at its end."""
        known = {name: value for name, value in changes.items() if name in self.block.fields}
        result = self.inner
        for edit in sorted((self.plan_edit(*item) for item in known.items()), key=lambda edit: -edit.start):
            result = result[: edit.start] + edit.text + result[edit.end :]
        indent = " " * self.block.column
        fresh = [line for name, value in changes.items() if name not in known for line in emit_field(name, value)]
        return result + "".join(indent + line + self.newline for line in fresh)

    def plan_edit(self, name: str, value: object) -> Edit:
        """Find what of the block holds a field's value, and what to write there."""
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
        before = list(zip(old, spelled, strict=True)) if self.keeps_items and isinstance(old, list) else []
        return [
            next((text for known, text in before if is_same(known, item)), None) or emit_inline(item, style)
            for item in new
        ]

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
    """Return the quote that a scalar, or a list's first string, is written with."""
    if isinstance(node, yaml.SequenceNode):
        return next((_style_of(item) for item in node.value if isinstance(item, yaml.ScalarNode)), "")
    style = getattr(node, "style", None)
    return style if style in ("'", '"') else ""
