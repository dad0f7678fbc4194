"""Split a memory's body into sections of blocks, so that texts can be joined by sentence and by bullet.

Reading and writing a body back gives the same text, apart from blank lines at its ends.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from shared.languages.language_file import every_word

_HEADING = re.compile(r"(#{1,6})\s+\S")
#: The level of a bold label, below all headings.
LABEL_LEVEL = 7
#: The lines of a table's head: the column names and the rule below them.
HEAD_ROWS = 2
#: "**Files:**" or "Files:" on its own line is a heading, as ByteRover writes it.
_LABEL = re.compile(r"\*\*[^*\n]{1,60}:?\*\*:?\s*$|[A-Z][\w ]{1,40}:\s*$")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+\S")
_STEP = re.compile(r"(\d{1,9})[.)]\s")
_WHOLE = re.compile(r"\s{0,3}(>|<[!/a-zA-Z]|([-*_]\s*){3,}$)")
_INDENTED = re.compile(r"\s+\S")
#: A line that is code unless it follows a list.
_CODE = re.compile(r"(?: {4}|\t)\s*\S")
#: A full stop after one of these, or after an initial, ends no sentence; a missed split does no harm.
_ABBREVIATIONS = "e.g i.e etc vs cf approx No Fig Mr Mrs Ms Dr Prof St Gov Rep Sen Jr Sr Inc Ltd Corp Co Bros dept est al resp incl Art"
_NOT_AFTER = "".join(rf"(?<!\b{re.escape(word)}\.)" for word in _ABBREVIATIONS.split())
SENTENCE_GAP = re.compile(rf"(?<=[.!?])(?<!\b[A-Za-z]\.){_NOT_AFTER}\s+(?=[A-Z0-9`\"*(\[_])")
#: Where a sentence, a clause behind a semicolon or a line ends, whatever begins behind it.
CLAUSE_END = re.compile(rf"(?<=[.!?;])(?<!\b[A-Z]\.){_NOT_AFTER}\s+|\n+")
#: Words that refer to an earlier sentence: `It runs on 6380.` means nothing alone.
_POINTING = "|".join(sorted(every_word("pointing")))
#: Of them, those that refer to an earlier sentence wherever they stand in theirs; a pronoun mostly refers to something in its own.
_DEMONSTRATIVE = re.compile(
    r"(?<!\w)(?:this|these|those|former|latter|dies(?:e[rs]?)?|dort|sonst|cela|ellos?)(?!\w)", re.IGNORECASE
)
#: Words that refer back only at the beginning of a sentence or alone; elsewhere they may do something else.
_OPENING = "|".join(sorted(every_word("opening")))
_POINTS_BACK = re.compile(
    rf"(?<!\w)(?:{_POINTING})(?!\w)|^\W*(?:{_OPENING}|also(?! titled:))(?!\w)|"
    r"(?<!\w)(?:that|there|so|then|instead)(?=\s*[.,;!?]|\s*$)",
    re.IGNORECASE,
)


#: A pronoun after this many words mostly refers to something in its own sentence.
_OPENING_WORDS = 3


class BlockKind(StrEnum):
    """The kind of a block's units: sentences, list items, table rows, or one piece that is kept whole."""

    PROSE = "prose"
    LIST = "list"
    TABLE = "table"
    WHOLE = "whole"  # fenced or indented code, quotes, HTML, rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Units that belong together. `lines` are as written; an edited block is written from its `units`."""

    kind: BlockKind
    units: tuple[str, ...]
    lines: tuple[str, ...] = ()
    gap: int = 1  # blank lines before it

    def with_units(self, units: Iterable[str]) -> "Block":
        """Return the block with these units instead, to be rendered again."""
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
    found: list[tuple[int, str, int, list[Block]]] = [(0, "", 0, [])]
    lines = body.strip("\n").splitlines()
    start, gap = 0, 0
    while start < len(lines):
        if not lines[start].strip():
            start, gap = start + 1, gap + 1
            continue
        level = _heading_level(lines, start)
        if level:
            found.append((level, lines[start].rstrip(), gap, []))
            start, gap = start + 1, 0
            continue
        kind, end = _find_block(lines, start)
        found[-1][3].append(_read_block(kind, lines[start:end], gap))
        start, gap = end, 0
    return tuple(
        Section(level=level, heading=head, gap=gap, blocks=tuple(blocks)) for level, head, gap, blocks in found
    )


def write_sections(sections: Sequence[Section]) -> str:
    """Return the text of sections, without blank lines at its ends."""
    parts: list[str] = []
    for section in sections:
        if section.heading:
            parts.append("\n" * section.gap + section.heading)
        parts.extend("\n" * block.gap + block.render() for block in section.blocks)
    return "\n".join(parts).strip("\n")


def find_above(sections: Sequence[Section]) -> tuple[tuple[Section, ...], ...]:
    """Return the headings above each section, outermost first, its own last, without the text's title."""
    found: list[tuple[Section, ...]] = []
    above: tuple[Section, ...] = ()
    has_title = False
    for section in sections:
        if section.level == 1 and not has_title:
            has_title, above = True, ()
        elif section.level:
            above = (*(one for one in above if one.level < section.level), section)
        found.append(above)
    return tuple(found)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a paragraph, each on one line; one that refers back stays with the one before it."""
    found: list[list[str]] = []
    for part in split_at_stops(text):
        if found and points_back(part):
            found[-1].append(part)
        elif part:
            found.append([part])
    return tuple(" ".join(parts) for parts in found)


def opens_with_pointer(unit: str) -> bool:
    """Tell whether one of the first words of a unit refers back, before the unit has named anything."""
    return points_back(" ".join(unit.split(maxsplit=_OPENING_WORDS)[:_OPENING_WORDS]))


def stands_alone(paragraph: str) -> bool:
    """Tell whether a paragraph with which a text begins means the same below another paragraph."""
    first = SENTENCE_GAP.split(paragraph, maxsplit=1)[0]
    return not opens_with_pointer(paragraph) and _DEMONSTRATIVE.search(first) is None


def split_at_stops(text: str) -> tuple[str, ...]:
    """Return the sentences of a paragraph one by one."""
    return tuple(SENTENCE_GAP.split(" ".join(text.split())))


def points_back(unit: str) -> bool:
    """Tell whether the first sentence of a unit refers to something that only the sentence before it names."""
    return _POINTS_BACK.search(SENTENCE_GAP.split(unit, maxsplit=1)[0]) is not None


def _heading_level(lines: Sequence[str], at: int) -> int:
    found = _HEADING.match(lines[at])
    if found:
        return len(found[1])
    has_more = at + 1 < len(lines) and bool(lines[at + 1].strip())
    return LABEL_LEVEL if has_more and _LABEL.match(lines[at]) else 0


def _find_block(lines: Sequence[str], start: int) -> tuple[BlockKind, int]:
    """Return the kind and the end of the block that begins at a line."""
    fence = _FENCE.match(lines[start])
    if fence:
        closing = (at for at in range(start + 1, len(lines)) if lines[at].strip().startswith(fence[1]))
        return BlockKind.WHOLE, next(closing, len(lines) - 1) + 1
    if _ITEM.match(lines[start]):
        return BlockKind.LIST, _end_of_list(lines, start)
    if _CODE.match(lines[start]):
        return BlockKind.WHOLE, _end_of_code(lines, start)
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


def _end_of_code(lines: Sequence[str], start: int) -> int:
    """Return the end of indented code, including blank lines between two of its lines."""
    end = start + 1
    for at in range(start + 1, len(lines)):
        if _CODE.match(lines[at]):
            end = at + 1
        elif lines[at].strip():
            break
    return end


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


def is_step(item: str) -> bool:
    """Tell whether a list item is a step: its position in the list is part of its meaning."""
    return _STEP.match(item) is not None


def group_items(items: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the items of a list one by one, and the steps of a numbered list together."""
    groups: list[list[str]] = []
    for item in items:
        if groups and _follows(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return tuple(map(tuple, groups))


def _follows(group: Sequence[str], item: str) -> bool:
    """Tell whether an item continues a list of steps; `1.` after a higher number begins another list."""
    before, number = _STEP.match(group[-1]), _STEP.match(item)
    if before is None or number is None:
        return False
    is_all_ones = int(before[1]) == int(number[1]) and all(
        int(found[1]) == int(number[1]) for one in group if (found := _STEP.match(one))
    )
    return int(number[1]) > int(before[1]) or is_all_ones


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
