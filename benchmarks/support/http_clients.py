"""Many HTTP clients of one API: httpx on /api and Anthropic's SDK on /v1, each on kept connections of its own."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import anthropic
import httpx2
import psutil

from benchmarks.support.processor import memory_mb, used_seconds
from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.tenants.keys import NewKey, create_key

_STORE, _MEMORIES = "default", 100
HTTPX, SDK = "httpx, /api", "SDK, /v1"
#: Of ten requests six are lists of 20 memories, three searches (reads of one memory on /v1), and one is a write.
_LISTS, _READS = 0.6, 0.9
_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An agent's key, and what its requests name."""

    token: str
    store_id: str
    memory_id: str


@dataclass(kw_only=True)
class Stage:
    """The measurements of the clients of one kind: milliseconds of each answer, answers by status, and the time of the last one."""

    ms: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0

    def percentile(self, percent: float) -> float:
        """Return a percentile of the times."""
        found = sorted(self.ms)
        return found[min(len(found) - 1, int(len(found) * percent / 100))]


def open_accounts(ports: Ports, count: int) -> list[Account]:
    """Make tenants, each with a hundred memories and an agent's key."""
    return [_open_account(ports, f"tenant{number}") for number in range(count)]


def _open_account(ports: Ports, tenant: str) -> Account:
    ensure_store(ports.db, tenant, _STORE)
    texts = [NewText(path=f"n{n}.md", content=f"# Note {n}\n\nThe login token {n}.\n") for n in range(_MEMORIES)]
    write_memories(ports.db, ports.ids, tenant, _STORE, texts, Author.AGENT)
    wanted = NewKey(name="bench", role=Role.AGENT, rate_per_minute=1_000_000)
    key = create_key(ports.db, ports.ids, tenant, wanted, actor="bench", actor_role=Role.OPERATOR)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get(_STORE)
        [head, *_] = uow.memories(store.id).find_heads()
    return Account(token=key.token, store_id=store.id, memory_id=head.id)


def measure_stages(
    address: str, server: psutil.Process, accounts: Sequence[Account], stages: Sequence[Sequence[str]], seconds: float
) -> list[dict[str, object]]:
    """Let the clients of each stage ask at the same time; return a row for each kind of client of each stage."""
    rows: list[dict[str, object]] = []
    for kinds in stages:
        before = used_seconds([server])
        stage = asyncio.run(_run(address, accounts, kinds, seconds))
        answers = sum(len(one.ms) for one in stage.values())
        shared = {
            "server: CPU ms a request": 1000 * (used_seconds([server]) - before) / answers,
            "server: MB": round(memory_mb([server])),
        }
        rows += [_row(kind, kinds, stage[kind]) | shared for kind in sorted(stage)]
    return rows


def _row(kind: str, kinds: Sequence[str], found: Stage) -> dict[str, object]:
    refused = sum(number for status, number in found.statuses.items() if status in {429, 503})
    failed = sum(number for status, number in found.statuses.items() if status >= 400) - refused
    return {
        "clients": len(kinds),
        "of them": f"{kinds.count(kind)} {kind}",
        "requests/s": round(len(found.ms) / found.seconds),
        "p50 ms": found.percentile(50),
        "p99 ms": found.percentile(99),
        "429 or 503": refused,
        "failed": failed,
    }


async def _run(address: str, accounts: Sequence[Account], kinds: Sequence[str], seconds: float) -> dict[str, Stage]:
    """Open all clients, let each ask one thing, then let all ask until the time is over."""
    stages = {kind: Stage() for kind in kinds}
    async with AsyncExitStack() as stack:
        asks = [
            await _open(stack, kind, address, accounts[number % len(accounts)], number)
            for number, kind in enumerate(kinds)
        ]
        await asyncio.gather(*(ask() for ask in asks))
        begun = time.monotonic()
        end = begun + seconds
        await asyncio.gather(*(_ask_until(end, ask, stages[kind]) for ask, kind in zip(asks, kinds, strict=True)))
        for stage in stages.values():
            stage.seconds = time.monotonic() - begun
    return stages


async def _ask_until(end: float, ask: Callable[[], Awaitable[int]], stage: Stage) -> None:
    while (begun := time.monotonic()) < end:
        status = await ask()
        stage.ms.append(1000 * (time.monotonic() - begun))
        stage.statuses[status] += 1


async def _open(
    stack: AsyncExitStack, kind: str, address: str, account: Account, number: int
) -> Callable[[], Awaitable[int]]:
    """Return what sends one request of a new client and returns the status of its answer."""
    chosen, prefix = random.Random(number), f"bench/{time.time_ns()}-{number}"
    if kind == HTTPX:
        headers = {"Authorization": f"Bearer {account.token}"}
        client = httpx2.AsyncClient(base_url=address, headers=headers, timeout=_PATIENCE_SECONDS)
        await stack.enter_async_context(client)
        return lambda: _ask_httpx(client, chosen, prefix)
    sdk = anthropic.AsyncAnthropic(base_url=address, api_key=account.token, max_retries=0, timeout=_PATIENCE_SECONDS)
    await stack.enter_async_context(sdk)
    return lambda: _ask_sdk(sdk, account, chosen, prefix)


async def _ask_httpx(client: httpx2.AsyncClient, chosen: random.Random, prefix: str) -> int:
    base, which = f"/api/stores/{_STORE}", chosen.random()
    if which < _LISTS:
        answer = await client.get(f"{base}/memories", params={"limit": 20})
    elif which < _READS:
        answer = await client.get(f"{base}/search", params={"q": "login"})
    else:
        body = {"path": f"{prefix}-{which}.md", "content": "# Note\n\nWritten under load.\n"}
        answer = await client.post(f"{base}/memories", json=body)
    return answer.status_code


async def _ask_sdk(client: anthropic.AsyncAnthropic, account: Account, chosen: random.Random, prefix: str) -> int:
    memories, which = client.beta.memory_stores.memories, chosen.random()
    try:
        if which < _LISTS:
            await memories.list(account.store_id, limit=20)
        elif which < _READS:
            await memories.retrieve(account.memory_id, memory_store_id=account.store_id)
        else:
            path, content = f"/{prefix}-{which}.md", "# Note\n\nWritten under load.\n"
            await memories.create(account.store_id, path=path, content=content)
    except anthropic.APIStatusError as error:
        return error.status_code
    return 200
