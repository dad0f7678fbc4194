"""Upkeep on real servers: stores that want it, their time come, and dreams as the sweeps start them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import LiteralString

import psycopg

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import compaction, daily_digest
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, Trigger
from shared.core.memory.model import Author, Memory, Signals, Tier
from shared.ports.llm import Llm
from shared.services.dreams.start_upkeep import start_upkeep
from tests.support.builders import a_store, run_dream, take_picture, texts, write

SWEEPS = {Trigger.DIGEST: daily_digest.SWEEP, Trigger.COMPACTION: compaction.SWEEP}
NOTES = {f"garden/n{number}.md": f"# Note {number}\n\nThe gardener planted bed {number}.\n" for number in range(6)}
UNUSED = Signals(tier=Tier.DURABLE)
LONG_AGO = datetime.now(UTC) - timedelta(days=61)
_DUE: dict[Trigger, LiteralString] = {
    Trigger.DIGEST: "UPDATE stores SET digest_check_at = now(), last_activity_at = now() - interval '1 hour'",
    Trigger.COMPACTION: "UPDATE stores SET compaction_check_at = now(), last_activity_at = now() - interval '1 hour'",
}


def a_swarmclaw_store(
    ports: Ports, tenant: str, name: str = "default", overrides: Mapping[str, object] = MappingProxyType({})
) -> None:
    """A store with the profile whose upkeep is on, and whose dreams are not."""
    a_store(ports, tenant, name, profile="swarmclaw", overrides={"gates.idle_seconds": 0, **overrides})


def put_unused(
    ports: Ports,
    tenant: str,
    contents: Mapping[str, str],
    *,
    signals: Signals = UNUSED,
    at: datetime = LONG_AGO,
    author: Author = Author.AGENT,
) -> None:
    """Durable memories of 61 days ago that were not read since."""
    write(ports, tenant, texts(contents, signals=signals, at=at), author=author)


def have_looked_at(ports: Ports, owner: psycopg.Connection, trigger: Trigger) -> dict[str, int]:
    """As if every store's time had come for a kind of upkeep: one pass of its sweep."""
    owner.execute(_DUE[trigger])
    return run_sweep(ports, SWEEPS[trigger])


def upkeep(ports: Ports, tenant: str, trigger: Trigger, llm: Llm | None = None, *, store: str = "default") -> Dream:
    """Run an upkeep dream in this process, as its sweep starts it."""
    started = start_upkeep(ports.db, tenant, store, trigger)
    assert started.dream is not None, started.verdict
    return run_dream(ports, tenant, llm or OfflineLlm(), store=store, dream_id=started.dream.id)


def everything(ports: Ports, tenant: str) -> dict[str, Memory]:
    """Live, archived and superseded memories by path."""
    return {memory.path: memory for memory in take_picture(ports, tenant).memories.values()}


def fill(ports: Ports, tenant: str, store: str = "default") -> None:
    """A store that is due for a digest, the default one for a compaction, too, and that may dream."""
    a_swarmclaw_store(ports, tenant, store, {"gates.enabled": True})
    write(ports, tenant, NOTES, store=store)
    if store == "default":
        put_unused(ports, tenant, {"ops/old.md": "# Old\n\nThis was never asked about.\n"})
