"""Print text and tables for people and JSON for programs. Tenants' text is never taken for markup."""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text


class _Pipe(Console):
    """A console whose reader may leave: `slowwave … | head -1` is not a failure."""

    def on_broken_pipe(self) -> None:
        """Discard the rest of the output and exit; rich would exit with 1, which means a failure."""
        try:
            super().on_broken_pipe()
        except SystemExit:
            raise SystemExit(0) from None


out = _Pipe(highlight=False, soft_wrap=True)
err = _Pipe(stderr=True, highlight=False, soft_wrap=True)
#: Everything that could move the cursor, ring, colour or reverse the reading direction of a terminal.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: A table in a pipe is for grep and awk: nothing is folded there.
_PIPE_WIDTH = 4_000
#: Ids and short words are copied and scanned: a column of nothing else is not folded.
_WHOLE_ID, _WHOLE_PHRASE = 31, 12
#: The spaces between two columns, and the width from which on folded sentences can be read.
_GAP, _READABLE = 2, 40
#: Words up to this long are never broken; a longer one is a path or an id.
_LONGEST_WORD = 16


def safe(text: object, style: str = "") -> Text:
    """Return untrusted text for a terminal: no markup, no control characters."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)), style=style)


def say(text: object, style: str = "", *, hang: int | None = None, to: Console = out) -> None:
    """Print text. On a terminal long lines are wrapped between words and indented; a pipe gets them whole.

    Args:
        text: plain text, or a `Text` that `safe` made.
        style: the style of plain text.
        hang: the indentation of wrapped lines; by default that of the first line.
        to: the console to print to.
    """
    whole = text if isinstance(text, Text) else safe(text, style)
    for line in whole.split("\n", allow_blank=True):
        to.print(_hung(line, to, hang) if to.is_terminal else line)


def warn(text: object, style: str = "yellow") -> None:
    """Print text to standard error, so that it does not mix with the output of `--json`."""
    say(text, style, to=err)


def print_json(value: Any, *, indent: int | None = 2) -> None:  # noqa: ANN401 - anything that json can carry
    """Print a value as JSON, in one line without an indent; nothing else goes to standard output then."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_as_json)
    # What could steer a terminal stands inside of strings only, where JSON has an escape for it.
    sys.stdout.write(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_list(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, has_more: bool = False) -> None:
    """Print a table of what a list found, with their number; with `has_more`, of the newest ones only."""
    listed = [*rows]
    print_table(f"{title}: {'the newest ' * has_more}{len(listed):,}", columns, listed)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table. Numbers are right-aligned; ids and short words are not wrapped."""
    listed = [list(row) for row in rows]
    table = Table(header_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        cells = [row[number] for row in listed]
        justify: Literal["left", "right"] = (
            "right" if cells and all(isinstance(c, int | float) for c in cells) else "left"
        )
        is_whole, least = _stays_whole(cells), _longest([column, *map(_shown, cells)])
        table.add_column(
            column, justify=justify, overflow="fold", no_wrap=is_whole, min_width=min(least, _LONGEST_WORD)
        )
    for row in listed:
        table.add_row(*(safe(_shown(cell)) for cell in row))
    say(title, "bold")  # not the table's own, which is folded to the width of a narrow table
    shown = [[_shown(cell) for cell in row] for row in listed]
    if out.is_terminal and _is_crowded(columns, shown):
        _print_below(columns, shown)
        return
    if out.is_terminal and _breaks_words(columns, shown):
        _print_blocks(columns, shown)
        return
    _Pipe(highlight=False, width=None if out.is_terminal else _PIPE_WIDTH).print(table)


def _is_crowded(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a terminal has no room for the last column beside the others, but for the others alone."""
    *others, last = _widths(columns, rows)
    left = out.width - sum(others) - _GAP * len(others)
    return last > left and left + _GAP >= 0 and left < _READABLE


def _longest(texts: Iterable[str]) -> int:
    """Return the cells of a terminal that the longest word takes."""
    return max((cell_len(word) for text in texts for word in text.split()), default=0)


def _breaks_words(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a terminal has no room for the longest word of each column, or for all of it where its cells stay whole."""
    needed = 0
    for place, name in enumerate(columns):
        cells = [row[place] for row in rows]
        whole = max(map(cell_len, cells), default=0) if _stays_whole(cells) else 0
        needed += max(whole, min(_longest((name, *cells)), _LONGEST_WORD))
    return needed + _GAP * (len(columns) - 1) > out.width


def _print_blocks(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row as lines of its own, a line for each column that says something."""
    width = max(map(cell_len, columns))
    for row in rows:
        for number, (name, cell) in enumerate(zip(columns, row, strict=True)):
            if cell:
                lead = "" if number == 0 else "  "
                say(f"{lead}{name:<{width}}  {cell}", "" if number else "bold", hang=width + 4)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(cell_len(row[place]) for row in (columns, *rows)) for place in range(len(columns))]


def _print_below(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row's last cell on lines of its own, below the others."""
    widths = _widths(columns, rows)
    for number, row in enumerate((columns, *rows)):
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        for line in ((" " * _GAP).join(cells).rstrip(), f"  {row[-1]}".rstrip()):
            if line:
                say(line, "bold" if number == 0 else "")


def _stays_whole(cells: Sequence[object]) -> bool:
    shown = [_shown(cell) for cell in cells]
    return all(len(text) <= (_WHOLE_PHRASE if " " in text else _WHOLE_ID) for text in shown)


def _hung(line: Text, to: Console, hang: int | None) -> Text:
    """Wrap a line between words and indent the rest by `hang`, beside the label at its start."""
    indent = len(line.plain) - len(line.plain.lstrip()) if hang is None else hang
    if cell_len(line.plain) <= to.width or indent > to.width // 2:
        return line
    label, body = line.divide([indent])
    rows = body.wrap(to, to.width - indent)
    return label.append_text(Text("\n" + " " * indent).join(rows))


def ago(moment: datetime | None, now: datetime | None = None) -> str:
    """Return how long ago a time was or how far ahead it is, such as `5m ago`."""
    if moment is None:
        return "never"
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    amount = _amount(abs(seconds))
    return f"{amount} ago" if seconds >= 0 else f"in {amount}"


#: Of so many hours or days, a tenth says nothing.
_WHOLE_FROM = 10


def _amount(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            amount = seconds / size
            places = 1 if unit != "m" and amount < _WHOLE_FROM else 0
            return f"{amount:.{places}f}".removesuffix(".0") + unit
    return f"{seconds:.0f}s"


def _shown(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.astimezone().strftime("%Y-%m-%d %H:%M")
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)
