"""Join sections of texts with so many units that they are compared by their wording alone: one look at each."""

import re
from collections.abc import Sequence
from dataclasses import replace

from workers.offline.markdown import Block, BlockKind, Section, heading_words

_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")


def squeeze(text: str) -> str:
    """Return a unit without its marker, its case, its outer space and its stop."""
    return " ".join(_MARKER.sub("", text).lower().split()).rstrip(".")


def is_rule(row: str) -> bool:
    """Tell whether a table's row only divides its head from the rest."""
    return not set(row) - set("|-: ")


def join_by_wording(target: Sequence[Section], source: Sequence[Section]) -> list[Section]:
    """Return the target's sections with every unit of the source that stands nowhere in them in the same words."""
    known = {squeeze(unit) for section in target for block in section.blocks for unit in block.units}
    places: dict[str, int] = {}
    for number, section in enumerate(target):
        places.setdefault(heading_words(section.heading), number)
    added: list[list[Block]] = [[] for _ in target]
    fresh_sections: list[Section] = []
    for section in source:
        blocks = [fresh for block in section.blocks if (fresh := _find_fresh(block, known)) is not None]
        at = places.get(heading_words(section.heading))
        if blocks and at is None:
            fresh_sections.append(replace(section, gap=1, blocks=tuple(blocks)))
        elif at is not None:
            added[at] += blocks
    grown = [
        replace(section, blocks=(*section.blocks, *(replace(block, gap=1) for block in blocks))) if blocks else section
        for section, blocks in zip(target, added, strict=True)
    ]
    return [*grown, *fresh_sections]


def _find_fresh(block: Block, known: set[str]) -> Block | None:
    """Return a block with the units that are not known, and make them known."""
    is_table = block.kind is BlockKind.TABLE
    kept: list[str] = []
    for unit in block.units:
        words = squeeze(unit)
        if words not in known and not (is_table and is_rule(unit)):
            known.add(words)
            kept.append(unit)
    if not kept:
        return None
    if is_table:
        rows = set(kept)
        return block.with_units(row for at, row in enumerate(block.units) if at < 2 or row in rows)
    return block if len(kept) == len(block.units) else block.with_units(kept)
