"""Join texts into one note: the target unchanged, plus each statement of the others that it may not contain yet.

Similarity decides nothing here. A statement is dropped only if the note has the same wording under the same headings;
otherwise it is kept as written, in the section where it belongs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.memory.frontmatter import body_of, split_frontmatter
from shared.core.merging.statements import (
    ALSO_TITLED,
    StatedText,
    Statement,
    is_said,
    is_titled,
    known_of,
    lean,
    openings_of,
    read_statements,
    units_of,
    wording_in,
)
from shared.core.text.markdown import (
    HEAD_ROWS,
    Block,
    BlockKind,
    Section,
    find_above,
    opens_with_pointer,
    read_sections,
    write_sections,
)
from shared.core.text.wording import wording_of
from workers.offline.outline import Outline, add_block, extend_unit, open_with

_TITLE_LEVEL = 2
#: The most statements of a text for which a place to extend is searched: each search reads a whole section.
_MOST_CONTINUED = 200


@dataclass(slots=True)
class _Joined:
    """The unfinished text, its title, and its statements so far."""

    outline: Outline
    title: str
    known: set[tuple[tuple[str, ...], str]]
    has_grown: bool = False
    continued: int = 0


def merge_bodies(target: str, sources: Sequence[str]) -> str:
    """Return the target's body plus every statement of the sources that it may not contain yet, titles included."""
    told = read_statements(target)
    joined = _Joined(Outline(read_sections(body_of(target))), told.title, set(known_of(told)))
    for source in sources:
        _join(joined, source)
    grown = write_sections(joined.outline.sections()) if joined.has_grown else body_of(target).strip("\n")
    return _add_titles(grown, split_frontmatter(target).raw, (target, *sources))


def _join(joined: _Joined, source: str) -> None:
    """Add the new statements of a source to the text, under the same headings."""
    its = read_statements(source)
    sections = read_sections(body_of(source))
    chains = find_above(sections)
    for number, (section, above) in enumerate(zip(sections, chains, strict=True)):
        blocks = tuple(lean(section.blocks))
        for at, block in enumerate(blocks):
            _join_block(joined, block, its, above, is_first=at == 0)
        has_children = number + 1 < len(chains) and len(chains[number + 1]) > len(above)
        if above and not blocks and not has_children:
            _add(joined, None, above)


def _join_block(joined: _Joined, block: Block, its: StatedText, above: tuple[Section, ...], *, is_first: bool) -> None:
    under = tuple(wording_of(section.heading) for section in above)
    fresh: list[str] = []
    for number, unit in enumerate(units_of(block)):
        opens = is_first and number == 0 and block.kind is BlockKind.PROSE and opens_with_pointer(unit)
        needed = its.title if opens and not under else ""
        statement = Statement(text=unit, wording=wording_in(block, unit), under=under, title=needed)
        if not statement.wording or is_said(statement, its.title, joined.title, joined.known):
            continue
        moved = needed and needed != joined.title
        if not moved and block.kind in {BlockKind.PROSE, BlockKind.WHOLE} and _extend(joined, statement, above):
            continue
        if not opens:
            fresh.append(unit)
            joined.known.add((under, statement.wording))
            continue
        # It refers to its heading, so it opens that section, or a section named after its source's title.
        named = Section(level=_TITLE_LEVEL, heading=f"## {its.title_text}")
        joined.known.add(((its.title, *under) if moved else under, statement.wording))
        _add(joined, block.with_units([unit]), (named, *above) if moved else above, opens=True)
    if fresh:
        _add(joined, _reduce(block, fresh), above)


def _extend(joined: _Joined, statement: Statement, above: tuple[Section, ...]) -> bool:
    """Replace a sentence by a statement that begins with it; return whether this was done."""
    openings = frozenset(openings_of(statement)) if joined.continued < _MOST_CONTINUED else frozenset()
    if not any((statement.under, opening) in joined.known for opening in openings):
        return False
    joined.continued += 1
    node = joined.outline.find(above)
    grown = extend_unit(node.section, openings, statement.text)
    if grown is None:
        return False
    node.section = grown
    joined.known.add((statement.under, statement.wording))
    joined.has_grown = True
    return True


def _reduce(block: Block, fresh: Sequence[str]) -> Block:
    """Return a block with only its new units; a table keeps its head."""
    if len(fresh) == len(units_of(block)):
        return block
    if block.kind is BlockKind.TABLE:
        rows = set(fresh)
        return block.with_units(row for at, row in enumerate(block.units) if at < HEAD_ROWS or row in rows)
    return block.with_units(fresh)


def _add(joined: _Joined, block: Block | None, above: Sequence[Section], *, opens: bool = False) -> None:
    node = joined.outline.find(above)
    if block is not None:
        node.section = (open_with if opens else add_block)(node.section, block)
    joined.has_grown = True


def _add_titles(text: str, frontmatter: str, sources: Sequence[str]) -> str:
    """List at the head of a text the titles of its sources that occur nowhere in it."""
    told = read_statements(frontmatter + text)
    missing: dict[str, str] = {}
    for source in map(read_statements, sources):
        if not is_titled(source, told):
            missing.setdefault(source.title, source.title_text)
    if not missing:
        return text
    outline = Outline(read_sections(text))
    for title in missing.values():
        said = Block(kind=BlockKind.PROSE, units=(f"{ALSO_TITLED}{title.rstrip('.')}.",))
        outline.head.section = add_block(outline.head.section, said)
    return write_sections(outline.sections())
