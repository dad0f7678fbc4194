"""The most important memories, by what time has left of their importance: the database ranks as the function does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Memory, Signals
from shared.core.policy.profiles import PROFILES
from shared.core.policy.upkeep import DecayLaw, DecayPolicy
from shared.core.tenants.store import Store
from shared.core.upkeep.decay import decay_heads
from shared.ports.memories import MemoryWrite
from tests.support.builders import a_memory

NOW = datetime(2026, 7, 1, tzinfo=UTC)
LAWS = {name: policy.decay for name, policy in PROFILES.items()}
LAWS |= {"none": DecayPolicy(law=DecayLaw.NONE), "off": DecayPolicy(law=DecayLaw.HALF_LIFE, half_life_days=0)}


def save(ports: Ports, store: Store, memories: list[Memory]) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=memory, change="create") for memory in memories])


def aged(path: str, importance: float, days: float, *, content: str = "", **signals: float) -> Memory:
    at = NOW - timedelta(days=days)
    seen = NOW - timedelta(days=signals["seen"]) if "seen" in signals else None
    counted = Signals(importance=importance, access_count=int(signals.get("read", 0)), last_seen_at=seen)
    made = a_memory(path, content or f"# {path}\n", signals=counted, touched_at=at, is_dirty=False)
    return replace(made, updated_at=at)


def top(ports: Ports, store: Store, decay: DecayPolicy, count: int = 100) -> list[str]:
    with ports.db.transaction(store.tenant_id) as uow:
        return [head.path for head in uow.memories(store.id).find_top_heads(count, NOW, decay)]


@pytest.mark.parametrize("law", LAWS)
def test_memories_rank_by_the_importance_that_time_has_left(ports: Ports, store: Store, law: str) -> None:
    memories = [
        aged("a/fresh.md", 60, 1),
        aged("a/old.md", 90, 300),
        aged("a/old-but-seen.md", 85, 300, seen=31),
        aged("a/old-and-read.md", 70, 300, read=2),
        aged("a/insight.md", 55, 300, content="---\ntype: consolidated_insight\n---\n# Lasting\n"),
        aged("a/low.md", 9, 300),
        aged("a/tomorrow.md", 58, -1),
    ]
    save(ports, store, memories)
    with ports.db.transaction(store.tenant_id) as uow:
        heads = decay_heads(uow.memories(store.id).find_heads(), NOW, LAWS[law])
    ranked = sorted(heads, key=lambda head: (-head.signals.importance, head.path))
    assert top(ports, store, LAWS[law]) == [head.path for head in ranked]


def test_an_important_memory_of_last_year_makes_room_for_one_of_today(ports: Ports, store: Store) -> None:
    save(ports, store, [aged("a/last-year.md", 90, 365), aged("a/today.md", 60, 0)])
    assert top(ports, store, LAWS["rockbot"], 1) == ["a/today.md"]
    assert top(ports, store, LAWS["none"], 1) == ["a/last-year.md"]
