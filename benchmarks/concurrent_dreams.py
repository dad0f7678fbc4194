"""Many dreams at once, and which pool carries them: `python -m benchmarks.concurrent_dreams`.

A real worker whose model takes 1 s runs N dreams of N tenants at the same time. Ideal is 1 s for every round of questions
of a dream, as its stored calls show them: questions of one round are asked side by side. Reported per pool: the wall time from the first message to the end of the last dream, the share of the
ideal, and the memory of the worker's processes (proportional set size) beyond the idle worker, per dream.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from benchmarks.report import report
from benchmarks.slow_model_app import LATENCY_SECONDS
from benchmarks.stores import load_store
from gateway.cli.session import open_session
from shared.bootstrap import environment_of
from shared.core.dream import ACTIVE_STATES, Trigger
from shared.core.memory import Author
from shared.ports.all_ports import Ports
from shared.services.send_dream import send_dream
from shared.services.start_dream import start_dream
from shared.services.write_memories import NewText, ensure_store, write_memories
from shared.settings import Settings

_ROOT = Path(__file__).parents[1]
_MEMORIES = 20
CASES = (("prefork", 10), ("threads", 10), ("prefork", 50), ("threads", 50), ("threads", 200))


def main() -> int:
    """Run every case, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", default=",".join(f"{pool}:{count}" for pool, count in CASES))
    cases = [case.split(":") for case in parser.parse_args().pools.split(",")]
    rows = [_measure(pool, int(count)) for pool, count in cases]
    report("concurrent_dreams", "Dreams at once, model of 1 s", rows, {"memories per store": _MEMORIES})
    return 0


def _measure(pool: str, count: int) -> dict[str, object]:
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        open_session(Settings(data_dir=Path(folder))) as session,
    ):
        tenants = [f"t{number}" for number in range(count)]
        _fill(session.ports, tenants)
        with _worker(session.settings, pool, count, Path(folder) / "worker.log") as worker:
            _run(session.ports, ["warm"])
            idle_mb = _memory_mb(worker)
            begun = time.perf_counter()
            peak_mb = _run(session.ports, tenants, worker)
            wall = time.perf_counter() - begun
        ideal = _count_rounds(session.ports, tenants[0]) * LATENCY_SECONDS
    return {
        "pool": pool,
        "dreams at once": count,
        "wall s": wall,
        "ideal s": ideal,
        "share of ideal": ideal / wall,
        "idle MB": idle_mb,
        "MB per dream": (peak_mb - idle_mb) / count,
    }


def _fill(ports: Ports, tenants: list[str]) -> None:
    records, _ = load_store(100)
    texts = [NewText(path=r.path, content=r.content, written_at=r.written_at) for r in records[:_MEMORIES]]
    for tenant in [*tenants, "warm"]:
        ensure_store(ports.db, tenant, "default")
        write_memories(ports.db, ports.ids, tenant, "default", texts, Author.AGENT)


@contextmanager
def _worker(settings: Settings, pool: str, count: int, log: Path) -> Iterator[psutil.Process]:
    queues = "dream.phase,dream.control"
    options = ["-P", pool, "-c", str(count), "-Q", queues, "--without-gossip", "--without-mingle", "-l", "WARNING"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "benchmarks.slow_model_app", "worker", *options],
            cwd=_ROOT,
            env=os.environ | environment_of(settings) | {"SLOWWAVE_LOG_LEVEL": "WARNING"},
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            yield psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait(timeout=60)


def _run(ports: Ports, tenants: list[str], worker: psutil.Process | None = None) -> float:
    """Start a dream of each tenant, wait for all, return the largest memory seen, in MB."""
    waiting = {}
    for tenant in tenants:
        started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True)
        assert started.dream is not None, started.verdict.reason
        send_dream(ports.db, ports.dispatch, started.dream)
        waiting[tenant] = started.dream.id
    peak = 0.0
    while waiting:
        peak = max(peak, _memory_mb(worker) if worker else 0.0)
        for tenant, dream_id in list(waiting.items())[:5]:
            with ports.db.transaction(tenant) as uow:
                if uow.dreams.get(dream_id).state not in ACTIVE_STATES:
                    del waiting[tenant]
        time.sleep(0.05)
    return peak


def _count_rounds(ports: Ports, tenant: str) -> int:
    """Return how many times a dream waited for its model: once for each phase that asks, once more where it repairs."""
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
        asked = [uow.calls.find_answers(dream.id, run.phase) for run in uow.phases.find_all(dream.id)]
    return sum(bool(keys) + any("/repair" in key for key in keys) for keys in asked)


def _memory_mb(worker: psutil.Process) -> float:
    """Return the proportional set size of a worker and its children: shared pages count once."""
    return sum(p.memory_full_info().pss for p in [worker, *worker.children(recursive=True)]) / 1024 / 1024


if __name__ == "__main__":
    sys.exit(main())
