"""Read a memory into its current statements, each with a number and its place in the text.

A model refers to a statement by its number and never copies it, and the host knows to the character what is meant. A statement is
a sentence with those that point back to it, a list item without its sub-items, a table's row, or a piece of code or a quotation
as a whole; last comes what the frontmatter says in words. Superseded statements and generated index lines are none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shared.core.memory.frontmatter import body_of, read_fields, strings_of
from shared.core.memory.index_text import find_blocks
from shared.core.sessions.statement_text import current_of
from shared.core.text.markdown import HEAD_ROWS, Block, BlockKind, find_above, read_sections, split_sentences

#: Frontmatter fields that say something about the subject; a model sees them above the text.
_SHOWN_FIELDS = ("title", "name", "status")
#: Those that are statements themselves.
STATED_FIELDS = ("description", "summary")
ITEM_MARK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_BEGINS_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
#: Where a script writes no blanks, a full-width stop ends a sentence.
_WIDE_STOP = re.compile(r"(?<=[\u3002\uff01\uff1f])(?=[^\s\u300d\u300f\u201d\uff09])")
_QUOTE_MARK = re.compile(r"\s{0,3}>\s?")
_KIND_OF_CALLOUT = re.compile(r"\[![A-Za-z]+\]")
_BEGINS_CALLOUT = re.compile(r"\s{0,3}>\s?(?:\*\*|\[!)")
_IS_CALLED_OUT = re.compile(r"\s{0,3}>\s?(?:\[![A-Za-z]+\]|[^>\s][^>~\"\u201c\u201d]*[.!?\u3002]\**\s*)?")
#: A word or two in brackets, as a tag behind a statement.
_TAG = re.compile(r"\[[^\[\]\n]{1,40}\][.:]?")
_LETTERS = 26


class Form(StrEnum):
    """The form in which a statement is written."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"
    WHOLE = "whole"  # code, a quotation, HTML: nothing in it is replaced
    FIELD = "field"  # the description or summary in the frontmatter


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One statement of a body.

    Attributes:
        number: counts the statements of the body from 1.
        text: as it is written, without its list mark, on one line unless it is code.
        start: the offset of its first character in the body.
        end: the offset behind its last character.
        under: the headings above it as they are written, outermost first, with the text's title.
        form: how it is written.
        head: of a table's row, the names of its columns; of a field, its name. A field has no offsets.
    """

    number: int
    text: str
    start: int
    end: int
    under: tuple[str, ...]
    form: Form
    head: str = ""


def read_placed(content: str) -> tuple[Placed, ...]:
    """Return the current statements of a memory in their order; the offsets count in `body_of(content)`."""
    found = list(_read_body(body_of(content)))
    fields = read_fields(content) if content.startswith("---") else {}
    for name in STATED_FIELDS:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            text = " ".join(value.split())
            found.append(Placed(number=len(found) + 1, text=text, start=0, end=0, under=(), form=Form.FIELD, head=name))
    return tuple(found)


def _read_body(body: str) -> Iterator[Placed]:
    current, blocks = current_of(body), find_blocks(body)
    number = cursor = 0
    sections = read_sections(current)
    title = next((one.heading for one in sections if one.level == 1), "")
    for section, above in zip(sections, find_above(sections), strict=True):
        if section.heading:
            cursor = max(cursor, current.find(section.heading, cursor) + len(section.heading))
        headings = (*((title,) if title else ()), *(one.heading for one in above))
        for block in section.blocks:
            for form, text in _units_of(block):
                place = _find(current, text, cursor)
                if place is None:
                    continue
                start, cursor = place
                if any(begin <= start < end for begin, end in blocks):
                    continue
                written = text if form is Form.WHOLE else " ".join(text.split())
                number += 1
                yield Placed(
                    number=number,
                    text=written,
                    start=start,
                    end=cursor,
                    under=headings,
                    form=form,
                    head=_head_of(block),
                )


def _head_of(block: Block) -> str:
    has_head = block.kind is BlockKind.TABLE and len(block.units) > HEAD_ROWS
    return block.units[0].strip() if has_head else ""


def _units_of(block: Block) -> Iterator[tuple[Form, str]]:
    """Yield the statements of a block as they are written there, up to white space."""
    if _is_callout(block):
        yield from (
            (Form.PROSE, one)
            for line in _lines_of(block)
            for one in _sentences_of(_QUOTE_MARK.sub("", line, 1))
            if not _KIND_OF_CALLOUT.fullmatch(one)
        )
    elif block.kind is BlockKind.WHOLE:
        yield Form.WHOLE, "\n".join(block.units)
    elif block.kind is BlockKind.TABLE:
        rows = block.units[HEAD_ROWS:] if len(block.units) > HEAD_ROWS else block.units
        yield from ((Form.ROW, row.strip()) for row in rows)
    elif block.kind is BlockKind.LIST:
        for item in _items_of(block.units):
            yield from ((Form.ITEM, one) for one in _sentences_of(item))
    else:
        yield from ((Form.PROSE, one) for unit in block.units for one in _sentences_of(unit))


def list_units(block: Block) -> Iterator[str]:
    """Yield the statements of a block as they are written there, up to white space."""
    return (text for _, text in _units_of(block))


def _is_callout(block: Block) -> bool:
    """Tell whether a quotation is a remark of the note's own, such as `> **Note:** this is old.`, with no sentence on two lines."""
    lines = _lines_of(block)
    return bool(_BEGINS_CALLOUT.match(lines[0])) and all(map(_IS_CALLED_OUT.fullmatch, lines))


def _lines_of(block: Block) -> list[str]:
    return "\n".join(block.units).splitlines()


def _items_of(units: Sequence[str]) -> Iterator[str]:
    """Yield the text of each item and sub-item of a list, without its mark."""
    for unit in units:
        held: list[str] = []
        for line in unit.splitlines():
            if _BEGINS_ITEM.match(line) and held:
                yield "\n".join(held)
                held = []
            held.append(line if held else ITEM_MARK.sub("", line, count=1))
        yield "\n".join(held)


def _sentences_of(text: str) -> Iterator[str]:
    if "```" in text or "~~~" in text:
        yield text  # code inside an item is not cut
        return
    held = ""
    for part in (part for sentence in split_sentences(text) for part in _WIDE_STOP.split(sentence) if part.strip()):
        if _TAG.fullmatch(part.strip()) and held:
            held += f" {part}"  # "[project]" says of what sort the statement before it is
            continue
        if held:
            yield held
        held = part
    if held:
        yield held


def _find(body: str, text: str, cursor: int) -> tuple[int, int] | None:
    """Return where a text stands from a place on, whatever its white space; None if it does not."""
    words, written = text.split(), text.strip()
    if not words:
        return None
    start = body.find(words[0], cursor)
    while start >= 0:
        end = start + len(written) if body.startswith(written, start) else _find_end(body, words, start)
        if end is not None:
            return start, end
        start = body.find(words[0], start + 1)
    return None


def _find_end(body: str, words: Sequence[str], start: int) -> int | None:
    """Return the place behind words that stand one after the other from a place on, with white space between them."""
    end = start + len(words[0])
    for word in words[1:]:
        at = end
        while body[at : at + 1].isspace():
            at += 1
        if at == end or not body.startswith(word, at):
            return None
        end = at + len(word)
    return end


def name_document(position: int) -> str:
    """Return the letters by which a model calls a document: a to z, then aa, ab and so on."""
    letters, left = "", position + 1
    while left:
        left, digit = divmod(left - 1, _LETTERS)
        letters = chr(ord("a") + digit) + letters
    return letters


def render_placed(content: str, letters: str, placed: Sequence[Placed] | None = None) -> str:
    """Return a memory as a model sees it: the headings, and each statement behind its name, such as `[b3]`.

    Args:
        content: the memory's whole text.
        letters: the memory's name.
        placed: the statements of the text, where they are read already.
    """
    fields = read_fields(content) if content.startswith("---") else {}
    lines = [f"{name}: {' '.join(strings_of(fields[name]))}" for name in _SHOWN_FIELDS if strings_of(fields.get(name))]
    shown: tuple[str, ...] = ()
    head = ""
    placed = read_placed(content) if placed is None else placed
    lines += [f"[{letters}{one.number}] {one.head}: {one.text}" for one in placed if one.form is Form.FIELD]
    for one in placed:
        if one.form is Form.FIELD:
            continue
        if one.under != shown:
            lines += [heading for heading in one.under if heading not in shown]
        if one.head and (one.under, one.head) != (shown, head):
            lines.append(one.head)
        shown, head = one.under, one.head
        lines.append(f"[{letters}{one.number}] {one.text}")
    return "\n".join(lines)
