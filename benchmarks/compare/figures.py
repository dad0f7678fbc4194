"""Figures of dreams: measure, compare, record."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.dream_overhead import Case
from benchmarks.support.report import report

RECORDED = Path(__file__).with_name("recorded.json")
CASES = (
    Case(1_000, 20, is_generated=True),
    Case(10_000, 20, is_generated=True),
    Case(1_000, 1_000, is_generated=True),
    Case(1_000, 1_000, domains=300, is_generated=True),
)
RUNS = 3
#: Medians of three runs on a busy machine differ by less, and what is worth finding differs by more.
PROCESSOR_TOLERANCE = 0.3
#: Tokens depend on nothing but the code; one more sentence in a prompt is not a reason to fail.
TOKEN_TOLERANCE = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of one case. `loops` is its processor time as a number of calibration loops."""

    loops: float
    tokens: int
    found: int


def name_of(case: Case) -> str:
    """Return what a case is called in the table and in the file."""
    return f"{case.changed:,} of {case.size:,} changed, {case.domains} domains"


def measure(runs: Sequence[Mapping[str, Any]]) -> Figures:
    """Return the figures of the runs of one case."""
    return Figures(
        loops=round(median(run["row"]["cpu s"] / run["loop s"] for run in runs), 2),
        tokens=max(run["row"]["prompt tokens"] for run in runs),
        found=min(run["row"]["found"] for run in runs),
    )


def find_worse(before: Figures, now: Figures) -> list[str]:
    """Return in words what costs more than recorded, or finds less."""
    worse = []
    if now.loops > before.loops * (1 + PROCESSOR_TOLERANCE):
        worse.append(f"processor time is {now.loops / before.loops:.2f} of what was recorded")
    if now.tokens > before.tokens * (1 + TOKEN_TOLERANCE):
        worse.append(f"{now.tokens:,} prompt tokens, {before.tokens:,} were recorded")
    if now.found < before.found:
        worse.append(f"{now.found} near-duplicates are shown, {before.found} were")
    return worse


def tell(recorded: Mapping[str, Figures], results: Mapping[str, Figures]) -> int:
    """Print both figures of each case and what got worse; return the exit code."""
    rows = []
    complaints = []
    for name, now in results.items():
        before = recorded.get(name)
        if before is None:
            complaints.append(f"{name}: nothing is recorded; run with --record")
            continue
        complaints += [f"{name}: {what}" for what in find_worse(before, now)]
        rows.append(
            {
                "dream": name,
                "loops, recorded": before.loops,
                "loops, now": now.loops,
                "ratio": now.loops / before.loops,
                "tokens, recorded": before.tokens,
                "tokens, now": now.tokens,
                "found, recorded": before.found,
                "found, now": now.found,
            }
        )
    if rows:
        report("compare", "What a dream costs, beside what was recorded", rows, {})
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


def read_recorded() -> dict[str, Figures]:
    """Return the recorded figures by case; none before the first `--record`."""
    if not RECORDED.is_file():
        return {}
    return {name: Figures(**one) for name, one in json.loads(RECORDED.read_text(encoding="utf-8"))["cases"].items()}


def record(results: Mapping[str, Figures], commit: str) -> None:
    """Write the figures with the commit that they are of."""
    cases = {name: {"loops": one.loops, "tokens": one.tokens, "found": one.found} for name, one in results.items()}
    RECORDED.write_text(json.dumps({"commit": commit, "cases": cases}, indent=2) + "\n", encoding="utf-8")
    print(f"recorded: {RECORDED.name} at {commit}")


def find_commit() -> str:
    """Return the commit that is checked out."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=RECORDED.parent).stdout.strip()
