"""Measure what an agent pays for `recall.least_rank`: `python -m benchmarks.cost.hiding --beside CHECKOUT [--rounds N]`.

Processor time of the API's process and of PostgreSQL together, for requests with an agent's key over 10,000 memories of which half are an
owner's: in a store that hides nothing, and in one that shows what owners say. Two programs take turns, each with servers of its own: this
one, and that of another checkout, such as the commit before there was anything to hide. `%` is the median of what a request takes more.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import sqrt
from pathlib import Path
from statistics import median

import httpx
import psutil

from benchmarks.support.report import report
from benchmarks.support.serving import serving
from benchmarks.support.stores import load_store
from gateway.cli.console.session import open_session
from gateway.phases import get_phases
from shared.bootstrap import local_servers
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

#: Each is the only store of a tenant: an agent's list of all stores follows the strictest one.
_STORES: Mapping[str, Mapping[str, object]] = {"hides nothing": {}, "least_rank": {"recall.least_rank": "owner"}}
_NAMES = {"hides nothing": "plain", "least_rank": "hiding"}
_MEMORIES, _TIMES = 10_000, 40
#: What works beside requests, such as the vacuum after the load.
_OTHERS = re.compile("redis|autovacuum|checkpointer|background writer|walwriter|logical replication|logger")
_WORDS = ("deploy", "database", "token", "customer", "release", "meeting")


def main() -> int:
    """Serve for another process, or measure this program beside another one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, help="Another checkout of slowwave, with this file in it.")
    parser.add_argument("--rounds", type=int, default=20, help="Number of rounds.")
    parser.add_argument(
        "--serve", action="store_true", help="Serve until the input ends (used by the benchmark itself)."
    )
    options = parser.parse_args()
    if options.serve:
        return _serve()
    root = Path(__file__).parents[2]
    with ExitStack() as stack:
        programs = {"before": options.beside or root, "now": root}
        served = {name: stack.enter_context(_program(folder)) for name, folder in programs.items()}
        rows = [row for store in _STORES for row in _measure(served, store, options.rounds)]
    report("hiding", "Processor ms of a request, API and PostgreSQL (median)", rows, {"rounds": options.rounds})
    return 0


def _serve() -> int:
    """Print the address, the key and the ids that requests name, and answer until the input ends."""
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
        open_session(settings) as session,
    ):
        ports, told = session.ports, {}
        texts = load_store(_MEMORIES)[0]
        for store, overrides in _STORES.items():
            name = tenant = _NAMES[store]
            ensure_store(ports.db, tenant, name)
            changes = StoreChanges(overrides=overrides)
            configure_store(ports.db, tenant, name, changes=changes, phases=get_phases(), actor="bench")
            for author, part in ((Author.USER, texts[::2]), (Author.AGENT, texts[1::2])):
                for batch in in_batches(NewText(path=one.path, content=one.content) for one in part):
                    write_memories(ports.db, ports.ids, tenant, name, batch, author)
            with ports.db.transaction(tenant) as uow:
                store_id = uow.stores.get(name).id
                found = uow.memories(store_id).find_by_paths({one.path for one in texts[: 2 * _TIMES : 2]})
            key = NewKey(name="bench", role=Role.AGENT, rate_per_minute=1_000_000)
            made = create_key(ports.db, ports.ids, tenant, key, actor="bench", actor_role=Role.OPERATOR)
            told[store] = {"id": store_id, "ids": sorted(one.id for one in found.values()), "token": made.token}
        with serving(settings, Path(folder)) as api:
            line = {"address": api.address, "api": api.process.pid, "folder": folder, "stores": told}
            print(json.dumps(line), flush=True)
            sys.stdin.read()
    return 0


@contextmanager
def _program(folder: Path) -> Iterator["_Program"]:
    command = [sys.executable, str(folder / "benchmarks/cost/hiding.py"), "--serve"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = (line for line in process.stdout if line.startswith("{"))
        yield _Program(json.loads(next(lines)))


class _Program:
    """A program that serves, with the processes whose time counts."""

    def __init__(self, told: Mapping[str, object]) -> None:
        self.told = json.loads(json.dumps(told))
        self.client = httpx.Client(base_url=self.told["address"], timeout=60)

    def get(self, store: str, address: str) -> None:
        """Send a request with the key of the store's tenant."""
        headers = {"Authorization": f"Bearer {self.told['stores'][store]['token']}"}
        self.client.get(address, headers=headers).raise_for_status()

    def spent_ms(self) -> float:
        """Return the processor time of the API and of PostgreSQL until now."""
        parent = psutil.Process(self.told["api"]).ppid()
        found = psutil.Process(parent).children(recursive=True)
        every = [one for one in found if not _OTHERS.search(" ".join(one.cmdline()))]
        return sum(_nanoseconds(one.pid) for one in every) / 1e6


def _nanoseconds(pid: int) -> int:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(one.read_text().split()[0]) for one in tasks)


def _list_requests(program: _Program, store: str) -> dict[str, Sequence[str]]:
    base, one = f"/api/stores/{_NAMES[store]}", program.told["stores"][store]
    return {
        "search": [f"{base}/search?q={word}+{n}" for n, word in zip(range(_TIMES), _WORDS * _TIMES, strict=False)],
        "read": [f"{base}/memories/{memory_id}" for memory_id in one["ids"]],
        "read by /v1": [f"/v1/memory_stores/{one['id']}/memories/{memory_id}" for memory_id in one["ids"]],
        "list of 50": [f"{base}/memories"] * _TIMES,
        "export of 50": [f"{base}/export"] * _TIMES,
        "versions": [f"{base}/memories/{memory_id}/history" for memory_id in one["ids"]],
        "reviews": ["/api/reviews"] * _TIMES,
    }


def _measure(served: Mapping[str, _Program], store: str, rounds: int) -> list[dict[str, object]]:
    """Send each request to both programs, one right behind the other, since what else a machine does changes by the second."""
    spent: dict[str, list[tuple[float, float]]] = {}
    lists = {name: _list_requests(program, store) for name, program in served.items()}
    for number in range(rounds + 1):  # the first one is not counted: it plans statements and builds the index
        for kind, addresses in lists["now"].items():
            for place, pair in enumerate(zip(lists["before"][kind], addresses, strict=True)):
                used = _spend_on(served, store, pair, is_turned=(number + place) % 2 == 1)
                spent.setdefault(kind, []).extend([used] * (number > 0))
    return [{"store": store, "request": kind} | _compare(pairs) for kind, pairs in spent.items()]


def _spend_on(
    served: Mapping[str, _Program], store: str, addresses: tuple[str, str], *, is_turned: bool
) -> tuple[float, float]:
    used = {}
    for name, address in sorted(zip(("before", "now"), addresses, strict=True), reverse=is_turned):
        program = served[name]
        begun = program.spent_ms()
        program.get(store, address)
        used[name] = program.spent_ms() - begun
    return used["before"], used["now"]


def _compare(pairs: Sequence[tuple[float, float]]) -> dict[str, object]:
    ratios = sorted((now / before - 1) * 100 for before, now in pairs)
    return {
        "before": median(before for before, _ in pairs),
        "now": median(now for _, now in pairs),
        "%": median(ratios),
        # The bounds of the median at 95 %, from order statistics.
        "from": ratios[max(0, round(len(ratios) / 2 - sqrt(len(ratios))))],
        "to": ratios[min(len(ratios) - 1, round(len(ratios) / 2 + sqrt(len(ratios))))],
    }


if __name__ == "__main__":
    raise SystemExit(main())
