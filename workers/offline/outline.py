"""The outline of a growing text: a tree of its headings, each with the blocks directly below it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from shared.core.merging.statements import lean, leans, wording_in
from shared.core.text.markdown import LABEL_LEVEL, Block, BlockKind, Section, is_step, split_sentences
from shared.core.text.wording import wording_of

_DEEPEST = 6


@dataclass(slots=True)
class Node:
    """One heading with its blocks and the headings below it; the root has the text's title among its children."""

    section: Section
    children: list["Node"] = field(default_factory=list)
    by_wording: dict[str, "Node"] = field(default_factory=dict)
    lowest: int = LABEL_LEVEL  # the lowest level of a child

    def adopt(self, node: "Node") -> "Node":
        """Add a heading below this one, after the others."""
        self.children.append(node)
        self.by_wording.setdefault(wording_of(node.section.heading), node)
        self.lowest = min(self.lowest, node.section.level)
        return node


class Outline:
    """A text as a tree. Blocks can be added under headings that do not exist yet."""

    def __init__(self, sections: Sequence[Section]) -> None:
        """Build the tree from the sections of a text."""
        self._root = Node(sections[0])
        self.head = self._root
        open_ones = [self._root]
        for section in sections[1:]:
            node = Node(section)
            if section.level == 1 and self.head is self._root:
                self.head = node
                self._root.children.append(node)
                open_ones = [self._root]
                continue
            while len(open_ones) > 1 and open_ones[-1].section.level >= section.level:
                open_ones.pop()
            open_ones.append(open_ones[-1].adopt(node))

    def find(self, above: Sequence[Section]) -> Node:
        """Return the place under these headings; missing headings are created."""
        node = self._root
        for heading in above:
            found = node.by_wording.get(wording_of(heading.heading))
            node = found or node.adopt(Node(self._fit(heading, node)))
        return self.head if node is self._root else node

    def _fit(self, heading: Section, parent: Node) -> Section:
        """Return a heading without blocks, with a level below its parent and equal to the other children."""
        fewest = 2 if self.head is self._root else 1
        above = 0 if parent is self._root else parent.section.level
        level = max(fewest, above + 1, min(heading.level, parent.lowest if parent.children else heading.level))
        text = heading.heading
        if level != heading.level and level <= _DEEPEST:
            text = f"{'#' * level} {heading.heading.strip('#* ').rstrip(':')}"
        return replace(heading, level=level, heading=text, gap=1, blocks=())

    def sections(self) -> tuple[Section, ...]:
        """Return the sections in the order of the text."""
        return tuple(self._walk(self._root))

    def _walk(self, node: Node) -> Iterator[Section]:
        yield node.section
        for child in node.children:
            yield from self._walk(child)


def add_block(section: Section, block: Block) -> Section:
    """Add a block to a section: list items join the last list, sentences the last paragraph, other blocks stay separate.

    Nothing is appended to a sentence that forms one statement with the paragraph above it: its meaning would change.
    """
    if block.kind is BlockKind.TABLE:
        return _add_rows(section, block)
    at = _end_of(section.blocks)
    grown = _join(section.blocks[at - 1], block) if at else None
    if grown is not None and not (at > 1 and leans(section.blocks[at - 2], section.blocks[at - 1])):
        return replace(section, blocks=(*section.blocks[: at - 1], grown, *section.blocks[at:]))
    gap = 1
    if not at and section.level:
        gap = 0 if section.level == LABEL_LEVEL else block.gap
    following = tuple(replace(one, gap=max(1, one.gap)) for one in section.blocks[at:])
    return replace(section, blocks=(*section.blocks[:at], replace(block, gap=gap), *following))


def _end_of(blocks: Sequence[Block]) -> int:
    """Return the position for a new block: before a last line such as `The rules are:`, which introduces something else."""
    at = len(blocks)
    while at and blocks[at - 1].kind is BlockKind.PROSE and blocks[at - 1].units[-1].rstrip("*_ ").endswith(":"):
        at -= 1
    return at


def open_with(section: Section, block: Block) -> Section:
    """Insert a block before all others of a section."""
    first = replace(block, gap=0 if section.level == LABEL_LEVEL else 1)
    return replace(section, blocks=(first, *(replace(one, gap=max(1, one.gap)) for one in section.blocks)))


def extend_unit(section: Section, openings: Collection[str], text: str) -> Section | None:
    """Replace what a statement begins with by the statement; None if nothing can be replaced.

    Args:
        section: the section to search.
        openings: the wordings of the sentences and paragraphs that the statement begins with.
        text: the new statement.
    """
    blocks = tuple(lean(section.blocks))
    for number, block in enumerate(blocks):
        for at, unit in enumerate(block.units if block.kind in {BlockKind.PROSE, BlockKind.WHOLE} else ()):
            if wording_in(block, unit) not in openings:
                continue
            units = (*block.units[:at], text, *block.units[at + 1 :])
            grown = block.with_units(units)
            if "\n\n" in text and at == len(block.units) - 1:
                grown = Block(kind=BlockKind.WHOLE, units=(" ".join(units),), gap=block.gap)
            elif block.kind is BlockKind.WHOLE or split_sentences(" ".join(units)) != units:
                return None
            return replace(section, blocks=(*blocks[:number], grown, *blocks[number + 1 :]))
    return None


def _join(last: Block, block: Block) -> Block | None:
    """Append the units of a block to the last block; None if they would not be read back as the same units."""
    if last.kind is not block.kind or block.kind not in {BlockKind.LIST, BlockKind.PROSE}:
        return None
    units = (*last.units, *block.units)
    if block.kind is BlockKind.PROSE:
        joined = " ".join(units)
        if last.units[-1].rstrip("*_ ").endswith(":") or split_sentences(joined) != units:
            return None
    elif is_step(last.units[-1]) or is_step(block.units[0]):
        return None
    # An unchanged block keeps its line breaks; new lines are added below.
    is_wrapped = len(last.lines) > 1 or (bool(last.lines) and block.kind is BlockKind.LIST)
    return replace(last, units=units, lines=(*last.lines, *block.units) if is_wrapped else ())


def _add_rows(section: Section, table: Block) -> Section:
    """Add a table's rows to the section's table with the same columns, or else the whole table at the end."""
    for at, block in enumerate(section.blocks):
        if block.kind is BlockKind.TABLE and _squeeze(block.units[0]) == _squeeze(table.units[0]):
            rows = [row for row in table.units[1:] if set(row) - set("|-: ")]
            return replace(
                section,
                blocks=(*section.blocks[:at], block.with_units((*block.units, *rows)), *section.blocks[at + 1 :]),
            )
    return replace(section, blocks=(*section.blocks, replace(table, gap=1)))


def _squeeze(row: str) -> str:
    return " ".join(row.split())
