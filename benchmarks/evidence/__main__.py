"""Measure whether dreams without a model keep knowledge findable: `python -m benchmarks.evidence`, or `make evaluate-rules`.

Stores of LoCoMo, BEAM, memory trees and families are dreamt over, once and four times, with the rules alone. Two readers (one
searches, one opens files) are asked for known statements before and after, and after a dream without each phase that did
something. Families of siblings and duplicates, and the wishes and traps of real stores, are graded, too. The answers, a bit a
question, are compared with benchmarks/evidence/recorded.json: exits with 1 if an interval of a paired difference lies wholly
below 0, or something that must be 0 is not. `--record` writes them instead; `--profile` measures another profile, and compares nothing.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import structlog

from benchmarks.compare.figures import find_commit
from benchmarks.evidence.answers import Run, find_worse, read_recorded, record
from benchmarks.evidence.cases import Case, find_absent, find_cases
from benchmarks.evidence.judged import grade_wishes, judge_families
from benchmarks.evidence.measuring import Outcome, measure_case
from benchmarks.evidence.tables import rows_of_moments, rows_of_phases, run_of, zeros_row
from benchmarks.support.report import report
from shared.bootstrap import local_servers, make_ports
from shared.core.policy.profiles import PROFILES
from shared.settings import Settings
from workers.phases import CATALOG


def main() -> int:
    """Run the benchmark; without the data, print that and return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write the answers as those to compare with")
    parser.add_argument("--profile", choices=PROFILES, default="default", help="measure another profile")
    wanted = parser.parse_args()
    begun = time.perf_counter()
    cases = find_cases()
    if not cases:
        print("There is no data to measure with; set SLOWWAVE_DATA. Nothing measured.")
        return 0
    outcomes = measure_all(cases, wanted.profile)
    if wanted.profile != "default":
        now = run_of(outcomes)
        _print(outcomes, now, time.perf_counter() - begun)
        print(*(f"{name}: {told}" for name, told in zeros_row(now.zeros).items()), sep="\n")
        return 0
    now = join_runs([run_of(outcomes), judge_families(), grade_wishes(outcomes)])
    _print(outcomes, now, time.perf_counter() - begun)
    if wanted.record:
        record(now, find_commit())
        print("recorded: benchmarks/evidence/recorded.json")
        return 0
    recorded, absent = read_recorded(), find_absent()
    for name in absent:
        print(f"{name}: not measured, since its data is absent")
    at_hand = {name: bits for name, bits in recorded.sets.items() if not name.startswith(absent)}
    worse = find_worse(replace(recorded, sets=at_hand), now)
    for one in worse:
        print(one)
    if not worse:
        print(f"Nothing is found less often than at {recorded.commit}.")
    return 1 if worse else 0


def measure_all(cases: Sequence[Case], profile: str) -> list[Outcome]:
    """Dream over each store by a profile, in servers of their own."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as another user when this runs as root
        with local_servers(Settings(data_dir=Path(name) / "data"), durable=False) as settings:
            ports = make_ports(settings)
            try:
                return [measure_case(ports, case, profile) for case in cases]
            finally:
                ports.close()


def join_runs(runs: Sequence[Run]) -> Run:
    """Return everything that was measured as one run."""
    return Run(
        sets={name: answers for run in runs for name, answers in run.sets.items()},
        zeros={name: count for run in runs for name, count in run.zeros.items()},
    )


def _print(outcomes: Sequence[Outcome], now: Run, seconds: float) -> None:
    notes: dict[str, object] = {
        "search": "found among ten hits, or 2,000 tokens of them; `first` in the first hit",
        "files": "found in MEMORY.md as an agent loads it, or in three files that its lines and the paths point to",
        "±": "difference to before, with its 95 % interval, drawn by file or session",
        "tokens": "read for a question, in vain or not",
    }
    report("evidence", "What is found before and after dreams without a model", rows_of_moments(outcomes), notes)
    if phases := rows_of_phases(outcomes):
        idle = [
            one.name for one in CATALOG.entries if one.is_optional and not any(one.name in o.done for o in outcomes)
        ]
        notes = {"did nothing anywhere": ", ".join(idle), "harms": "the interval lies wholly below 0"}
        report("evidence_phases", "One dream less one without the phase", phases, notes)
    others = [
        {"graded": name, "n": len(answers), "share": sum(one.is_found for one in answers.values()) / len(answers)}
        for name, answers in now.sets.items()
        if ";" not in name
    ]
    if others:
        report("evidence_judged", "Judged by people", others, {**zeros_row(now.zeros), "seconds": round(seconds)})


if __name__ == "__main__":
    sys.exit(main())
