"""Measure what masking costs on writes: `python -m benchmarks.cost.masking [--rounds N]`.

Processor time of this process (PostgreSQL's is not in it) for a create of 1 kB and of 4 kB, an import of 1,000 memories and a session of 50
events, by the services, without HTTP. Three stores take turns in each round: one that keeps everything, of an installation that masks
nothing (`SLOWWAVE_MASK_SECRETS=false`), one that masks secrets as by default, and one that masks personal data, too. The lower
quartile of the rounds is told: what other work on the machine adds is no cost of a write.

Then what a caller waits for, by the clock: a create of 4 kB and 50 events in one request, sent to a process of the API that masks
nothing and to one that masks secrets, in turns.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import quantiles

import httpx

from benchmarks.support.report import report
from benchmarks.support.serving import serving
from benchmarks.support.stores import load_store
from gateway.cli.console.session import open_session
from gateway.phases import get_phases
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.memory.model import Author
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.core.tenants.roles import Role
from shared.services.memories.edit import create_memory
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

_TENANT = "bench"
_STORES: Mapping[str, Mapping[str, object]] = {
    "off": {},
    "default": {},
    "all": {"personal_data.action": "mask"},
}
_CREATES, _IMPORTED, _EVENTS = 10, 1_000, 50
_AT = datetime(2026, 3, 1, tzinfo=UTC)
_Write = Callable[[str], None]


def main() -> int:
    """Measure each write in each store, taking turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="Number of rounds.")
    rounds = parser.parse_args().rounds
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports, off = make_ports(settings), make_ports(settings.model_copy(update={"mask_secrets": False}))
        every = {store: off if store == "off" else ports for store in _STORES}
        for store, overrides in _STORES.items():
            ensure_store(ports.db, _TENANT, store)
            changes = StoreChanges(overrides=overrides)
            configure_store(ports.db, _TENANT, store, changes=changes, phases=get_phases(), actor="bench")
        rows = [_measure(name, times, write, rounds) for name, (times, write) in _list_writes(every).items()]
        for each in (ports, off):
            each.close()
        waits = _measure_waits(settings, Path(folder), rounds * _CREATES)
    report("masking", "Processor ms of a write (lower quartile)", rows, {"rounds": rounds})
    report("masking-waits", "Milliseconds that a caller waits (lower quartile)", waits, {"requests": rounds * _CREATES})
    return 0


def _measure_waits(settings: Settings, folder: Path, requests: int) -> list[dict[str, object]]:
    """Measure requests to two processes of the API, taking turns."""
    with open_session(settings) as session:
        key = NewKey(name="bench", role=Role.AGENT, rate_per_minute=1_000_000)
        made = create_key(session.ports.db, session.ports.ids, _TENANT, key, actor="bench", actor_role=Role.OPERATOR)
    texts = [one.content for one in load_store(_IMPORTED)[0]]
    with (
        serving(settings, folder, SLOWWAVE_MASK_SECRETS="false") as off,
        serving(settings, folder) as default,
        httpx.Client(headers={"Authorization": f"Bearer {made.token}"}, timeout=60) as client,
    ):
        spent: dict[tuple[str, str], list[float]] = {}
        for number in range(requests):
            for store, served in (("off", off), ("default", default))[:: 1 if number % 2 else -1]:
                for write, path, body in _list_bodies(client, f"{served.address}/api/stores/{store}", texts, number):
                    before = time.perf_counter()
                    client.post(path, json=body).raise_for_status()
                    spent.setdefault((write, store), []).append((time.perf_counter() - before) * 1_000)
    rows: list[dict[str, object]] = []
    for write in dict.fromkeys(write for write, _ in spent):
        found = {store: quantiles(spent[write, store][10:], n=4)[0] for store in ("off", "default")}
        rows.append({"write": write, **found, "default, %": (found["default"] / found["off"] - 1) * 100})
    return rows


def _list_bodies(
    client: httpx.Client, base: str, texts: Sequence[str], number: int
) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield each kind of request with its address and its body; a session begins unmeasured."""
    said = "\n\n".join(texts[number % 100 : number % 100 + 40])[:4_000]
    yield "create 4 kB", f"{base}/memories", {"path": f"sent/{number}.md", "content": f"# Note {number}\n\n{said}\n"}
    begun = client.post(f"{base}/sessions", json={"external_id": f"sent-{number}"})
    events = [
        {
            "event_id": f"e{n}",
            "kind": "user" if n % 2 else "assistant",
            "text": texts[(number + n) % len(texts)][:1_000],
        }
        for n in range(_EVENTS)
    ]
    yield f"{_EVENTS} events", f"{base}/sessions/{begun.raise_for_status().json()['id']}/events", {"events": events}


def _list_writes(every: Mapping[str, Ports]) -> dict[str, tuple[int, _Write]]:
    """Return each kind of write, and how many a measurement takes together."""
    texts = [one.content for one in load_store(_IMPORTED)[0]]
    said, numbers = "\n\n".join(texts), count()

    def create(size: int) -> _Write:
        def run(store: str) -> None:
            number = next(numbers)
            start = number * 997 % (len(said) - size)
            text = NewText(path=f"made/{number}.md", content=f"# Note {number}\n\n{said[start : start + size]}\n")
            create_memory(every[store].db, every[store].ids, _TENANT, store, text, Author.AGENT)

        return run

    def import_all(store: str) -> None:
        number = next(numbers)
        made = (NewText(path=f"in{number}/{n}.md", content=text) for n, text in enumerate(texts))
        for batch in in_batches(made):
            write_memories(every[store].db, every[store].ids, _TENANT, store, batch, Author.IMPORT)

    def tell(store: str) -> None:
        name = f"s{next(numbers)}"
        events = [
            FoundEvent(
                line=n, session=name, event_id=f"e{n}", kind=EventKind.USER if n % 2 else EventKind.ASSISTANT, role="",
                text=texts[n][:1_000], at=_AT + timedelta(seconds=n),
            )
            for n in range(_EVENTS)
        ]  # fmt: skip
        import_session_items(every[store].db, ImportTarget(tenant_id=_TENANT, store=store, source="plain"), events)

    return {
        "create 1 kB": (_CREATES, create(1_000)),
        "create 4 kB": (_CREATES, create(4_000)),
        f"import of {_IMPORTED:,}": (1, import_all),
        f"session of {_EVENTS} events": (1, tell),
    }


def _measure(name: str, times: int, write: _Write, rounds: int) -> dict[str, object]:
    for store in _STORES:  # nothing is imported or compiled while it is measured
        write(store)
    spent: dict[str, list[float]] = {store: [] for store in _STORES}
    for number in range(rounds):
        turns = list(_STORES)[number % len(_STORES) :] + list(_STORES)[: number % len(_STORES)]
        for store in turns:
            before = _processor_ms()
            for _ in range(times):
                write(store)
            spent[store].append((_processor_ms() - before) / times)
    found = {store: quantiles(each, n=4)[0] for store, each in spent.items()}
    more = {f"{store}, %": (found[store] / found["off"] - 1) * 100 for store in ("default", "all")}
    return {"write": name, **found, **more}


def _processor_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return (used.ru_utime + used.ru_stime) * 1_000


if __name__ == "__main__":
    raise SystemExit(main())
