"""The contract of the pages of `MemoryCatalogRepository` and `MemoryListing`: the database cuts them, in path order."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.all_ports import Ports
from shared.core.memory.model import Memory, MemoryState
from shared.core.tenants.store import Store
from shared.ports.memories import MemoryWrite
from tests.support.builders import LONG_AGO, a_memory, a_store

PATHS = (
    "a.md",
    "a/b.md",
    "a/b/c.md",
    "a/b/d/e.md",
    "a/b-c.md",
    "a/b_c/%.md",
    "b/c/d/e.md",
    "b/c/f.md",
    "b.md",
    "skills/deploy.md",
    "skills/mail/SKILL.md",
    "skills_of_mine.md",
)


def save(ports: Ports, store: Store, *memories: Memory) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=memory, change="create") for memory in memories])


def expected_tree(memories: list[Memory], prefix: str, depth: int) -> list[tuple[str, str | None]]:
    entries: dict[str, str | None] = {}
    for memory in memories:
        if memory.path.startswith(prefix):
            levels = memory.path[len(prefix) :].split("/")
            is_deeper = len(levels) > depth
            entries[prefix + "/".join(levels[:depth]) + "/" if is_deeper else memory.path] = (
                None if is_deeper else memory.id
            )
    return sorted(entries.items())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20)
@given(
    chosen=st.sets(st.sampled_from(PATHS)),
    prefix=st.sampled_from(("", "a/", "a/b/", "b/", "c/")),
    depth=st.integers(1, 4),
    limit=st.integers(1, 3),
)
def test_pages_of_a_tree_hold_each_entry_once_and_in_order(
    ports: Ports, tenant: str, chosen: set[str], prefix: str, depth: int, limit: int
) -> None:
    store = a_store(ports, tenant, f"s{a_memory().id[-20:].lower()}")
    memories = [a_memory(path) for path in sorted(chosen)]
    save(ports, store, *memories)
    found: list[tuple[str, str | None]] = []
    with ports.db.transaction(store.tenant_id) as uow:
        listing = uow.memory_listing(store.id)
        while page := listing.find_tree_page(
            prefix=prefix, depth=depth, after_path=found[-1][0] if found else "", limit=limit
        ):
            assert len(page) <= limit
            found += page
    assert found == expected_tree(memories, prefix, depth)


@pytest.mark.parametrize("state", [MemoryState.ARCHIVED, MemoryState.SUPERSEDED])
def test_retired_memories_are_paged_by_id_and_state(state: MemoryState, ports: Ports, store: Store) -> None:
    retired = [replace(a_memory(f"a/{number}.md"), state=state) for number in range(5)]
    other = MemoryState.ARCHIVED if state is MemoryState.SUPERSEDED else MemoryState.SUPERSEDED
    save(ports, store, *retired, a_memory("live.md"), replace(a_memory("b.md"), state=other))
    retired.sort(key=lambda memory: memory.id)
    with ports.db.transaction(store.tenant_id) as uow:
        catalog = uow.catalog(store.id)
        first = catalog.find_retired_page(state=state, after_id="", limit=3)
        assert first + catalog.find_retired_page(state=state, after_id=first[-1].id, limit=3) == retired


def test_of_the_memories_that_had_a_path_the_one_retired_last_is_found(ports: Ports, store: Store) -> None:
    gone = MemoryState.ARCHIVED
    older = replace(a_memory("a/1.md"), state=gone, updated_at=LONG_AGO)
    newer = replace(a_memory("a/1.md"), state=gone, updated_at=LONG_AGO + timedelta(days=1))
    save(ports, store, newer, older, a_memory("a/2.md"))
    with ports.db.transaction(store.tenant_id) as uow:
        catalog = uow.catalog(store.id)
        assert (catalog.find_retired_at("a/1.md"), catalog.find_retired_at("a/2.md")) == (newer, None)


def test_paths_are_found_by_a_prefix_that_is_taken_literally(ports: Ports, store: Store) -> None:
    memories = {path: a_memory(path) for path in PATHS}
    save(ports, store, *memories.values(), replace(a_memory("skills/gone.md"), state=MemoryState.ARCHIVED))
    with ports.db.transaction(store.tenant_id) as uow:
        found = uow.catalog(store.id).find_paths("skills/")
        assert found == [(memories[path].id, path) for path in ("skills/deploy.md", "skills/mail/SKILL.md")]
        assert uow.catalog(store.id).find_paths("a/b_") == [(memories["a/b_c/%.md"].id, "a/b_c/%.md")]
