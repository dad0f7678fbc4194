"""Split a memory's body into sections of blocks, so that texts can be joined by sentence and by bullet.

Reading and writing a body back gives the same text, apart from blank lines at its ends.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

_HEADING = re.compile(r"(#{1,6})\s+\S")
#: "**Files:**" or "Files:" on a line of its own heads what follows, as ByteRover writes it.
_LABEL = re.compile(r"\*\*[^*\n]{1,60}:?\*\*:?\s*$|[A-Z][\w ]{1,40}:\s*$")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+\S")
_WHOLE = re.compile(r"\s{0,3}(>|<[!/a-zA-Z]|([-*_]\s*){3,}$)")
_INDENTED = re.compile(r"\s+\S")
#: A stop after one of these, or after an initial, ends no sentence; not to split costs nothing.
_ABBREVIATIONS = "e.g i.e etc vs cf approx No Fig Mr Mrs Ms Dr Prof St Gov Rep Sen Jr Sr Inc Ltd Corp Co Bros dept est al resp incl Art"
_NOT_AFTER = "".join(rf"(?<!\b{re.escape(word)}\.)" for word in _ABBREVIATIONS.split())
_SENTENCE_GAP = re.compile(rf"(?<=[.!?])(?<!\b[A-Za-z]\.){_NOT_AFTER}\s+(?=[A-Z0-9`\"*(\[_])")


class BlockKind(StrEnum):
    """The kind of a block's units: sentences, list items, table rows, or one piece that is kept whole."""

    PROSE = "prose"
    LIST = "list"
    TABLE = "table"
    WHOLE = "whole"  # fenced code, quotes, HTML, rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Units that belong together. `lines` are as written; an edited block is written from its `units`."""

    kind: BlockKind
    units: tuple[str, ...]
    lines: tuple[str, ...] = ()
    gap: int = 1  # blank lines before it

    def with_units(self, units: Iterable[str]) -> "Block":
        """Return the block with other units, to be written anew."""
        return replace(self, units=tuple(units), lines=())

    def render(self) -> str:
        """Return the block as text."""
        if self.lines:
            return "\n".join(self.lines)
        return (" " if self.kind is BlockKind.PROSE else "\n").join(self.units)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading (or a bold label, level 7) with the blocks under it; level 0 is the text before any heading."""

    level: int
    heading: str
    gap: int = 1
    blocks: tuple[Block, ...] = field(default=())


def read_sections(body: str) -> tuple[Section, ...]:
    """Return a body's sections in order; the first has level 0 and may be empty."""
    sections: list[tuple[Section, list[Block]]] = [(Section(level=0, heading="", gap=0), [])]
    lines = body.strip("\n").splitlines()
    start, gap = 0, 0
    while start < len(lines):
        if not lines[start].strip():
            start, gap = start + 1, gap + 1
            continue
        level = _heading_level(lines, start)
        if level:
            sections.append((Section(level=level, heading=lines[start].rstrip(), gap=gap), []))
            start, gap = start + 1, 0
            continue
        kind, end = _find_block(lines, start)
        sections[-1][1].append(_read_block(kind, lines[start:end], gap))
        start, gap = end, 0
    return tuple(replace(section, blocks=tuple(blocks)) for section, blocks in sections)


def write_sections(sections: Sequence[Section]) -> str:
    """Return the text of sections, without blank lines at its ends."""
    parts: list[str] = []
    for section in sections:
        if section.heading:
            parts.append("\n" * section.gap + section.heading)
        parts.extend("\n" * block.gap + block.render() for block in section.blocks)
    return "\n".join(parts).strip("\n")


def heading_words(heading: str) -> str:
    """Return a heading without its marks, in lower case, for comparison."""
    return " ".join(re.findall(r"\w+", heading.lower()))


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a paragraph, each on one line."""
    return tuple(part for part in _SENTENCE_GAP.split(" ".join(text.split())) if part)


def _heading_level(lines: Sequence[str], at: int) -> int:
    found = _HEADING.match(lines[at])
    if found:
        return len(found[1])
    has_more = at + 1 < len(lines) and bool(lines[at + 1].strip())
    return 7 if has_more and _LABEL.match(lines[at]) else 0


def _find_block(lines: Sequence[str], start: int) -> tuple[BlockKind, int]:
    """Return the kind of the block that begins at a line, and where it ends."""
    fence = _FENCE.match(lines[start])
    if fence:
        closing = (at for at in range(start + 1, len(lines)) if lines[at].strip().startswith(fence[1]))
        return BlockKind.WHOLE, next(closing, len(lines) - 1) + 1
    if _ITEM.match(lines[start]):
        return BlockKind.LIST, _end_of_list(lines, start)
    kind = _line_kind(lines[start])
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _begins_other(lines, end, kind):
        end += 1
    return kind, end


def _line_kind(line: str) -> BlockKind:
    if line.lstrip().startswith("|"):
        return BlockKind.TABLE
    return BlockKind.WHOLE if _WHOLE.match(line) else BlockKind.PROSE


def _begins_other(lines: Sequence[str], at: int, kind: BlockKind) -> bool:
    line = lines[at]
    if _FENCE.match(line) or _ITEM.match(line) or _heading_level(lines, at):
        return True
    return _line_kind(line) is not kind and not (kind is BlockKind.WHOLE and line.strip())


def _end_of_list(lines: Sequence[str], start: int) -> int:
    """Return the end of a list: items, their indented lines, and single blank lines between them."""
    end = start + 1
    while end < len(lines):
        line = lines[end]
        if line.strip():
            begins = _ITEM.match(line) or _INDENTED.match(line)
            if not begins and (_begins_other(lines, end, BlockKind.PROSE) or not lines[end - 1].strip()):
                break
        elif end + 1 >= len(lines) or not (_ITEM.match(lines[end + 1]) or _INDENTED.match(lines[end + 1])):
            break
        end += 1
    return end


def _read_block(kind: BlockKind, lines: Sequence[str], gap: int) -> Block:
    if kind is BlockKind.PROSE:
        units = split_sentences("\n".join(lines))
    elif kind is BlockKind.LIST:
        units = _split_items(lines)
    elif kind is BlockKind.TABLE:
        units = tuple(lines)
    else:
        units = ("\n".join(lines),)
    return Block(kind=kind, units=units, lines=tuple(lines), gap=gap)


def _split_items(lines: Sequence[str]) -> tuple[str, ...]:
    items: list[list[str]] = []
    for line in lines:
        if _ITEM.match(line) or not items:
            items.append([line])
        else:
            items[-1].append(line)
    return tuple("\n".join(item).rstrip() for item in items)
