"""The statistics of a tenant: today's counts, and the last days of dreams, tokens and memories."""

import pytest
from psycopg import Connection

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import MemoryKind, kind_of
from shared.ports.tenants import CountsNow, Day
from shared.services.operations.undo import undo_dream
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything, find_operation
from tests.support.builders import a_store, take_picture


def count_now(ports: Ports, tenant: str) -> CountsNow:
    with ports.db.transaction(tenant) as uow:
        return uow.statistics.count_now()


def find_days(ports: Ports, tenant: str, days: int = 3) -> list[Day]:
    with ports.db.transaction(tenant) as uow:
        return uow.statistics.find_days(days, live=uow.statistics.count_now().memories)


def _live(ports: Ports, tenant: str) -> int:
    live = [one for one in take_picture(ports, tenant).memories.values() if one.state == "live"]
    return sum(kind_of(one.path) is not MemoryKind.INDEX for one in live)


def test_a_tenant_without_anything_counts_nothing(ports: Ports, tenant: str) -> None:
    assert count_now(ports, tenant) == CountsNow()
    assert [(day.memories, day.tokens, dict(day.dreams)) for day in find_days(ports, tenant)] == [(0, 0, {})] * 3


def test_dreams_tokens_and_memories_are_counted_and_another_tenants_are_not(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    counts, today = count_now(ports, tenant), find_days(ports, tenant)[-1]
    assert (counts.stores, counts.memories) == (1, _live(ports, tenant))
    assert dict(today.dreams) == {"completed": 1}
    assert dream.summary is not None
    assert (today.tokens, today.model_calls) == (dream.summary.tokens, dream.summary.model_calls)
    a_store(ports, f"{tenant}-other")
    assert count_now(ports, f"{tenant}-other") == CountsNow(stores=1)
    with ports.db.transaction(tenant) as uow:
        assert uow.statistics.count_memories() == {"default": counts.memories}


def test_memories_of_earlier_days_are_what_was_live_then(
    ports: Ports, tenant: str, owner_connection: Connection
) -> None:
    a_rich_store(ports, tenant)
    written = _live(ports, tenant)
    move = "UPDATE memory_versions SET created_at = created_at - interval '1 day' WHERE tenant_id = %s"
    owner_connection.execute(move, (tenant,))
    dream = dream_of_everything(ports, tenant)
    assert find_operation(ports, tenant, dream, OperationKind.MERGE)
    after = _live(ports, tenant)
    assert [day.memories for day in find_days(ports, tenant)] == [0, written, after]
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert [day.memories for day in find_days(ports, tenant)] == [0, written, written]


def test_the_days_of_the_installation_are_those_of_all_tenants_together(fresh_ports: Ports) -> None:
    assert [(day.tokens, dict(day.dreams)) for day in fresh_ports.db.installation.find_days(3)] == [(0, {})] * 3
    names = ("first", "second")
    for name in names:
        a_rich_store(fresh_ports, name)
        dream_of_everything(fresh_ports, name)
    both = [find_days(fresh_ports, name)[-1] for name in names]
    found = fresh_ports.db.installation.find_days(3)
    assert [day.day for day in found] == [day.day for day in find_days(fresh_ports, "first")]
    assert dict(found[-1].dreams) == {"completed": 2}
    assert found[-1].tokens == sum(day.tokens for day in both) > 0
    assert found[-1].model_calls == sum(day.model_calls for day in both)
    assert found[-1].cost_usd == pytest.approx(sum(day.cost_usd for day in both))
