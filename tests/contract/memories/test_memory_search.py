"""Search: it sees every commit before it, however late that came, and never what is gone or another tenant's."""

from dataclasses import replace
from datetime import UTC, datetime
from unittest.mock import Mock
from uuid import uuid4

import psycopg
import pytest

from shared.adapters.process_local.memory_search import IndexedMemorySearch
from shared.all_ports import Ports
from shared.core.memory.model import MemoryState, Signals
from shared.core.memory.writers import Rank
from shared.ports.memories import ChangedMemories, Found, MemoryWrite, SearchedText
from shared.ports.memory_search import MemorySearch
from shared.services.memories.read import Hit, search_memories
from shared.services.memories.redact import redact_version
from tests.support.builders import a_memory, a_store, write


@pytest.fixture
def search() -> MemorySearch:
    return IndexedMemorySearch()


def found(ports: Ports, search: MemorySearch, tenant: str, words: str, store: str = "default") -> list[str]:
    return [hit.path for hit in search_memories(ports.db, search, tenant, store, words, 10)]


def test_search_finds_a_new_text_at_once_and_the_old_one_no_more(
    ports: Ports, tenant: str, search: MemorySearch
) -> None:
    write(ports, tenant, {"a.md": "the pump is green", "b.md": "the radio is loud"})
    assert found(ports, search, tenant, "pump") == ["a.md"]
    write(ports, tenant, {"a.md": "the boiler is green"})
    assert found(ports, search, tenant, "pump") == []
    assert found(ports, search, tenant, "boiler") == ["a.md"]


def test_a_transaction_that_began_first_and_committed_last_is_not_missed(
    ports: Ports, tenant: str, search: MemorySearch
) -> None:
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as early:
        early.record_audit("a test", "began")  # gets its number here; it takes its turn to write memories later
        with ports.db.transaction(tenant) as late:
            other = a_memory("late.md", "the late bird")
            late.memories(store.id).write([MemoryWrite(memory=other, change="create")])
        assert found(ports, search, tenant, "bird") == ["late.md"]
        memory = a_memory("early.md", "the early bird")
        early.memories(store.id).write([MemoryWrite(memory=memory, change="create")])
    assert sorted(found(ports, search, tenant, "bird")) == ["early.md", "late.md"]


def test_an_archived_memory_is_found_by_its_stub_only(ports: Ports, tenant: str, search: MemorySearch) -> None:
    store = a_store(ports, tenant)
    memory = a_memory("old.md", "the whole text of the attic")
    archived = a_memory(
        "old.md", memory.content, id=memory.id, version=2, state=MemoryState.ARCHIVED, stub="about a plotter"
    )
    for one, change in ((memory, "create"), (archived, "archive")):
        with ports.db.transaction(tenant) as uow:
            uow.memories(store.id).write([MemoryWrite(memory=one, change=change)])
        found(ports, search, tenant, "attic")
    assert found(ports, search, tenant, "attic") == []
    assert found(ports, search, tenant, "plotter") == ["old.md"]


def test_a_hit_shows_what_the_memory_is_now(ports: Ports, tenant: str, search: MemorySearch) -> None:
    store = a_store(ports, tenant)
    memory = a_memory("pump.md", "# The pump\n\nIt is green. It hums.\n")
    valued = a_memory("pump.md", memory.content, id=memory.id, version=2, signals=Signals(importance=90))
    gone = replace(valued, version=3, state=MemoryState.ARCHIVED, stub="a green pump")
    shown: list[Hit] = []
    for one, change in ((memory, "create"), (valued, "signals"), (gone, "archive")):
        with ports.db.transaction(tenant) as uow:
            uow.memories(store.id).write([MemoryWrite(memory=one, change=change)])
        shown += search_memories(ports.db, search, tenant, "default", "green", 10)
    assert [(hit.title, hit.excerpt, hit.is_archived) for hit in shown] == [
        ("The pump", "It is green.", False),
        ("The pump", "It is green.", False),
        ("The pump", "a green pump", True),
    ]
    assert shown[0].score < shown[1].score


def test_many_memories_that_were_purged_push_out_nothing_that_is_there(
    ports: Ports, tenant: str, search: MemorySearch, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {f"{n}.md": "the pump" for n in range(30)} | {"left.md": "the pump is one of many things"})
    assert len(found(ports, search, tenant, "pump")) == 10
    owner_connection.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (tenant,))
    owner_connection.execute("DELETE FROM memories WHERE tenant_id = %s AND path <> 'left.md'", (tenant,))
    owner_connection.commit()
    assert found(ports, search, tenant, "pump") == ["left.md"]


def test_search_never_finds_a_purged_memory(
    ports: Ports, tenant: str, search: MemorySearch, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {"a.md": "the pump is green", "b.md": "the pump is loud"})
    assert len(found(ports, search, tenant, "pump")) == 2
    owner_connection.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (tenant,))
    owner_connection.execute("DELETE FROM memories WHERE tenant_id = %s AND path = 'a.md'", (tenant,))
    owner_connection.commit()
    assert found(ports, search, tenant, "pump") == ["b.md"]


def test_two_tenants_and_two_stores_with_the_same_words_find_their_own_only(
    ports: Ports, tenant: str, search: MemorySearch
) -> None:
    other = f"t{uuid4().hex}"
    write(ports, tenant, {"mine.md": "the pump"})
    write(ports, tenant, {"second.md": "the pump"}, store="second")
    write(ports, other, {"theirs.md": "the pump"})
    assert found(ports, search, tenant, "pump") == ["mine.md"]
    assert found(ports, search, tenant, "pump", "second") == ["second.md"]
    assert found(ports, search, other, "pump") == ["theirs.md"]


def test_more_stores_than_are_kept_are_all_searched(ports: Ports, tenant: str) -> None:
    search = IndexedMemorySearch(max_cached_memories=2)
    for n in range(4):
        write(ports, tenant, {f"{n}.md": "the pump", f"{n}b.md": "the radio"}, store=f"s{n}")
    for _ in range(2):
        assert [found(ports, search, tenant, "pump", f"s{n}") for n in range(4)] == [[f"{n}.md"] for n in range(4)]


def test_words_that_mean_nothing_find_nothing(ports: Ports, tenant: str, search: MemorySearch) -> None:
    write(ports, tenant, {"a.md": "the pump is green"})
    assert found(ports, search, tenant, "') OR 1=1 --") == []
    assert found(ports, search, tenant, '"*:') == []


def test_a_redacted_stub_is_not_found_by_its_words_any_more(ports: Ports, tenant: str, search: MemorySearch) -> None:
    write(ports, tenant, {"attic.md": "the plotter in the attic is broken"})
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        memory = uow.memories(store.id).find_by_path("attic.md")
        assert memory is not None
        archived = replace(memory, state=MemoryState.ARCHIVED, stub="a plotter", version=2)
        uow.memories(store.id).write([MemoryWrite(memory=archived, change="archive")])
    assert found(ports, search, tenant, "plotter") == ["attic.md"]
    redact_version(ports.db, tenant, store.id, memory.id, 1, actor="a test")
    assert found(ports, search, tenant, "plotter") == []


def test_an_index_of_a_database_that_was_restored_since_begins_anew() -> None:
    search, catalog = IndexedMemorySearch(), Mock()
    catalog.find_hits = lambda ids: {one: _a_hit(one) for one in ids}
    uow = Mock(catalog=lambda _: catalog)
    catalog.find_changed = lambda _: _written("lost", mark=100)
    assert [one.path for one in search.find(uow, "store", ["pump"], 10)] == ["lost.md"]
    catalog.find_changed = lambda since: _written("restored", mark=50) if since is None else _written(mark=50)
    assert [one.path for one in search.find(uow, "store", ["pump"], 10)] == ["restored.md"]


def _written(*names: str, mark: int) -> ChangedMemories:
    texts = [SearchedText(memory_id=name, version=1, path=f"{name}.md", text="the pump is green") for name in names]
    return ChangedMemories(texts=tuple(texts), gone=(), mark=mark)


def _a_hit(name: str) -> Found:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Found(
        memory_id=name, path=f"{name}.md", title=name, excerpt="", signals=Signals(), updated_at=at, touched_at=at,
        is_archived=False, trust=Rank.AGENT, day="2026-01-01",
    )  # fmt: skip
