"""Measure many dreams at once on each worker pool: `python -m benchmarks.concurrent_dreams [--workers 2]`.

Real workers whose model takes 1 s (`--latency`) run N dreams of N tenants at the same time. Two ideals are reported, both from the
dreams' stored calls: calls x latency / dreams at once, for dreams that ask one question after the other; and once the latency for
every round of questions, since those of one phase are asked side by side here, which is shorter than the first. Reported per pool:
the wall time from the first message to the end of the last dream, the share of either ideal, the processor milliseconds
that a dream costs in the workers, in PostgreSQL, in Valkey and in this program, and the memory of the workers' processes
(proportional set size) beyond the idle workers, per dream. The dreams' rows are there before the clock starts; their
messages are not.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.support.processor import find_servers, memory_mb, used_seconds
from benchmarks.support.report import report
from benchmarks.support.slow_model_app import LATENCY_VARIABLE
from benchmarks.support.stores import load_store
from gateway.cli.console.session import open_session
from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.core.dream.model import ACTIVE_STATES, Dream, Trigger
from shared.core.memory.model import Author
from shared.services.dreams.start import start_dream
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.settings import Settings

_ROOT = Path(__file__).parents[1]
_WARM = [f"warm{number}" for number in range(8)]
#: Reading a process's proportional set size walks all of its pages, so it is done seldom.
_LOOK_AT_MEMORY_SECONDS = 2.0
CASES = (("prefork", 10), ("threads", 10), ("prefork", 50), ("threads", 50), ("threads", 200))


def main() -> int:
    """Run every case, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", default=",".join(f"{pool}:{count}" for pool, count in CASES))
    parser.add_argument("--workers", type=int, default=1, help="worker processes; each gets its part of the width")
    parser.add_argument("--latency", type=float, default=1.0, help="seconds that the model takes for an answer")
    parser.add_argument("--memories", type=int, default=20, help="memories of a store, at most 100; more ask more")
    chosen = parser.parse_args()
    cases = [case.split(":") for case in chosen.pools.split(",")]
    load = Load(workers=chosen.workers, latency=chosen.latency, memories=chosen.memories)
    rows = [_measure(pool, int(count), load) for pool, count in cases]
    title = f"Dreams at once, model of {chosen.latency:g} s"
    report("concurrent_dreams", title, rows, {"memories per store": chosen.memories})
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The parameters that all dreams of a measurement share; the latency is in seconds."""

    workers: int
    latency: float
    memories: int


@dataclass(kw_only=True)
class Watched:
    """The processes that are measured, by name, and the largest memory of the workers that was seen."""

    workers: list[psutil.Process]
    servers: dict[str, list[psutil.Process]]
    peak_mb: float = 0.0
    looked_at: float = field(default_factory=time.monotonic)

    def look(self) -> None:
        """Look at the workers' memory, if that is due."""
        if time.monotonic() - self.looked_at >= _LOOK_AT_MEMORY_SECONDS:
            self.peak_mb = max(self.peak_mb, memory_mb(self.workers))
            self.looked_at = time.monotonic()

    def used(self) -> dict[str, float]:
        """Return the processor seconds so far."""
        theirs = {name: used_seconds(found) for name, found in {"worker": self.workers, **self.servers}.items()}
        return theirs | {"parent": time.process_time()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The model calls of one dream: single calls, and rounds of calls side by side."""

    calls: int
    rounds: int


def _measure(pool: str, count: int, load: Load) -> dict[str, object]:
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        open_session(Settings(data_dir=Path(folder))) as session,
    ):
        ports = session.ports
        tenants = [f"t{number}" for number in range(count)]
        _fill(ports, [*tenants, *_WARM], load.memories)
        variables = environment_of(session.settings) | {LATENCY_VARIABLE: str(load.latency)}
        with _workers(variables, pool, count, load.workers, Path(folder)) as processes:
            watched = Watched(workers=processes, servers=find_servers(Path(folder)))
            _run(ports, _add_dreams(ports, _WARM), watched)
            idle_mb = watched.peak_mb = memory_mb(processes)
            dreams = _add_dreams(ports, tenants)
            before, begun = watched.used(), time.perf_counter()
            _run(ports, dreams, watched)
            wall, after = time.perf_counter() - begun, watched.used()
        asked = [_count_asked(ports, tenant) for tenant in tenants]
    return {
        "pool": pool,
        "workers": load.workers,
        "dreams at once": count,
        "wall s": wall,
        "calls per dream": sum(dream.calls for dream in asked) / count,
        **_shares(asked, wall, load.latency),
        **{f"{name} ms": (after[name] - before[name]) / count * 1000 for name in after},
        "idle MB": idle_mb,
        "MB per dream": (watched.peak_mb - idle_mb) / count,
    }


def _fill(ports: Ports, tenants: Sequence[str], memories: int) -> None:
    records, _ = load_store(100)
    texts = [NewText(path=r.path, content=r.content, written_at=r.written_at) for r in records[:memories]]
    for tenant in tenants:
        ensure_store(ports.db, tenant, "default")
        write_memories(ports.db, ports.ids, tenant, "default", texts, Author.AGENT)


@contextmanager
def _workers(
    variables: Mapping[str, str], pool: str, width: int, number: int, folder: Path
) -> Iterator[list[psutil.Process]]:
    """Start workers that share a width, and stop them."""
    options = ["-P", pool, "-c", str(-(-width // number)), "-Q", "dream.phase,dream.control", "-l", "WARNING"]
    environment = {**os.environ, **variables, "SLOWWAVE_LOG_LEVEL": "WARNING"}
    environment["SLOWWAVE_MAX_ACTIVE_DREAMS"] = str(max(width, 1_000))  # what is measured is the pool, not admission
    started: list[subprocess.Popen[bytes]] = []
    try:
        for one in range(number):
            with (folder / f"worker-{one}.log").open("wb") as log:
                name = ["-n", f"worker{one}@localhost", "--without-gossip", "--without-mingle"]
                command = [
                    sys.executable,
                    "-m",
                    "celery",
                    "-A",
                    "benchmarks.support.slow_model_app",
                    "worker",
                    *options,
                    *name,
                ]
                started.append(subprocess.Popen(command, cwd=_ROOT, env=environment, stdout=log, stderr=log))
        yield [psutil.Process(process.pid) for process in started]
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=60)


def _add_dreams(ports: Ports, tenants: Sequence[str]) -> dict[str, Dream]:
    """Add a queued dream of each tenant; its message is sent later."""
    dreams = {}
    for tenant in tenants:
        started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True)
        assert started.dream is not None, started.verdict.reason
        dreams[tenant] = started.dream
    return dreams


def _run(ports: Ports, dreams: Mapping[str, Dream], watched: Watched) -> None:
    """Send the dreams, and wait until all have ended. Only one is asked about at a time: asking costs, too."""
    for tenant, dream in dreams.items():
        ports.dispatch.send_dream(tenant, dream.store, dream_id=dream.id)
    for tenant, dream in dreams.items():
        while _is_active(ports, tenant, dream.id):
            watched.look()
            time.sleep(0.05)


def _is_active(ports: Ports, tenant: str, dream_id: str) -> bool:
    with ports.db.transaction(tenant) as uow:
        return uow.dreams.get(dream_id).state in ACTIVE_STATES


def _shares(asked: Sequence[Asked], wall: float, latency: float) -> dict[str, float]:
    """Return how near to the two ideals the dreams, all begun at once, came in `wall` seconds."""
    in_turn = sum(dream.calls for dream in asked) * latency / len(asked)
    in_rounds = max(dream.rounds for dream in asked) * latency
    return {
        "calls x latency / dreams s": in_turn,
        "share of it": in_turn / wall,
        "rounds s": in_rounds,
        "share of rounds": in_rounds / wall,
    }


def _count_asked(ports: Ports, tenant: str) -> Asked:
    """Count a dream's calls and how often it waited: once for each phase that asks, once more where it looks."""
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
        asked = [uow.calls.find_answers(dream.id, run.phase) for run in uow.phases.find_all(dream.id)]
    rounds = sum(bool(keys) + any(key.endswith("/look") for key in keys) for keys in asked)
    return Asked(calls=sum(len(keys) for keys in asked), rounds=rounds)


if __name__ == "__main__":
    sys.exit(main())
