"""Simulate a quarter of one tenant: `python -m benchmarks.quarter [--days 90] [--profile default]`.

One tenant and one store with the offline model. Each day the sessions of LoCoMo that belong to it arrive, its agent notes
LoCoMo's observations of them and looks up a few questions, and a dream runs whenever the gates allow one. The database's
clock is simulated, nothing sleeps. Reported each week: memories, what dreams did, the
share of the evidence of the questions so far among the first ten texts, the size of `MEMORY.md`, and what must stay 0:
protected memories that are gone or changed, specifics that a merge has lost. Draws a plot as SVG.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import structlog

from benchmarks.support.quarter_data import Arrival, load_quarter
from benchmarks.support.quarter_look import Snapshot, find_lost_specifics
from benchmarks.support.quarter_plot import draw
from benchmarks.support.report import RESULTS, report
from benchmarks.support.silent import Silent
from benchmarks.support.simulated_clock import SimulatedClock
from benchmarks.support.stores import data_folder
from gateway.cli.console.session import open_session
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import Author, Signals
from shared.services.memories.read import search_memories
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import CATALOG, PHASES
from workers.runner.run import run_phase

START = datetime(2026, 1, 5, tzinfo=UTC)
TENANT, STORE = "quarter", "default"
_PROTECTED = 20
_ASKED_A_DAY = 10
#: The number of days whose questions are repeated until the end.
_FIRST_DAYS = 28
#: The agent is idle at these hours, so that a dream may run.
_HOURS = (4, 23)
_SEED = 20260105


@dataclass(slots=True)
class _Quarter:
    """One run: its ports, its clock, and what has happened so far."""

    ports: Ports
    clock: SimulatedClock
    snapshot: Snapshot
    chance: random.Random = field(default_factory=lambda: random.Random(_SEED))
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def live_through(self, arrivals: Sequence[Arrival], days: int) -> None:
        """Let the days pass; look at the store at the end of each week."""
        for day in range(days):
            self.clock.set(START + timedelta(days=day, hours=9))
            for arrival in arrivals:
                if arrival.day == day:
                    self._take(arrival)
            self._ask()
            for hour in _HOURS:
                self.clock.set(START + timedelta(days=day + (hour < 9), hours=hour))
                self._dream()
            if day + 1 == _FIRST_DAYS:
                self.snapshot.keep_first()
            if (day + 1) % 7 == 0 or day + 1 == days:
                self._row(day + 1)

    def protect(self) -> None:
        """Write memories that no dream may touch: pinned, old, and never read."""
        long_ago = START - timedelta(days=365)
        texts = [
            NewText(
                path=f"house-rules/rule-{number}.md",
                content=f"# Rule {number}\n\nDoor {100 + number} is opened with key K-{number}{number}.\n",
                signals=Signals(importance=5, pinned=True),
                created_at=long_ago,
                written_at=long_ago,
            )
            for number in range(_PROTECTED)
        ]
        write_memories(self.ports.db, self.ports.ids, TENANT, STORE, texts, Author.USER)
        self.snapshot.protected = {text.path: text.content for text in texts}

    def _take(self, arrival: Arrival) -> None:
        target = ImportTarget(tenant_id=TENANT, store=STORE, source="locomo")
        import_session_items(self.ports.db, target, arrival.events)
        self.counts["sessions"] += 1
        self.snapshot.facts += arrival.facts
        self.snapshot.turns |= {event.event_id for event in arrival.events}
        by_path: dict[str, list[str]] = {}
        for fact in arrival.facts:
            by_path.setdefault(fact.path, []).append(f"- {fact.text}\n")
        texts = [
            NewText(path=path, content=f"# {path.removesuffix('.md')}\n\n{''.join(lines)}")
            for path, lines in by_path.items()
        ]
        write_memories(self.ports.db, self.ports.ids, TENANT, STORE, texts, Author.AGENT)

    def _ask(self) -> None:
        """Read as an agent does: what is found counts as accessed, and so keeps fresh."""
        known = self.snapshot.answerable()
        for question in self.chance.sample(known, min(_ASKED_A_DAY, len(known))):
            found = search_memories(self.ports.db, self.ports.search, TENANT, STORE, question.text, 10)
            self.ports.recall.note(TENANT, [hit.id for hit in found])
        self.ports.recall.flush()

    def _dream(self) -> None:
        dream_id = begin_dream(self.ports, TENANT, STORE, force=False, dream_id=None)
        if dream_id is None:
            self.counts["gate shut"] += 1
            return
        for phase in PHASES:
            run_phase(self.ports, phase, PhaseKey(tenant_id=TENANT, dream_id=dream_id, epoch=1, phase=phase.name))
        assert finish_dream(self.ports, TENANT, dream_id, 1)
        with self.ports.db.transaction(TENANT) as uow:
            dream, operations = uow.dreams.get(dream_id), uow.operations.find_all(dream_id)
        self.counts[f"dreams {dream.state}"] += 1
        self.counts["specifics lost"] += len(find_lost_specifics(operations))
        self.counts.update(str(one.operation.kind) for one in operations if one.state == "applied")

    def _row(self, day: int) -> None:
        row: dict[str, Any] = {
            "day": day,
            "sessions": self.counts["sessions"],
            "dreams": self.counts["dreams completed"],
        }
        row["partial or failed"] = (
            sum(n for name, n in self.counts.items() if name.startswith("dreams ")) - row["dreams"]
        )
        row |= self.snapshot.at(self.ports, TENANT, STORE)
        row["merges"] = self.counts["MERGE"] + self.counts["FOLD"]
        row["specifics lost"] = self.counts["specifics lost"]
        self.rows.append(row)
        print(f"day {day}: {row}", flush=True)


def main() -> int:
    """Live through the quarter, print the table, write JSON and plot; without the data, print that and return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--profile", default="default")
    chosen = parser.parse_args()
    folder = data_folder()
    source = folder / "locomo" / "locomo10.json" if folder else None
    if source is None or not source.is_file():
        print("There is no LoCoMo data; set SLOWWAVE_DATA. Nothing measured.")
        return 0
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    arrivals, questions = load_quarter(source, START, chosen.days)
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as name,
        open_session(Settings(data_dir=Path(name))) as session,
    ):
        assert session.settings.owner_database_url is not None
        url = session.settings.owner_database_url.get_secret_value().replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as owner:
            clock = SimulatedClock(owner)
            clock.set(START)
            ports = replace(session.ports, choose_llm=lambda _: OfflineLlm(), dispatch=Silent())
            ensure_store(ports.db, TENANT, STORE)
            configure_store(
                ports.db, TENANT, STORE, changes=StoreChanges(profile=chosen.profile), phases=CATALOG, actor="benchmark"
            )
            quarter = _Quarter(ports=ports, clock=clock, snapshot=Snapshot(questions=questions))
            quarter.protect()
            quarter.live_through(arrivals, chosen.days)
    notes = {"profile": chosen.profile, "operations applied": dict(quarter.counts)}
    report("quarter", f"A simulated quarter of {chosen.days} days", quarter.rows, notes)
    plot = RESULTS / "quarter.svg"
    plot.write_text(draw(quarter.rows), encoding="utf-8")
    print(f"drawn: benchmarks/results/{plot.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
