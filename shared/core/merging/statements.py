"""The statements of a text, and which of them another text surely says.

A statement is what may not be torn apart: a sentence with those that point back to it, a list item, a table's row, a whole list of
steps, a piece of code. It says what it says under its headings. Nothing but the same wording under the same headings is surely the
same statement, so in doubt a statement counts as another one and stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.text.markdown import (
    Block,
    BlockKind,
    Section,
    find_above,
    group_items,
    opens_with_pointer,
    points_back,
    read_sections,
    split_at_stops,
    stands_alone,
)
from shared.core.text.remember import remember_last
from shared.core.text.wording import wording_of

#: The day of a relative date, as a dream writes it after the phrase.
DAY_BEHIND = re.compile(r"\s?\((?:week of )?\d{4}(?:-\d{2}){0,2}[^()\n]{0,20}\)")
#: How a title is kept that a merged text does not have as a heading.
ALSO_TITLED = "Also titled: "

#: Of a statement of many paragraphs, this many count as its beginning.
_MOST_PARAGRAPHS = 8
#: The most sentences of an opening; a longer one is not known as said, so that it stays.
_MOST_SENTENCES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement: as it is written, its normal form, the headings above it, and the title that it needs."""

    text: str
    wording: str
    under: tuple[str, ...] = ()
    title: str = ""  # of its text, when the statement points back to it


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedText:
    """All that a text says: its title's wording and its statements in order."""

    title: str
    title_text: str
    statements: tuple[Statement, ...]


@remember_last
def read_statements(text: str) -> StatedText:
    """Return what a text says, with or without frontmatter."""
    named = read_fields(text).get("title") if text.startswith("---") else None
    sections = read_sections(body_of(text))
    head = next((section.heading for section in sections if section.level == 1), "")
    title_text = head.lstrip("#").strip() or ("" if named is None else str(named))
    title = wording_of(title_text)
    chains = find_chains(sections)
    found: list[Statement] = []
    for number, (section, under) in enumerate(zip(sections, chains, strict=True)):
        statements = list(_statements_of(section, under, title))
        has_children = number + 1 < len(chains) and len(chains[number + 1]) > len(under)
        if under and not section.blocks and not has_children:
            statements = [Statement(text=section.heading, wording=under[-1], under=under[:-1])]
        found += statements
    if head and named is not None and wording_of(str(named)) not in {title, ""}:
        found.append(Statement(text=str(named), wording=wording_of(f"{ALSO_TITLED}{named}")))
    return StatedText(title=title, title_text=title_text, statements=tuple(found))


def _statements_of(section: Section, under: tuple[str, ...], title: str) -> Iterator[Statement]:
    is_first = True
    for block in lean(section.blocks):
        for unit in units_of(block):
            is_pointer = is_first and not under and block.kind is BlockKind.PROSE and opens_with_pointer(unit)
            is_first = False
            wording = wording_in(block, unit)
            if wording:
                yield Statement(text=unit, wording=wording, under=under, title=title if is_pointer else "")


def find_chains(sections: Sequence[Section]) -> tuple[tuple[str, ...], ...]:
    """Return the wordings of the headings above and of each section, outermost first, without the text's title."""
    return tuple(tuple(wording_of(one.heading) for one in above) for above in find_above(sections))


def lean(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks, one that leans on the unit before it together with that unit as one piece."""
    held: Block | None = None
    for block in blocks:
        if held is not None and leans(held, block):
            before, last = held.units[:-1], held.units[-1]
            if before:
                yield held.with_units(before)
            piece = "\n" * (block.gap + 1) + block.render()
            held = Block(kind=BlockKind.WHOLE, units=(last + piece,), gap=held.gap)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def leans(before: Block, block: Block) -> bool:
    """Tell whether a block is one statement together with the last unit of the block above it."""
    if before.kind not in {BlockKind.PROSE, BlockKind.WHOLE} or not before.units:
        return False
    if before.kind is BlockKind.PROSE and before.units[-1].rstrip("*_ ").endswith(":"):
        return True
    return block.kind is BlockKind.PROSE and bool(block.units) and points_back(block.units[0])


def units_of(block: Block) -> tuple[str, ...]:
    """Return a block's statements: the steps of a numbered list are one."""
    return tuple(map("\n".join, group_items(block.units))) if block.kind is BlockKind.LIST else block.units


def wording_in(block: Block, unit: str) -> str:
    """Return the normal form of a unit of a block: code as it is, a row under its table's head."""
    if block.kind is BlockKind.WHOLE:
        return _lines_of(unit)
    if block.kind is BlockKind.TABLE:
        row = _cells_of(unit)
        head = _cells_of(block.units[0])
        return "" if not set(unit) - set("|-: ") else row if row == head else f"{head}\n{row}"
    if "\n" in unit and block.kind is BlockKind.LIST:
        return "\n".join(f"{len(line) - len(line.lstrip())} {wording_of(line)}" for line in unit.splitlines())
    return wording_of(unit)


def _cells_of(row: str) -> str:
    return " | ".join(" ".join(cell.split()) for cell in row.strip().strip("|").split("|"))


def find_unsaid(merged: str, sources: Sequence[str]) -> tuple[Statement, ...]:
    """Return the statements of the sources that a merged text does not surely say, titles included."""
    told = read_statements(merged)
    known = known_of(told)
    missing: dict[tuple[tuple[str, ...], str], Statement] = {}
    for source in map(read_statements, sources):
        for statement in source.statements:
            if not is_said(statement, source.title, told.title, known):
                missing.setdefault((statement.under, statement.wording), statement)
        if not is_titled(source, told):
            missing.setdefault(((), source.title), Statement(text=source.title_text, wording=source.title))
    return tuple(missing.values())


def find_unsupported(merged: str, sources: Sequence[str]) -> tuple[Statement, ...]:
    """Return the statements of a merged text that no source says: a model's own words."""
    told = read_statements(merged)
    read = tuple(map(read_statements, sources))
    known = {(s.under, s.wording) for one in read for s in one.statements}
    known |= {((one.title, *s.under), s.wording) for one in read for s in one.statements}
    words = {wording for one in read for s in one.statements for wording in s.under}
    titles = {one.title for one in read} | words
    also = {wording_of(f"{ALSO_TITLED}{one.title_text}") for one in read}
    found = [s for s in told.statements if (s.under, s.wording) not in known and s.wording not in titles | also]
    if told.title and told.title not in titles:
        found.insert(0, Statement(text=told.title_text, wording=told.title))
    return tuple(found)


def known_of(told: StatedText) -> frozenset[tuple[tuple[str, ...], str]]:
    """Return what a text says in the form that `is_said` looks up."""
    found = {(statement.under, statement.wording) for statement in told.statements}
    # `Yesterday (2026-03-04)` says `yesterday`, too; not the other way round.
    dated = (statement for statement in told.statements if DAY_BEHIND.search(statement.text))
    found |= {(one.under[:at], heading) for one in told.statements for at, heading in enumerate(one.under)}
    found |= {(one.under, wording_of(DAY_BEHIND.sub("", one.text))) for one in dated}
    found |= {(one.under, behind) for one in told.statements for behind in _find_behind(one)}
    return frozenset(found | {(one.under, opening) for one in told.statements for opening in openings_of(one)})


def _find_behind(statement: Statement) -> Iterator[str]:
    """Yield the sentences of the paragraphs that a statement goes on with, if they mean the same without its beginning."""
    if "```" in statement.text or "~~~" in statement.text:
        return
    for paragraph in filter(stands_alone, statement.text.split("\n\n")[1:_MOST_PARAGRAPHS]):
        blocks = [block for section in read_sections(paragraph) for block in section.blocks]
        yield from (
            wording_in(block, unit) for block in blocks if block.kind is BlockKind.PROSE for unit in units_of(block)
        )


def openings_of(statement: Statement) -> Iterator[str]:
    """Yield the sentences and paragraphs with which a statement of several begins: they are said by it, too."""
    yield from map(_lines_of, openings_in(statement.text))
    first, more, _ = statement.text.partition("\n\n")
    parts = split_at_stops(first) if "\n" not in first else ()
    for count in range(1, min(len(parts) + bool(more), _MOST_SENTENCES + 1)):
        yield wording_of(" ".join(parts[:count]))


def openings_in(text: str) -> tuple[str, ...]:
    """Return the paragraphs with which a statement of several paragraphs begins, fewest first, from two on; not a part of code."""
    found, begun = [], text.split("\n\n", _MOST_PARAGRAPHS)
    for count in range(2, len(begun)):
        opening = "\n\n".join(begun[:count])
        is_open = opening.count("```") % 2 or opening.count("~~~") % 2
        if not is_open and not begun[count].startswith((" ", "\t", "\n")):
            found.append(opening)
    return tuple(found)


def _lines_of(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())


def is_said(
    statement: Statement,
    its_title: str,
    title: str,
    known: frozenset[tuple[tuple[str, ...], str]] | set[tuple[tuple[str, ...], str]],
) -> bool:
    """Tell whether a text of this title that says all of `known` surely says a statement of a text of its title."""
    if its_title and ((its_title, *statement.under), statement.wording) in known:
        return True
    return (not statement.title or its_title == title) and (statement.under, statement.wording) in known


def is_titled(source: StatedText, told: StatedText) -> bool:
    """Tell whether a text has the title of another one, as its own, as a heading or in words."""
    if source.title in {"", told.title}:
        return True
    also = wording_of(f"{ALSO_TITLED}{source.title_text}")
    return any(source.title in (*said.under, said.wording) or said.wording == also for said in told.statements)
