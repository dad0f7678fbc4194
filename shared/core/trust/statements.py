"""Cut a memory into statements, and know each by its words."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.reading.placed import STATED_FIELDS, list_units
from shared.core.sessions.statement_text import current_of
from shared.core.text.markdown import Block, BlockKind, read_sections

_EMPHASIS = ("*", "_", "`", "~", '"', "\u201c", "\u201d")
#: Their units say the same alone as together.
_APART = frozenset({BlockKind.PROSE, BlockKind.LIST})


class Piece(NamedTuple):
    """A part of a memory whose statements do not depend on the rest: units of a block of a kind, or a heading or a field, which have none."""

    kind: str
    units: tuple[str, ...]


def list_pieces(content: str) -> Iterator[Piece]:
    """Yield the pieces of a memory's frontmatter and of its current part, in their order."""
    fields = read_fields(content) if content.startswith("---") else {}
    yield from (Piece("", (value,)) for name in STATED_FIELDS if isinstance(value := fields.get(name), str))
    for section in read_sections(current_of(body_of(content))):
        if section.heading:
            yield Piece("", (section.heading,))
        for block in section.blocks:
            if block.kind in _APART:
                yield from (Piece(block.kind.value, (unit,)) for unit in block.units)
            else:
                yield Piece(block.kind.value, block.units)


def statements_in(piece: Piece) -> Iterator[str]:
    """Yield the statements of a piece."""
    if not piece.kind:
        return iter(piece.units)
    return list_units(Block(kind=BlockKind(piece.kind), units=piece.units))


def words_of(text: str) -> str:
    """Return the words by which a statement is known: without emphasis, case, and the marks at its end."""
    for mark in _EMPHASIS:
        text = text.replace(mark, "")
    return " ".join(text.casefold().split()).rstrip(" .,;:!\u3002")


def key_of(text: str) -> str:
    """Return the key of a statement, which does not change with its place, marks or case; empty if it has no words."""
    words = words_of(text)
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest() if words else ""
