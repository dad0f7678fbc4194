"""Measure the speed of importing sessions, and of gathering from them without a model.

    python -m benchmarks.gather [--sessions 913] [--big-mb 100]

The transcripts of the data folder are repeated under new session ids. A core's share counts the importer and PostgreSQL.
Each gathering is a dry run in a process of its own: orient, then the whole phase, its model a stand-in that answers at
once with nothing, or the offline model. Without a limit of windows one dream looks at every hit of every session.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import psutil

from benchmarks.support.report import report
from benchmarks.support.serving import open_ports
from benchmarks.support.silent import Silent
from shared.adapters.files.transcripts.formats import find_files, find_format
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.dream.model import Trigger
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.transcript import FoundEvent, Item
from shared.services.dreams.start import start_dream
from shared.services.memories.write import ensure_store
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_files, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import CATALOG, PHASES
from workers.runner.run import run_phase

_DATA = Path(os.environ.get("SLOWWAVE_DATA", Path(__file__).parents[2] / "shared" / "data"))
_TENANT, _BIG = "bench", "big"
#: (windows that one dream looks at, model)
_CASES = ((GatherPolicy().max_windows, "none"), (1_000_000, "none"), (GatherPolicy().max_windows, "offline"))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; without the data, print that and return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=913)
    parser.add_argument("--big-mb", type=int, default=100, help="size of one generated file; 0: none")
    options = parser.parse_args(argv)
    if not (_DATA / "transcripts").is_dir():
        print(f"There are no transcripts in {_DATA}; set SLOWWAVE_DATA. Nothing measured.")
        return 0
    files = find_files(_DATA / "transcripts")
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name, open_ports(Path(name)) as ports:
        rows = [measure_sessions(ports, files, Path(name), options.sessions)]
        if options.big_mb:
            rows.append(measure_big_file(ports, files, Path(name), options.big_mb))
        gathered = [_in_own_process(ports.settings, *case) for case in _CASES]
    notes = {"masking": "on", "cues": "on", "stored": "tool results and the like cut to 2,000 characters each"}
    report("ingest", "Ingest of sessions", rows, notes)
    report("gather", f"One dream's gathering from {options.sessions} sessions", gathered, {"waiting": "all of them"})
    return 0


def measure_sessions(ports: Ports, files: Sequence[Path], folder: Path, number: int) -> dict[str, object]:
    """Return the row of a number of sessions: the files over and over, each time under new ids."""
    ensure_store(ports.db, _TENANT, "default")
    target = ImportTarget(tenant_id=_TENANT, store="default", source="claude-code", actor="benchmark")
    chosen = [(files[index % len(files)], index) for index in range(number)]
    size = sum(path.stat().st_size for path, _ in chosen)
    events = 0
    with _Meter(folder=str(folder)) as meter:
        for counts in import_files(ports.db, ((target, _renamed(path, index)) for path, index in chosen)):
            assert isinstance(counts, ImportCounts)
            events += counts.added
    return meter.row(f"{number} sessions", size, events)


def measure_big_file(ports: Ports, files: Sequence[Path], folder: Path, megabytes: int) -> dict[str, object]:
    """Return the row of one file of the given megabytes, whose lines repeat under new ids."""
    ensure_store(ports.db, _BIG, "default")
    big = folder / "big.jsonl"
    lines = [
        line for path in files for line in path.read_bytes().splitlines() if b'"uuid"' in line and b'"user"' in line
    ]
    with big.open("wb") as out:
        while out.tell() < megabytes * 1_000_000:
            again = b'"uuid":"%d-' % out.tell()
            out.writelines(line.replace(b'"uuid":"', again) + b"\n" for line in lines)
    found = find_format(big)
    assert found is not None
    target = ImportTarget(tenant_id=_BIG, store="default", source="claude-code")
    with _Meter(folder=str(folder)) as meter:
        counts = import_session_items(ports.db, target, found.read(big, _ignore))
    return meter.row("one file", big.stat().st_size, counts.added)


def _in_own_process(settings: Settings, max_windows: int, model: str) -> dict[str, object]:
    """Return the row of one gathering, measured in a process that did nothing else."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measure_gathering, settings, max_windows, model).result()


def measure_gathering(settings: Settings, max_windows: int, model: str) -> dict[str, object]:
    """Return the row of the gather phase over the imported sessions, as a dry run, which leaves the cursors."""
    llm = OfflineLlm() if model == "offline" else ScriptedLlm()
    ports = replace(make_ports(settings), choose_llm=lambda _: llm, dispatch=Silent())
    limits = {"gather.max_windows": max_windows}
    configure_store(
        ports.db, _TENANT, "default", changes=StoreChanges(overrides=limits), phases=CATALOG, actor="benchmark"
    )
    started = start_dream(ports.db, _TENANT, trigger=Trigger.CLI, force=True, dry_run=True)
    assert started.dream is not None
    assert begin_dream(ports, _TENANT, "default", force=True, dream_id=started.dream.id)
    before_mb = _peak_mb()
    for phase in PHASES[:2]:
        wall, own = time.perf_counter(), time.process_time()
        run_phase(ports, phase, PhaseKey(tenant_id=_TENANT, dream_id=started.dream.id, epoch=1, phase=phase.name))
    wall, own = time.perf_counter() - wall, time.process_time() - own
    with ports.db.transaction(_TENANT) as uow:
        run = next(run for run in uow.phases.find_all(started.dream.id) if run.phase == "gather")
    finish_dream(ports, _TENANT, started.dream.id, 1)
    ports.close()
    found = run.inputs if isinstance(run.inputs, dict) else {"windows": [], "groups": []}
    return {
        "windows at most": max_windows,
        "model": model,
        "sessions covered": len(found["windows"]),
        "excerpts": sum(len(group["excerpts"]) for group in found["groups"]),
        "calls": len(found["groups"]),
        "wall s": round(wall, 2),
        "CPU s": round(own, 2),
        "peak MB": _peak_mb(),
        "MB before": before_mb,
    }


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _renamed(path: Path, index: int) -> Iterator[Item]:
    found = find_format(path)
    assert found is not None
    for item in found.read(path, _ignore):
        yield replace(item, session=f"{item.session}-{index}") if isinstance(item, FoundEvent) else item


def _ignore(_size: int) -> None: ...


@dataclass(slots=True)
class _Meter:
    """Wall clock, processor time of this process and of PostgreSQL, and the greatest size of this process."""

    wall: float = 0.0
    own: float = 0.0
    servers: float = 0.0
    folder: str = ""

    def __enter__(self) -> Self:
        self.wall, self.own, self.servers = time.perf_counter(), time.process_time(), _postgres_seconds(self.folder)
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self.wall
        self.own = time.process_time() - self.own
        self.servers = _postgres_seconds(self.folder) - self.servers

    def row(self, what: str, size: int, events: int) -> dict[str, object]:
        """Return the row of a table."""
        megabytes = size / 1e6
        return {
            "what": what,
            "MB": round(megabytes, 1),
            "events": events,
            "wall s": round(self.wall, 2),
            "MB/s": round(megabytes / self.wall, 1),
            "MB/s a core: importer": round(megabytes / self.own, 1),
            "importer and PostgreSQL": round(megabytes / (self.own + self.servers), 1),
            "peak MB of the importer": _peak_mb(),
        }


def _postgres_seconds(folder: str) -> float:
    """Return the processor time of the PostgreSQL that this run started, by its folder."""
    seconds = 0.0
    for process in psutil.process_iter():
        try:
            if process.name().startswith("postgres") and process.cwd().startswith(folder):
                times = process.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
        except psutil.Error:
            continue
    return seconds


if __name__ == "__main__":
    sys.exit(main())
