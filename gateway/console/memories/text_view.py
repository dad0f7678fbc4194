"""Prepare a memory's text for its page: one part of a long text at a time, and its frontmatter as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import yaml

from gateway.console.views.diff_rows import Part, Row
from shared.core.memory.frontmatter import read_fields, split_frontmatter

#: The most characters of a text on a page; links and marks make it up to ten times as long.
_PART_CHARS = 12_000
_CELL_CHARS = 2_000
#: The size of a comparison on a page, and the size that the markup of a row counts for, in characters.
_PAGE_CHARS, _ROW_CHARS, _SIDE_CHARS = 60_000, 160, 10_000


@dataclass(frozen=True, slots=True)
class TextPart:
    """One part of a text, counted from 1."""

    text: str
    number: int
    parts: int


def get_part(text: str, number: int) -> TextPart:
    """Return a part of a text, the last one for a number beyond it; parts end at the end of a paragraph or a line."""
    places = [0]
    while len(text) - places[-1] > _PART_CHARS:
        places.append(_find_cut(text, places[-1]))
    bounds = list(pairwise([*places, len(text)]))
    shown = min(number, len(bounds))
    start, end = bounds[shown - 1]
    return TextPart(text[start:end], shown, len(bounds))


def _find_cut(text: str, start: int) -> int:
    end = start + _PART_CHARS
    for gap in ("\n\n", "\n"):
        at = text.rfind(gap, start + _PART_CHARS // 2, end)
        if at > 0:
            return at + len(gap)
    return end


@dataclass(frozen=True, slots=True)
class FrontmatterView:
    """The frontmatter of a text: its fields by name, or as it is written where it cannot be read."""

    fields: Mapping[str, str]
    raw: str


def read_frontmatter_view(text: str) -> FrontmatterView | None:
    """Return a text's frontmatter; None where there is none."""
    raw = split_frontmatter(text).raw
    if not raw:
        return None
    fields = {str(name): _say(value) for name, value in read_fields(text).items()}
    return FrontmatterView(fields, "" if fields else _clip(raw.strip()))


def _say(value: object) -> str:
    if isinstance(value, list | dict):
        return _clip(yaml.safe_dump(value, allow_unicode=True, default_flow_style=False, sort_keys=False).strip())
    return _clip("" if value is None else str(value))


def _clip(text: str) -> str:
    return text if len(text) <= _CELL_CHARS else f"{text[:_CELL_CHARS]}…"


def take_rows(rows: list[Row], start: int) -> tuple[list[Row], int | None]:
    """Return the rows of a comparison that fit on a page, from one on, and the number of the next one or None."""
    shown: list[Row] = []
    room = _PAGE_CHARS
    for row in rows[start:]:
        short = _shorten(row)
        room -= _ROW_CHARS + sum(len(part.text) for part in (*short.old, *short.new))
        if shown and room < 0:
            return shown, start + len(shown)
        shown.append(short)
    return shown, None


def _shorten(row: Row) -> Row:
    if sum(len(part.text) for part in (*row.old, *row.new)) <= 2 * _SIDE_CHARS:
        return row
    old, new = (tuple(_first(parts)) for parts in (row.old, row.new))
    return Row(kind=row.kind, old_number=row.old_number, new_number=row.new_number, old=old, new=new)


def _first(parts: tuple[Part, ...]) -> list[Part]:
    text = "".join(part.text for part in parts)
    return [Part(text if len(text) <= _SIDE_CHARS else f"{text[:_SIDE_CHARS]}…")]
