"""Measure what a hostile tenant costs its neighbour: `python -m benchmarks.neighbours [--seconds 20] [--rounds 3] [--hostile 8]`.

Starts servers of its own, one `slowwave serve` and one worker, new ones for each round, so that quiet and attack take turns on
a machine whose other load changes, and no dream of an attack goes on into the next quiet. A tenant with ordinary keys reads,
searches, writes and adds to sessions, first alone; then beside another tenant that has an agent's key, too, and sends all
that it may as fast as it is answered: texts that parsers choke on, the largest bodies and pages, searches, and dreams of many
stores.
Reported per kind of request: the neighbour's median and 99th percentile, quiet and beside, and their ratio; the goal is
at most 2.

`python -m benchmarks.neighbours --processor 26` sends each attack that number of times instead, one after the other, and reports what a
request takes of the processor, in the API and in PostgreSQL. The API's part is what its interpreter is kept from other tenants;
unlike a percentile it hardly depends on what else the machine does.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import httpx2
import psutil

from benchmarks.support.hostile import Attack, Attacks
from benchmarks.support.processor import find_servers, used_seconds
from benchmarks.support.report import report
from benchmarks.support.serving import serving
from benchmarks.support.stores import load_store
from gateway.cli.console.session import open_session
from shared.all_ports import Ports
from shared.bootstrap import environment_of, local_servers
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.core.text.similarity import significant_words
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

_ROOT = Path(__file__).parents[1]
_STORE = "default"
_STORES_OF_HOSTILE = 8
_GOAL = 2.0


@dataclass(kw_only=True)
class Measured:
    """Milliseconds by kind of request, and answers by status: of the neighbour, only the failures."""

    ms: dict[str, list[float]] = field(default_factory=partial(defaultdict, list))
    refused: Counter[int] = field(default_factory=Counter)

    def add(self, other: "Measured") -> None:
        """Add what another round measured."""
        for kind, ms in other.ms.items():
            self.ms[kind] += ms
        self.refused += other.refused

    def percentile(self, kind: str, percent: float) -> float:
        """Return a percentile of the times of a kind."""
        found = sorted(self.ms[kind])
        return found[min(len(found) - 1, int(len(found) * percent / 100))]


def main() -> int:
    """Measure the neighbour alone and beside the hostile tenant, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each side in each round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--hostile", type=int, default=8, help="connections of the hostile tenant")
    parser.add_argument("--workers", type=int, default=1, help="processes of the API")
    parser.add_argument("--attacks", default="", help="only those whose names in support/hostile.py begin so")
    parser.add_argument(
        "--processor", type=int, default=0, help="send each attack this number of times, and measure processor time"
    )
    wanted = parser.parse_args()
    if wanted.processor:
        _report_processor(wanted)
        return 0
    quiet, beside, attacked = Measured(), Measured(), Measured()
    for _ in range(wanted.rounds):
        _measure(wanted, quiet, beside, attacked)
    rows = [_row(kind, quiet, beside) for kind in quiet.ms]
    notes = {
        "seconds": wanted.seconds,
        "rounds": wanted.rounds,
        "hostile connections": wanted.hostile,
        "processes of the API": wanted.workers,
        "answers to the hostile tenant": dict(sorted(attacked.refused.items())),
        "its requests, and their median in ms": {
            kind: (len(ms), round(attacked.percentile(kind, 50))) for kind, ms in sorted(attacked.ms.items())
        },
        "refused of the neighbour": {"quiet": dict(quiet.refused), "beside": dict(beside.refused)},
    }
    report("neighbours", "A tenant's requests, quiet and beside a hostile tenant", rows, notes)
    return 0 if all(isinstance(row["p99 ratio"], float) and row["p99 ratio"] <= _GOAL for row in rows) else 1


def _measure(wanted: argparse.Namespace, quiet: Measured, beside: Measured, attacked: Measured) -> None:
    """Add the times of one round on servers of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        with open_session(settings) as session:
            good, words = _fill(session.ports, "good", [_STORE], wanted.memories)
            hostile, _ = _fill(session.ports, "hostile", [f"s{n}" for n in range(_STORES_OF_HOSTILE)], wanted.memories)
            limited = _key(session.ports, "hostile", rate_per_minute=1)
        with serving(settings, Path(folder), wanted.workers) as (address, _), _working(settings, Path(folder)):
            _ask_for(address, good, words, 3)  # imports and the first index of a search
            quiet.add(_ask_for(address, good, words, wanted.seconds))
            with _attacking(address, (hostile, limited), wanted) as found:
                time.sleep(2)
                beside.add(_ask_for(address, good, words, wanted.seconds))
            attacked.add(found)


def _report_processor(wanted: argparse.Namespace) -> None:
    """Print and write what a request of each attack takes of the processor; no worker runs meanwhile."""
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        with open_session(settings) as session:
            token, _ = _fill(session.ports, "hostile", [_STORE], wanted.memories)
            limited = _key(session.ports, "hostile", rate_per_minute=1)
        with serving(settings, Path(folder)) as (address, api), _client(address, token) as client:
            sides = {"API": [api], "PostgreSQL": find_servers(Path(folder))["postgres"]}
            rows = [
                {"attack": kind, **_cost(kind, attack, wanted.processor, sides)}
                for kind, attack in Attacks(client, [_STORE], limited).all.items()
                if kind.startswith(wanted.attacks)
            ]
    report("neighbours_processor", "What a request of each attack takes of the processor", rows, {})


def _cost(kind: str, attack: Attack, times: int, sides: Mapping[str, Sequence[psutil.Process]]) -> dict[str, object]:
    """Return processor milliseconds of a request by side, and the answers by status; the first request is not counted."""
    name = kind.replace(" ", "-")
    attack(f"{name}-0")
    before = {side: used_seconds(processes) for side, processes in sides.items()}
    answers = Counter(attack(f"{name}-{number}").status_code for number in range(1, times + 1))
    used = {f"{side} ms": (used_seconds(sides[side]) - before[side]) * 1000 / times for side in sides}
    return {**used, "answers": dict(answers)}


def _row(kind: str, quiet: Measured, beside: Measured) -> dict[str, object]:
    before, after = quiet.percentile(kind, 99), beside.percentile(kind, 99)
    return {
        "request": kind,
        "quiet: asked": len(quiet.ms[kind]),
        "quiet: p50 ms": quiet.percentile(kind, 50),
        "quiet: p99 ms": before,
        "beside: asked": len(beside.ms[kind]),
        "beside: p50 ms": beside.percentile(kind, 50),
        "beside: p99 ms": after,
        "p99 ratio": after / before,
    }


def _fill(ports: Ports, tenant: str, stores: Sequence[str], size: int) -> tuple[str, list[str]]:
    """Return an agent's key of a tenant with the given number of memories in each store, and queries that find some."""
    records, _ = load_store(size)
    for store in stores:
        ensure_store(ports.db, tenant, store)
        for batch in in_batches(NewText(path=one.path, content=one.content) for one in records):
            write_memories(ports.db, ports.ids, tenant, store, batch, Author.AGENT)
    return _key(ports, tenant, rate_per_minute=1_000_000), [
        " ".join(significant_words(one.content, 3)) for one in records[:200]
    ]


def _key(ports: Ports, tenant: str, rate_per_minute: int) -> str:
    key = NewKey(name=f"bench-{rate_per_minute}", role=Role.AGENT, rate_per_minute=rate_per_minute)
    return create_key(ports.db, ports.ids, tenant, key, actor="bench", actor_role=Role.OPERATOR).token


@contextmanager
def _client(address: str, token: str) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=address, headers=headers, timeout=120) as client:
        yield client


def _ask_for(address: str, token: str, words: Sequence[str], seconds: float) -> Measured:
    """Send the neighbour's requests one after the other, as an agent at work does, and return what they took."""
    measured, number = Measured(), count(int(time.time() * 1000))
    base = f"/api/stores/{_STORE}"
    chosen = random.Random(1)
    with _client(address, token) as client:
        session = client.post(f"{base}/sessions", json={"external_id": f"chat-{next(number)}"}).json()["id"]
        kinds: dict[str, Callable[[], httpx2.Response]] = {
            "list memories": lambda: client.get(f"{base}/memories"),
            "search": lambda: client.get(f"{base}/search", params={"q": chosen.choice(words)}),
            "search with sessions": lambda: client.get(f"{base}/search/sessions", params={"q": chosen.choice(words)}),
            "write a memory": lambda: client.post(
                f"{base}/memories", json={"path": f"work/{next(number)}.md", "content": "# Note\n\nIt works.\n"}
            ),
            "add to a session": lambda: client.post(
                f"{base}/sessions/{session}/events",
                json={
                    "events": [{"event_id": f"e{next(number)}", "kind": "user", "text": "The rota changes on Mondays."}]
                },
            ),
        }
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for kind, ask in kinds.items():
                begun = time.perf_counter()
                status = ask().status_code
                measured.ms[kind].append((time.perf_counter() - begun) * 1000)
                if status >= 400:
                    measured.refused[status] += 1
                time.sleep(0.01)
    return measured


@contextmanager
def _attacking(address: str, keys: tuple[str, str], wanted: argparse.Namespace) -> Iterator[Measured]:
    """Attack over the given number of connections meanwhile; count the answers by status.

    The attackers have a process of their own: they stand for other machines, so they neither hold the lock of the process
    that measures nor take processor time that the servers ask for.
    """
    context = multiprocessing.get_context("spawn")
    stop, results = context.Event(), context.Queue()
    process = context.Process(
        target=_attack, args=(address, keys, wanted.hostile, wanted.attacks, stop, results), daemon=True
    )
    measured = Measured()
    process.start()
    try:
        yield measured
    finally:
        stop.set()
        found: Measured = results.get(timeout=150)
        measured.ms.update(found.ms)
        measured.refused.update(found.refused)
        process.join(timeout=10)


def _attack(
    address: str, keys: tuple[str, str], connections: int, attacks: str, stop: Event, results: "Queue[Measured]"
) -> None:
    """Attack until told to stop, then hand over what was measured."""
    os.nice(19)
    measured, number = Measured(), count()

    def run(seed: int) -> None:
        chosen = random.Random(seed)
        with _client(address, keys[0]) as client:
            every = Attacks(client, [f"s{n}" for n in range(_STORES_OF_HOSTILE)], keys[1]).all
            kinds = [kind for kind in every if kind.startswith(attacks)]
            while not stop.is_set():
                kind, begun = chosen.choice(kinds), time.perf_counter()
                try:
                    measured.refused[every[kind](f"{seed}-{next(number)}").status_code] += 1
                except httpx2.HTTPError:
                    measured.refused[0] += 1
                measured.ms[kind].append((time.perf_counter() - begun) * 1000)

    threads = [threading.Thread(target=run, args=(seed,), daemon=True) for seed in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(measured)


@contextmanager
def _working(settings: Settings, folder: Path) -> Iterator[None]:
    """Run a worker that carries out what both tenants order."""
    command = [sys.executable, "-m", "celery", "-A", "workers.app", "worker", "--loglevel", "WARNING"]
    with ExitStack() as stack:
        log = stack.enter_context((folder / "worker.log").open("wb"))
        process = subprocess.Popen(
            command, cwd=_ROOT, env=os.environ | environment_of(settings), stdout=log, stderr=subprocess.STDOUT
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=120)


if __name__ == "__main__":
    raise SystemExit(main())
