"""Reads of memories are counted: once each, in batches, beside other writers, and without making a version."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.process_local.buffered_recall import BufferedRecall
from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from shared.core.memory import importance as scoring
from shared.core.memory.model import Maturity, Memory, MemoryState, Signals
from shared.ports.memories import MemoryWrite
from tests.e2e.workers.worker_support import eventually
from tests.support.builders import a_memory, a_store, get_store, take_picture, write


@pytest.fixture
def recall(ports: Ports) -> Iterator[BufferedRecall]:
    """A buffer that writes when the test tells it to."""
    found = BufferedRecall(ports.db, flush_seconds=3_600)
    yield found
    found.close()


def live(ports: Ports, tenant: str) -> dict[str, Memory]:
    with ports.db.transaction(tenant) as uow:
        return {one.path: one for one in uow.memories(uow.stores.get("default").id).find_live()}


def counts(ports: Ports, tenant: str) -> dict[str, int]:
    return {path: memory.signals.access_count for path, memory in live(ports, tenant).items()}


def test_a_read_counts_once_and_makes_neither_a_version_nor_a_change_nor_activity(
    ports: Ports, tenant: str, recall: BufferedRecall
) -> None:
    write(ports, tenant, {"a.md": "one", "b.md": "two"})
    before, store = live(ports, tenant), get_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        uow.memories(store.id).set_dirty([(one.id, one.version) for one in before.values()], is_dirty=False)
    before = live(ports, tenant)
    recall.note(tenant, [before["a.md"].id])
    assert live(ports, tenant) == before
    recall.flush()
    recall.flush()
    after = live(ports, tenant)
    seen = after["a.md"].signals.last_seen_at
    assert seen is not None
    assert seen > before["a.md"].updated_at
    assert after["a.md"] == replace(before["a.md"], signals=scoring.accessed(before["a.md"].signals, seen))
    assert after["b.md"] == before["b.md"]
    assert get_store(ports, tenant) == store
    with ports.db.transaction(tenant) as uow:
        assert len(uow.memories(store.id).find_history(before["a.md"].id)) == 1


@given(
    signals=st.builds(
        Signals, importance=st.floats(0, 100), maturity=st.sampled_from(Maturity), access_count=st.integers(0, 9)
    ),
    times=st.integers(1, 12),
)
def test_many_accesses_at_once_are_as_many_single_ones(session_ports: Ports, signals: Signals, times: int) -> None:
    tenant = "recalled-many-times"
    store = a_store(session_ports, tenant)
    memory = a_memory(f"{uuid4().hex}.md", signals=signals)
    with session_ports.db.transaction(tenant) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=memory, change="create")])
        assert uow.recalls.record({memory.id: times}, wait=False) == []
        (found,) = uow.memories(store.id).find_live([memory.id])
        expected = signals
        for _ in range(times):
            expected = scoring.accessed(expected, uow.now())
    assert found.signals.importance == pytest.approx(expected.importance)
    assert replace(found.signals, importance=0) == replace(expected, importance=0)


def test_processes_that_flush_at_once_lose_no_read_and_never_deadlock(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {f"{number:02}.md": f"text {number}" for number in range(20)})
    ids = [memory.id for memory in live(ports, tenant).values()]

    def read_everything(turn: int) -> None:
        own = BufferedRecall(ports.db, flush_seconds=3_600)
        for _ in range(5):
            own.note(tenant, ids if turn % 2 else ids[::-1])
            own.flush()
        own.close()

    with ThreadPoolExecutor(4) as readers:
        list(readers.map(read_everything, range(4)))
    assert set(counts(ports, tenant).values()) == {20}


def test_a_memory_that_a_dream_holds_is_passed_over_and_counted_later(
    ports: Ports, tenant: str, recall: BufferedRecall
) -> None:
    write(ports, tenant, {"free.md": "one", "held.md": "two"})
    found = live(ports, tenant)
    times = {memory.id: 2 for memory in found.values()}
    with ports.db.transaction(tenant) as dream:
        dream.memories(get_store(ports, tenant).id).lock([found["held.md"].id])
        with ports.db.transaction(tenant) as uow:
            assert uow.recalls.record(times, wait=False) == [found["held.md"].id]
    assert counts(ports, tenant) == {"free.md": 2, "held.md": 0}
    recall.note(tenant, [found["held.md"].id])
    recall.flush()
    assert counts(ports, tenant) == {"free.md": 2, "held.md": 1}


def test_recalls_of_archived_and_foreign_memories_are_not_counted(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "one"})
    store, memory = get_store(ports, tenant), live(ports, tenant)["a.md"]
    with ports.db.transaction(f"other-{tenant[:20]}") as uow:
        assert uow.recalls.record({memory.id: 1}, wait=True) == []
    with ports.db.transaction(tenant) as uow:
        gone = replace(memory, state=MemoryState.ARCHIVED, version=2)
        uow.memories(store.id).write([MemoryWrite(memory=gone, change="archive")])
        assert uow.recalls.record({memory.id: 1, "mem_unknown": 1}, wait=False) == []
    assert take_picture(ports, tenant).memories[memory.id].signals.access_count == 0


def test_closing_writes_what_was_read_and_later_reads_are_not_taken(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "one"})
    memory = live(ports, tenant)["a.md"]
    recall = BufferedRecall(ports.db, flush_seconds=3_600)
    recall.note(tenant, [memory.id, memory.id])  # twice in one answer is one read
    recall.close()
    recall.note(tenant, [memory.id])
    recall.close()
    assert counts(ports, tenant) == {"a.md": 1}


def test_reads_wait_for_a_database_that_is_away_and_no_reader_notices(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch, recall: BufferedRecall
) -> None:
    write(ports, tenant, {"a.md": "one"})
    memory = live(ports, tenant)["a.md"]

    def away(_tenant: str) -> None:
        raise ServiceUnavailableError("The database does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(ports.db, "transaction", away)
        recall.note(tenant, [memory.id])
        recall.flush()
    recall.flush()
    assert counts(ports, tenant) == {"a.md": 1}


def test_the_buffer_is_bounded_and_those_already_in_it_go_on_counting(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "one", "b.md": "two"})
    found = live(ports, tenant)
    recall = BufferedRecall(ports.db, flush_seconds=3_600, max_memories=2)
    recall.note(tenant, [found["a.md"].id])
    recall.note(tenant, ["mem_unknown"])  # from here on the thread may flush, and make room
    recall.close()
    full = BufferedRecall(ports.db, flush_seconds=3_600, max_memories=0)
    full.note(tenant, [found["b.md"].id])
    full.close()
    assert counts(ports, tenant) == {"a.md": 1, "b.md": 0}


def test_the_thread_writes_without_being_asked(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "one"})
    written = BufferedRecall(ports.db, flush_seconds=3_600, max_memories=1)  # more than half full: at once
    written.note(tenant, [live(ports, tenant)["a.md"].id])
    eventually(lambda: counts(ports, tenant) == {"a.md": 1}, "the read is counted")
    written.close()
