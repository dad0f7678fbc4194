"""What commands print: for people on a terminal, as JSON for programs. Tenants' text is never taken for markup."""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)
#: Everything that could move the cursor, ring, colour or reverse the reading direction of a terminal.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe(text: object, style: str = "") -> Text:
    """Return somebody else's text for a terminal: no markup, no control characters."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)), style=style)


def say(text: object, style: str = "") -> None:
    """Print one line."""
    out.print(safe(text, style))


def print_json(value: Any) -> None:  # noqa: ANN401 - anything that json can carry
    """Print a value as JSON; nothing else goes to standard output then."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=_as_json) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows; numbers stand to the right."""
    listed = [list(row) for row in rows]
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        is_number = bool(listed) and all(isinstance(row[number], int | float) for row in listed)
        table.add_column(column, justify="right" if is_number else "left", overflow="fold")
    for row in listed:
        table.add_row(*(cell if isinstance(cell, Text) else safe(_shown(cell)) for cell in row))
    Console(highlight=False).print(table)


def ago(moment: datetime | None, now: datetime | None = None) -> str:
    """Return how long ago a moment was, or how far ahead it is."""
    if moment is None:
        return "never"
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    amount = _amount(abs(seconds))
    return f"{amount} ago" if seconds >= 0 else f"in {amount}"


def _amount(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds / size:.1f}{unit}" if unit != "m" else f"{seconds / size:.0f}{unit}"
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
