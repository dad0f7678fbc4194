"""The outline of a growing text: a tree of its headings, each with the blocks directly below it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from shared.core.merging.statements import leans
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


def add_behind(section: Section, opening: str, added: Sequence[Block]) -> Section | None:
    """Insert blocks after those that end with a text; None if there are none, or if the next block refers back to them."""
    for start, first in enumerate(section.blocks):
        if start and leans(section.blocks[start - 1], first):
            continue
        said, end = first.units[-1] if first.kind is BlockKind.PROSE else first.render(), start + 1
        while said != opening and opening.startswith(said) and end < len(section.blocks):
            said += "\n" * (section.blocks[end].gap + 1) + section.blocks[end].render()
            end += 1
        if said != opening:
            continue
        if end < len(section.blocks) and leans(section.blocks[end - 1], section.blocks[end]):
            return None
        first_added, *others = added
        blocks = (*section.blocks[:end], replace(first_added, gap=1), *others, *section.blocks[end:])
        return replace(section, blocks=blocks)
    return None


def extend_unit(section: Section, openings: Collection[str], text: str) -> Section | None:
    """Replace a sentence by a statement that begins with it; None if no sentence can be replaced.

    Args:
        section: the section to search.
        openings: the wordings of the sentences that the statement begins with.
        text: the new statement.
    """
    for number, block in enumerate(section.blocks):
        for at, unit in enumerate(block.units if block.kind is BlockKind.PROSE else ()):
            if wording_of(unit) not in openings:
                continue
            units = (*block.units[:at], text, *block.units[at + 1 :])
            is_whole = _stands_alone(section.blocks, number, at) and split_sentences(" ".join(units)) == units
            blocks = (*section.blocks[:number], block.with_units(units), *section.blocks[number + 1 :])
            return replace(section, blocks=blocks) if is_whole else None
    return None


def _stands_alone(blocks: Sequence[Block], number: int, at: int) -> bool:
    """Tell whether a unit is independent: its paragraph refers to no other one, and no later one refers to it."""
    block, following = blocks[number], blocks[number + 1 : number + 2]
    leans_back = number > 0 and leans(blocks[number - 1], block)
    is_leant_on = at == len(block.units) - 1 and any(leans(block, one) for one in following)
    return not leans_back and not is_leant_on


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
