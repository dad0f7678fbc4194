"""Access-based compaction on real servers: what it archives, what it never touches, and how that comes back."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author, Maturity, MemoryState, Signals, Tier
from shared.core.upkeep.decay import EXEMPT_CATEGORIES
from shared.services.dreams.explain import explain_store
from shared.services.dreams.start_upkeep import find_unused, start_upkeep
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from tests.integration.upkeep.upkeep_support import (
    LONG_AGO,
    NOTES,
    UNUSED,
    a_swarmclaw_store,
    everything,
    put_unused,
    upkeep,
)
from tests.support.builders import a_store, get_operations, get_store, take_picture, write
from workers.phases import get_catalog

COMPACTION = Trigger.COMPACTION
OLD = {"ops/old.md": "# Old\n\nThis was never asked about.\n"}


def archived(ports: Ports, tenant: str) -> set[str]:
    return {m.path for m in everything(ports, tenant).values() if m.state is MemoryState.ARCHIVED}


def reason(ports: Ports, tenant: str) -> str:
    started = start_upkeep(ports.db, tenant, "default", COMPACTION)
    assert started.dream is None
    return started.verdict.reason


def test_a_durable_memory_without_an_access_in_60_days_is_archived_with_a_stub(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, COMPACTION)
    assert (dream.state, dream.trigger) == (DreamState.COMPLETED, COMPACTION)
    assert dream.summary is not None
    assert (dream.summary.archived, dream.summary.model_calls) == (1, 0)
    assert archived(ports, tenant) == set(OLD)
    assert everything(ports, tenant)["ops/old.md"].stub
    assert "ops/old.md" not in everything(ports, tenant)["MEMORY.md"].content


@pytest.mark.parametrize(
    ("signals", "more"),
    [
        (Signals(tier=Tier.DURABLE, access_count=1), {}),
        (Signals(tier=Tier.DURABLE, pinned=True), {}),
        (Signals(tier=Tier.DURABLE, maturity=Maturity.CORE), {}),
        (Signals(tier=Tier.DURABLE, importance=80), {}),
        (Signals(tier=Tier.DURABLE, reinforcement_count=5), {}),
        (Signals(tier=Tier.DURABLE, last_seen_at=datetime.now(UTC)), {}),
        (Signals(tier=Tier.WORKING), {}),
        (UNUSED, {"author": Author.USER}),
        (UNUSED, {"at": datetime.now(UTC) - timedelta(days=59)}),
    ],
    ids=["read", "pinned", "core", "important", "reinforced", "seen", "working tier", "a user's", "59 days"],
)
def test_compaction_keeps_used_protected_and_young_memories(
    signals: Signals, more: dict[str, Any], ports: Ports, tenant: str
) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD, signals=signals, **more)
    assert reason(ports, tenant) == "No durable memory was without an access for more than 60 days"


@pytest.mark.parametrize("category", sorted(EXEMPT_CATEGORIES))
@pytest.mark.parametrize("field", ["category", "type"])
def test_exempt_categories_stay(category: str, field: str, ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, {"ops/old.md": f"---\n{field}: {category}\n---\n# Old\n\nNever asked for.\n"})
    assert "No durable memory" in reason(ports, tenant)


@pytest.mark.parametrize("path", ["MEMORY.md", "ops/_index.md", "logs/2026/03/2026-03-04.md", "skills/a/SKILL.md"])
def test_indexes_logs_and_skills_stay(path: str, ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, {path: "# Old\n\nThis was never asked about.\n"})
    assert "No durable memory" in reason(ports, tenant)


def test_the_loss_cap_holds_and_the_rest_waits_for_the_next_day(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, {f"ops/{n}.md": f"# Old {n}\n\nThis was never asked for: {n}.\n" for n in range(12)})
    dream = upkeep(ports, tenant, COMPACTION)
    assert len(archived(ports, tenant)) == 3
    assert dream.summary is not None
    assert dream.summary.reasons["loss_cap"] == 9
    assert reason(ports, tenant) == "Compacted less than 24 h ago"


def test_a_second_compaction_finds_nothing(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    upkeep(ports, tenant, COMPACTION)
    assert "No durable memory" in reason(ports, tenant)


def test_an_undone_compaction_brings_everything_back(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    before = take_picture(ports, tenant)
    dream = upkeep(ports, tenant, COMPACTION)
    undo_dream(ports.db, tenant, dream.id, actor="test")
    after = take_picture(ports, tenant)
    assert {i: after.memories[i] for i in before.memories} == before.memories
    assert after.books == before.books
    assert reason(ports, tenant) == "Compacted less than 24 h ago"


def test_a_person_is_asked_and_a_no_restores_it(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    dream = upkeep(ports, tenant, COMPACTION)
    (recorded,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.COMPACT]
    reject_operation(ports.db, tenant, recorded.id, actor="test")
    assert everything(ports, tenant)["ops/old.md"].state is MemoryState.LIVE
    with ports.db.transaction(tenant) as uow:
        assert find_unused(uow, uow.stores.get("default"), 10) == [], "no model is asked the same tomorrow"


def test_a_compaction_leaves_alone_what_belongs_to_whole_dreams(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    write(ports, tenant, NOTES)
    before = take_picture(ports, tenant).books
    upkeep(ports, tenant, COMPACTION)
    assert take_picture(ports, tenant).books == before


def test_another_store_of_the_tenant_is_not_reached(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    a_store(ports, tenant, "other", profile="swarmclaw", overrides={"gates.idle_seconds": 0})
    started = start_upkeep(ports.db, tenant, "other", COMPACTION)
    assert started.dream is None


def test_the_next_look_is_when_the_next_memory_comes_of_age(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD, at=LONG_AGO + timedelta(days=31))
    assert "No durable memory" in reason(ports, tenant)
    looks_at = get_store(ports, tenant).compaction_check_at
    assert looks_at is not None
    assert timedelta(days=29) < looks_at - datetime.now(UTC) < timedelta(days=31)


def test_explain_tells_of_each_kind_of_upkeep(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD)
    lines = {line.trigger: line.verdict for line in explain_store(ports.db, tenant, "default", get_catalog).upkeep}
    assert lines[COMPACTION].is_open
    assert lines[Trigger.DIGEST].reason == "Not enough new memories (0 < 5 in 24 h)"


def test_a_durable_memory_that_was_imported_recently_is_not_archived_because_its_file_is_old(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD, author=Author.IMPORT)
    write(ports, tenant, NOTES)
    assert reason(ports, tenant).startswith("No durable memory")
    owner_connection.execute(
        "UPDATE memory_versions SET created_at = created_at - interval '61 days' WHERE tenant_id = %s", [tenant]
    )
    upkeep(ports, tenant, COMPACTION)
    assert archived(ports, tenant) == set(OLD)


def test_an_import_that_is_not_old_enough_yet_is_when_the_next_compaction_comes(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put_unused(ports, tenant, OLD, author=Author.IMPORT)
    started = start_upkeep(ports.db, tenant, "default", COMPACTION)
    assert started.dream is None
    due = get_store(ports, tenant).compaction_check_at
    assert due is not None
    with ports.db.transaction(tenant) as uow:
        days = (due - uow.now()) / timedelta(days=1)
    assert 59 < days < 67, "60 days after the import, and a little jitter"
