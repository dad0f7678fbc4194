"""Simulate cells of an installation over a day: `python -m benchmarks.scale_out.cells [--tenants 10000000] [--cores 8]`.

A cell is a PostgreSQL, a Redis and workers of its own; each tenant belongs to one. The costs of a dream, of a check and of
the sweep come from `benchmarks.scale_out` and `benchmarks.sweep` (their JSON where they have run here, else the figures
of docs/benchmarks/dreams.md). Tenants fall due at random over the day, three times as often in the busiest hour as in the mean.
Minute by minute, what is due is swept, waits for a slot of the workers, and dreams. Reported for cells of several sizes:
cells, processor use in the busiest hour, minutes from due to begun (99th percentile, of dreams), disk.
"""

import argparse
import json
import math
import random
import sys
from collections import deque
from dataclasses import dataclass

from benchmarks.support.report import RESULTS, report

_MINUTES = 24 * 60
#: The peak of a day is exp(k) / I0(k) times its mean, as of a von Mises distribution: 3.0 for this k.
_PEAKEDNESS = 1.75
_DAYS_KEPT = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of tenant: its share of all, what one does in a day, and its dreams' cost in terms of the measured one's.

    A dream over 20 of 1,000 memories costs about twice, over 20 of 10,000 seven times as much as one over 20 of 20
    (`benchmarks.dream_overhead`).
    """

    share: float
    dreams: float
    memories: int
    events: int
    cost: float


_KINDS = {
    "quiet": Kind(share=0.70, dreams=0.1, memories=2, events=20, cost=1),
    "usual": Kind(share=0.25, dreams=1.0, memories=20, events=200, cost=2),
    "busy": Kind(share=0.05, dreams=4.0, memories=100, events=2_000, cost=7),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The measured figures.

    Attributes:
        worker_seconds: processor time of a dream in a worker.
        server_seconds: processor time of a dream in PostgreSQL and Valkey.
        model_seconds: how long a dream waits for its model, and holds its slot.
        sweeps_a_second: stores that one sweep claims, checks and sends in a second.
        memory_kb: disk of a memory with its version and indexes.
        event_kb: disk of an event with its indexes.
    """

    worker_seconds: float = 0.190
    server_seconds: float = 0.1107
    model_seconds: float = 10.0
    sweeps_a_second: float = 1_000.0
    memory_kb: float = 3.2
    event_kb: float = 3.3


def main() -> int:
    """Simulate every size of a cell, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenants", type=int, default=10_000_000)
    parser.add_argument("--cores", type=int, default=8, help="of a cell's workers; PostgreSQL has as many")
    parser.add_argument("--slots", type=int, default=512, help="dreams at once in a cell (SLOWWAVE_MAX_ACTIVE_DREAMS)")
    chosen = parser.parse_args()
    costs = _read_costs()
    sizes = (10_000, 50_000, 100_000, 200_000, 400_000, 1_000_000)
    rows = [_simulate(size, chosen.tenants, chosen.cores, chosen.slots, costs) for size in sizes]
    notes = {
        "costs": costs,
        **{f"a tenant that is {name}": kind for name, kind in _KINDS.items()},
        "days kept": _DAYS_KEPT,
        "cores of the workers of a cell, slots": (chosen.cores, chosen.slots),
    }
    report("cells", f"A day of {chosen.tenants:,} tenants in cells", rows, notes)
    return 0


def _read_costs() -> Costs:
    path = RESULTS / "scale_out.json"
    if not path.exists():
        return Costs()
    found = json.loads(path.read_text(encoding="utf-8"))
    row, disk = found["rows"][-1], found["notes"]["kB on disk, with indexes"]
    return Costs(
        worker_seconds=row["workers ms"] / 1000,
        server_seconds=(row["postgres ms"] + row["valkey ms"]) / 1000,
        memory_kb=disk["a memory"],
        event_kb=disk["an event"],
    )


def _simulate(size: int, tenants: int, cores: int, slots: int, costs: Costs) -> dict[str, object]:
    """Run one cell through two days, and report the second, whose queue at midnight is the first one's."""
    chosen = random.Random(size)
    a_day = size * sum(kind.share * kind.dreams for kind in _KINDS.values())
    usual_cost = size * sum(kind.share * kind.dreams * kind.cost for kind in _KINDS.values()) / a_day
    worker_seconds, server_seconds = costs.worker_seconds * usual_cost, costs.server_seconds * usual_cost
    a_minute = min(slots * 60 / (costs.model_seconds + worker_seconds), cores * 60 / worker_seconds)
    swept_a_minute = costs.sweeps_a_second * 60
    due: deque[tuple[int, float]] = deque()  # when, and how many
    swept: deque[tuple[int, float]] = deque()
    waits: list[tuple[int, float]] = []
    busiest = 0.0
    for minute in range(2 * _MINUTES):
        due.append((minute, max(0.0, chosen.gauss(mean := a_day / _MINUTES * _rate(minute), math.sqrt(mean)))))
        swept.extend(_take(due, swept_a_minute))
        begun = _take(swept, a_minute)
        if minute >= _MINUTES:
            waits += [(minute - since, number) for since, number in begun]
            busiest = max(busiest, sum(number for _, number in begun))
    stored = size * sum(
        kind.share * (kind.memories * costs.memory_kb + kind.events * costs.event_kb) for kind in _KINDS.values()
    )
    return {
        "tenants of a cell": size,
        "cells": math.ceil(tenants / size),
        "dreams a day": round(a_day),
        "workers' cores busy at the peak": busiest / 60 * worker_seconds,
        "servers' cores busy at the peak": busiest / 60 * server_seconds,
        "due to begun, p99 min": _percentile(waits, 0.99),
        "GB a day": stored / 1024**2,
        "GB kept": stored * _DAYS_KEPT / 1024**2,
    }


def _rate(minute: int) -> float:
    """Return how many fall due at a time of the day, in terms of the mean."""
    return math.exp(_PEAKEDNESS * math.cos(2 * math.pi * minute / _MINUTES)) / _MEAN


_MEAN = sum(math.exp(_PEAKEDNESS * math.cos(2 * math.pi * m / _MINUTES)) for m in range(_MINUTES)) / _MINUTES


def _take(waiting: deque[tuple[int, float]], most: float) -> list[tuple[int, float]]:
    """Take a number out of a queue, those that wait longest first."""
    taken: list[tuple[int, float]] = []
    while waiting and most > 0:
        since, number = waiting.popleft()
        if number > most:
            waiting.appendleft((since, number - most))
        taken.append((since, min(number, most)))
        most -= number
    return taken


def _percentile(waits: list[tuple[int, float]], share: float) -> int:
    behind = sum(number for _, number in waits) * share
    for wait, number in sorted(waits):
        behind -= number
        if behind <= 0:
            return wait
    return 0


if __name__ == "__main__":
    sys.exit(main())
