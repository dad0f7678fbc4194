"""Measure an installation of several processes: `python -m benchmarks.scale_out [--tenants 200,2000] [--workers 3]`.

Starts PostgreSQL behind pgbouncer (where it is installed), Valkey, workers whose model takes 1 s, two beats and two APIs.
Every tenant has a store of 20 memories, all of which fall due at once; beat finds them, workers dream over them, and a client
reads from both APIs meanwhile. Reported: dreams a second, processor milliseconds a dream by program, connections, memory of a
process, the client's waiting times, whether each tenant had one dream, and the disk that events and versions take.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString

import httpx2
import psutil
import psycopg

from benchmarks.support.pgbouncer import behind_pgbouncer
from benchmarks.support.processor import find_servers, memory_mb, used_seconds
from benchmarks.support.report import report
from benchmarks.support.serving import serving
from benchmarks.support.stores import load_store
from gateway import programs
from gateway.cli.console.session import open_session
from shared.all_ports import Ports
from shared.bootstrap import environment_of, local_servers
from shared.core.memory.model import Author
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.core.tenants.roles import Role
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

_ROOT = Path(__file__).parents[2]
_MEMORIES = 20
_WARM = 12
_EVENTS = 20_000
_EVENT_WORDS = 40
_WORDS = ("deploy", "queue", "ingest", "latency", "retry", "billing", "cache", "worker", "index", "session")
_DATABASE_BYTES = "SELECT pg_database_size(current_database())"
_BEATS = _APIS = 2
_SERVER_CONNECTIONS = 20
_CLIENTS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename = 'slowwave_app'"
_Processes = Mapping[str, Sequence[psutil.Process]]


@dataclass(kw_only=True)
class Seen:
    """The observations during the dreams: milliseconds of the client's requests, and the most connections of PostgreSQL."""

    ms: list[float] = field(default_factory=list)
    refused: int = 0
    connections: int = 0

    def percentile(self, percent: float) -> float:
        """Return a percentile of the client's waiting times."""
        found = sorted(self.ms) or [0.0]
        return found[min(len(found) - 1, int(len(found) * percent / 100))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A row of the table; the megabytes of one process by program; the kilobytes on disk by what is stored."""

    row: dict[str, object]
    mb: dict[str, int]
    disk_kb: dict[str, float]


def main() -> int:
    """Run every size, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenants", default="200,2000")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--width", type=int, default=32, help="phases that one worker runs at once")
    chosen = parser.parse_args()
    measured = [_measure(int(size), chosen.workers, chosen.width) for size in chosen.tenants.split(",")]
    rows = [one.row for one in measured]
    notes = {
        "workers, beats, APIs": (chosen.workers, _BEATS, _APIS),
        "phases at once in a worker": chosen.width,
        "pgbouncer": f"{_SERVER_CONNECTIONS} connections" if _has_pgbouncer() else "not installed",
        "memories per store": _MEMORIES,
        "model": "1 s a call",
        "MB of a process before the dreams": measured[-1].mb,
        "kB on disk, with indexes": measured[-1].disk_kb,
    }
    report("scale_out", "All tenants due at once", rows, notes)
    return 0 if all(row["with one dream"] == row["tenants"] for row in rows) else 1


def _measure(size: int, workers: int, width: int) -> Measured:
    folder = Path(tempfile.mkdtemp(prefix="sw-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        settings = stack.enter_context(local_servers(Settings(data_dir=folder, max_active_dreams=workers * width)))
        assert settings.owner_database_url is not None
        url = settings.owner_database_url.get_secret_value().replace("+psycopg", "")
        owner = stack.enter_context(psycopg.connect(url, autocommit=True))
        there = stack.enter_context(
            behind_pgbouncer(settings, connections=_SERVER_CONNECTIONS) if _has_pgbouncer() else nullcontext(settings)
        )
        key, disk_kb = _fill(settings, owner, size)
        apis = [stack.enter_context(serving(there, folder)) for _ in range(_APIS)]
        ours = stack.enter_context(_running(there, {"beats": _BEATS, "workers": workers}, width, folder))
        watched: _Processes = {**ours, **find_servers(folder), "APIs": [one.process for one in apis]}
        _await_first(owner)
        mb = {name: round(memory_mb(found) / len(found)) for name, found in watched.items()}
        row = _dream(owner, size, watched, [one.address for one in apis], key)
    return Measured(row=row, mb=mb, disk_kb=disk_kb)


def _dream(
    owner: psycopg.Connection, size: int, watched: _Processes, addresses: Sequence[str], key: str
) -> dict[str, object]:
    """Let all tenants fall due, wait until each has dreamt, and return the row of the table."""
    before, begun = _used(watched), time.perf_counter()
    owner.execute("UPDATE stores SET next_check_at = now() WHERE tenant_id ~ '^t[0-9]'")
    with _reading(addresses, key) as seen:
        _await_dreams(owner, size, seen)
    wall, after = time.perf_counter() - begun, _used(watched)
    return {
        "tenants": size,
        "with one dream": _count(owner, "SELECT count(*) FROM stores WHERE total_dreams = 1 AND tenant_id ~ '^t[0-9]'"),
        "wall s": wall,
        "dreams/s": size / wall,
        "dreams/s/core": size / wall / (os.cpu_count() or 1),
        **{f"{name} ms": (after[name] - before[name]) / size * 1000 for name in after},
        "connections": seen.connections,
        "client p50 ms": seen.percentile(50),
        "client p99 ms": seen.percentile(99),
        "refused": seen.refused,
    }


def _has_pgbouncer() -> bool:
    return shutil.which("pgbouncer") is not None


def _fill(settings: Settings, owner: psycopg.Connection, size: int) -> tuple[str, dict[str, float]]:
    """Write the stores of all tenants; return an agent's key of the first one, and what a memory and an event take."""
    records, _ = load_store(100)
    texts = [NewText(path=r.path, content=r.content, written_at=r.written_at) for r in records[:_MEMORIES]]
    empty = _count(owner, _DATABASE_BYTES)
    with open_session(settings) as session:
        for tenant in [*(f"t{number}" for number in range(size)), *(f"warm{number}" for number in range(_WARM))]:
            ensure_store(session.ports.db, tenant, "default")
            write_memories(session.ports.db, session.ports.ids, tenant, "default", texts, Author.AGENT)
        with_memories = _count(owner, _DATABASE_BYTES)
        _tell(session.ports)
        with_events = _count(owner, _DATABASE_BYTES)
        wanted = NewKey(name="bench", role=Role.AGENT, rate_per_minute=1_000_000)
        key = create_key(session.ports.db, session.ports.ids, "t0", wanted, actor="bench", actor_role=Role.OPERATOR)
    # Until the clock starts nothing is due.
    owner.execute("UPDATE stores SET next_check_at = NULL, overrides = '{\"gates.idle_seconds\": 0}'")
    return key.token, {
        "a memory": (with_memories - empty) / 1024 / (size + _WARM) / _MEMORIES,
        "characters of a memory": sum(len(text.content) for text in texts) / len(texts),
        "an event": (with_events - with_memories) / 1024 / _EVENTS,
        "characters of an event": len(_event(1)),
    }


def _tell(ports: Ports) -> None:
    """Add events to a session of a tenant of its own, which does not dream."""
    target = ImportTarget(tenant_id="talk", store="default", source="bench")
    ensure_store(ports.db, "talk", "default")
    found = (
        FoundEvent(line=n, session="talk", event_id=f"e{n}", kind=EventKind.USER, role="user", text=_event(n))
        for n in range(1, _EVENTS + 1)
    )
    import_session_items(ports.db, target, found)


def _event(number: int) -> str:
    """Return an event whose words are not those of the others, so that their index grows as it would."""
    chosen = random.Random(number)
    return " ".join(f"{chosen.choice(_WORDS)}{chosen.randrange(2_000)}" for _ in range(_EVENT_WORDS))


@contextmanager
def _running(settings: Settings, wanted: Mapping[str, int], width: int, folder: Path) -> Iterator[_Processes]:
    """Start workers and beats, and stop them."""
    environment = os.environ | environment_of(settings) | {"SLOWWAVE_LOG_LEVEL": "WARNING"}
    own = environment | {"SLOWWAVE_SWEEP_SECONDS": "1", "SLOWWAVE_MAX_ACTIVE_DREAMS": str(settings.max_active_dreams)}
    worker = list(programs.worker(width).command)
    worker[worker.index("workers.app")] = "benchmarks.support.slow_model_app"
    commands = {"workers": worker}
    started: dict[str, list[subprocess.Popen[bytes]]] = {"workers": [], "beats": []}
    try:
        for name, number in wanted.items():
            for one in range(number):
                home = folder / f"{name}-{one}"
                home.mkdir()
                command = commands.get(name) or list(programs.beat(home).command)
                with (home / "log").open("wb") as log:
                    process = subprocess.Popen(command, cwd=_ROOT, env=own, stdout=log, stderr=log)
                started[name].append(process)
        yield {name: [psutil.Process(process.pid) for process in found] for name, found in started.items()}
    finally:
        every = [process for found in started.values() for process in found]
        for process in every:
            process.terminate()
        for process in every:
            process.wait(timeout=120)


def _await_first(owner: psycopg.Connection) -> None:
    """Wait until some tenants have dreamt, so that imports and first connections are not counted."""
    owner.execute("UPDATE stores SET next_check_at = now() WHERE tenant_id LIKE 'warm%'")
    while _count(owner, "SELECT count(*) FROM stores WHERE total_dreams > 0") < _WARM:
        time.sleep(0.2)


def _used(watched: _Processes) -> dict[str, float]:
    return {name: used_seconds(found) for name, found in watched.items()}


@contextmanager
def _reading(addresses: Sequence[str], key: str) -> Iterator[Seen]:
    """Read from each API in turn meanwhile, twenty times a second."""
    seen, stop = Seen(), threading.Event()

    def run() -> None:
        with httpx2.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
            while not stop.wait(0.05):
                for address in addresses:
                    begun = time.perf_counter()
                    status = client.get(f"{address}/api/stores/default/memories").status_code
                    seen.ms.append((time.perf_counter() - begun) * 1000)
                    seen.refused += status >= 400

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join(timeout=70)


def _await_dreams(owner: psycopg.Connection, size: int, seen: Seen) -> None:
    while _count(owner, "SELECT count(*) FROM stores WHERE total_dreams > 0 AND tenant_id ~ '^t[0-9]'") < size:
        seen.connections = max(seen.connections, _count(owner, _CLIENTS))
        time.sleep(0.5)


def _count(owner: psycopg.Connection, statement: LiteralString) -> int:
    row = owner.execute(statement).fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    sys.exit(main())
