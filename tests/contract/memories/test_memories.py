"""The contract of `MemoryRepository`."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from shared.all_ports import Ports
from shared.core.errors import ConflictError
from shared.core.memory.model import Author, Maturity, Memory, MemoryState, Signals, Tier
from shared.core.tenants.store import Store
from shared.ports.memories import MemoryWrite
from tests.support.builders import LONG_AGO, a_memory, a_store


def save(ports: Ports, store: Store, *memories: Memory, change: str = "create") -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=memory, change=change) for memory in memories])


def find_live(ports: Ports, store: Store) -> list[Memory]:
    with ports.db.transaction(store.tenant_id) as uow:
        return uow.memories(store.id).find_live()


def test_a_memory_comes_back_as_it_was_written(ports: Ports, store: Store) -> None:
    memory = a_memory(
        content="---\ntags: [a]\n---\n\n# Ünï\r\n\ttext \U0001f600 \\ % :x\n\n",
        signals=Signals(
            importance=61.25, maturity=Maturity.VALIDATED, tier=Tier.DURABLE, access_count=4, reinforcement_count=2,
            pinned=True, last_seen_at=datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC), by_person=True,
        ),
        author=Author.USER,
        touched_at=LONG_AGO + timedelta(microseconds=1),
        is_dirty=False,
    )  # fmt: skip
    save(ports, store, memory)
    assert find_live(ports, store) == [memory]


def test_a_head_carries_what_a_survey_needs(ports: Ports, store: Store) -> None:
    memory = a_memory("api/auth.md", "---\ntype: synthesis\n---\n# Auth tokens\n\nThey are signed.\n")
    save(ports, store, memory)
    with ports.db.transaction(store.tenant_id) as uow:
        (head,) = uow.memories(store.id).find_heads()
    assert (head.id, head.path, head.title, head.doc_type) == (memory.id, memory.path, "Auth tokens", "synthesis")
    assert (head.size_chars, head.signals, head.is_dirty) == (len(memory.content), memory.signals, True)


def test_memories_are_found_by_id_by_path_and_in_path_order(ports: Ports, store: Store) -> None:
    first, second, third = a_memory("a/1.md"), a_memory("a/2.md"), a_memory("b/1.md")
    save(ports, store, third, first, second)
    with ports.db.transaction(store.tenant_id) as uow:
        memories = uow.memories(store.id)
        assert memories.find_live() == [first, second, third]
        assert [head.path for head in memories.find_heads()] == ["a/1.md", "a/2.md", "b/1.md"]
        assert memories.find_live([third.id, first.id, "mem_unknown"]) == [first, third]
        assert memories.find_live([]) == []
        assert memories.find_by_path("a/2.md") == second
        assert memories.find_by_path("a/3.md") is None
        assert memories.find_by_paths(["b/1.md", "a/3.md"]) == {"b/1.md": third}


def test_heads_of_some_folders_are_read_without_those_of_all_others(ports: Ports, store: Store) -> None:
    save(ports, store, *map(a_memory, ["a/1.md", "a_/1.md", "ab/1.md", "b/1.md", "b/c/2.md", "a%/1.md"]))
    with ports.db.transaction(store.tenant_id) as uow:
        memories = uow.memories(store.id)
        assert [head.path for head in memories.find_heads(["b/", "a/"])] == ["a/1.md", "b/1.md", "b/c/2.md"]
        assert [head.path for head in memories.find_heads(["a_/", "a%/"])] == ["a%/1.md", "a_/1.md"]
        assert memories.find_heads(["c/"]) == memories.find_heads([]) == []


def test_retired_memories_are_no_longer_live_and_say_where_they_went(ports: Ports, store: Store) -> None:
    keeper, merged, old = a_memory("a/keeper.md"), a_memory("a/merged.md"), a_memory("a/old.md")
    save(ports, store, keeper, merged, old)
    merged = replace(merged, state=MemoryState.SUPERSEDED, superseded_by=keeper.id, version=2)
    old = replace(old, state=MemoryState.ARCHIVED, stub="A cue", version=2)
    save(ports, store, merged, old, change="archive")
    with ports.db.transaction(store.tenant_id) as uow:
        memories = uow.memories(store.id)
        assert memories.find_live() == [keeper]
        assert memories.find_retired() == [merged, old]
        assert set(memories.find_moves()) == {("a/merged.md", keeper.id), ("a/old.md", None)}
        assert memories.lock([old.id, keeper.id]) == {old.id: old, keeper.id: keeper}


def test_two_live_memories_never_share_a_path(ports: Ports, store: Store) -> None:
    first = a_memory("a/1.md")
    save(ports, store, first)
    with pytest.raises(ConflictError, match=r"a/1\.md"):
        save(ports, store, a_memory("a/1.md"))
    assert find_live(ports, store) == [first]


def test_a_path_is_free_again_once_its_memory_is_retired(ports: Ports, store: Store) -> None:
    old = a_memory("a/1.md")
    save(ports, store, old)
    new = a_memory("a/1.md", "# Anew\n")
    save(ports, store, new, replace(old, state=MemoryState.ARCHIVED, version=2))
    assert find_live(ports, store) == [new]


def test_the_same_path_may_live_in_two_stores(ports: Ports, tenant: str, store: Store) -> None:
    other = a_store(ports, tenant, "other")
    here, there = a_memory("a/1.md"), a_memory("a/1.md", "# Elsewhere\n")
    save(ports, store, here)
    save(ports, other, there)
    assert (find_live(ports, store), find_live(ports, other)) == ([here], [there])


def test_every_write_is_a_version_newest_first(ports: Ports, store: Store) -> None:
    memory = a_memory(content="first\n")
    save(ports, store, memory)
    edited = replace(memory, content="second\n", version=2, author=Author.DREAM)
    with ports.db.transaction(store.tenant_id) as uow:
        write = MemoryWrite(memory=edited, change="update", dream_id="drm_x", operation_id="op_x")
        uow.memories(store.id).write([write])
        newest, oldest = uow.memories(store.id).find_history(memory.id)
    assert (newest.version, newest.content, newest.change, newest.author) == (2, "second\n", "update", Author.DREAM)
    assert (newest.dream_id, newest.operation_id) == ("drm_x", "op_x")
    assert (oldest.version, oldest.content, oldest.dream_id) == (1, "first\n", None)


def test_history_is_told_by_the_memorys_own_store_only(ports: Ports, tenant: str, store: Store) -> None:
    memory = a_memory()
    save(ports, store, memory)
    other = a_store(ports, tenant, "other")
    with ports.db.transaction(tenant) as uow:
        assert uow.memories(other.id).find_history(memory.id) == []


def test_a_version_is_written_once(ports: Ports, store: Store) -> None:
    memory = a_memory()
    save(ports, store, memory)
    with pytest.raises(ConflictError):
        save(ports, store, replace(memory, content="a lost update\n"))
    assert find_live(ports, store) == [memory]


def test_a_memory_of_another_store_is_not_overwritten(ports: Ports, tenant: str, store: Store) -> None:
    memory = a_memory()
    save(ports, store, memory)
    other = a_store(ports, tenant, "other")
    with pytest.raises(ConflictError):
        save(ports, other, replace(memory, content="taken over\n", version=2))
    assert find_live(ports, store) == [memory]


def test_the_changed_set_moves_only_while_the_version_is_the_one_that_was_read(ports: Ports, store: Store) -> None:
    read, edited = a_memory("a/read.md"), a_memory("a/edited.md")
    save(ports, store, read, edited)
    save(ports, store, replace(edited, content="edited meanwhile\n", version=2))
    with ports.db.transaction(store.tenant_id) as uow:
        uow.memories(store.id).set_dirty([(read.id, 1), (edited.id, 1)], is_dirty=False)
        uow.memories(store.id).set_dirty([], is_dirty=False)
    assert {memory.path: memory.is_dirty for memory in find_live(ports, store)} == {
        "a/read.md": False,
        "a/edited.md": True,
    }


def test_of_two_writers_of_one_version_one_is_told_of_the_other(ports: Ports, store: Store) -> None:
    memory = a_memory()
    save(ports, store, memory)
    together = Barrier(2)

    def edit(content: str) -> bool:
        together.wait(timeout=30)
        try:
            save(ports, store, replace(memory, content=content, version=2))
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(edit, ["left\n", "right\n"])) == [False, True]
    assert find_live(ports, store)[0].content in {"left\n", "right\n"}
    with ports.db.transaction(store.tenant_id) as uow:
        history = uow.memories(store.id).find_history(memory.id)
    assert history[0].content == find_live(ports, store)[0].content


def test_an_import_that_fails_half_way_leaves_no_trace(ports: Ports, store: Store) -> None:
    with pytest.raises(ConflictError):
        save(ports, store, a_memory("a/1.md"), a_memory("b/1.md"), a_memory("a/1.md"))
    assert find_live(ports, store) == []
