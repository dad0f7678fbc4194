"""Report the rows of a benchmark: a table on the screen, JSON in benchmarks/results."""

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parents[1] / "results"


def report(name: str, title: str, rows: Sequence[Mapping[str, object]], notes: Mapping[str, object]) -> Path:
    """Print rows that share their columns, write them with the machine's description, return the file."""
    table = Table(title=title)
    for column in rows[0]:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console = Console(width=170)
    console.print(table)
    for key, value in notes.items():
        console.print(f"{key}: {value}", markup=False)
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    body = {"at": datetime.now(UTC).isoformat(), "machine": machine, "rows": list(rows), "notes": dict(notes)}
    path.write_text(json.dumps(body, indent=2, default=str) + "\n", encoding="utf-8")
    console.print(f"written: {path.relative_to(RESULTS.parents[1])}", markup=False)
    return path


def _cell(value: object) -> str:
    return f"{value:,.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
