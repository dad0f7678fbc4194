"""One list of events and memories by words and by meaning."""

from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.ranking import CandidateMemory, Entry, fuse_with_meaning


def event(event_id: str) -> SessionEvent:
    return SessionEvent(
        session_id="s",
        event_id=event_id,
        position=1,
        kind=EventKind.USER,
        role="user",
        text="hello",
        at=None,
        is_masked=False,
    )


def remembered(memory_id: str, *events: str) -> CandidateMemory:
    return CandidateMemory(memory_id=memory_id, text="", sources=frozenset(("s", one) for one in events))


def alone(memory_id: str) -> Entry:
    return Entry(score=2.0, event=None, memory_ids=(memory_id,))


def test_a_memory_that_only_its_meaning_finds_has_a_place_of_its_own() -> None:
    found = fuse_with_meaning([alone("a")], [remembered("a"), remembered("b")], ["b"])
    assert [entry.memory_ids for entry, _ in found] == [("a",), ("b",)]


def test_a_hit_of_both_searches_comes_first_and_only_once() -> None:
    found = fuse_with_meaning([alone("a"), alone("b")], [remembered("a"), remembered("b")], ["b"])
    assert [(entry.memory_ids, score) for entry, score in found[:1]] == [(("b",), (1 / 62 + 1 / 61) / (2 / 61))]
    assert len(found) == 2


def test_a_memory_shares_the_place_of_its_event() -> None:
    said = Entry(score=3.0, event=event("e1"), memory_ids=())
    found = fuse_with_meaning([said], [remembered("a", "e1", "e2")], ["a"])
    assert [(entry.event, entry.memory_ids) for entry, _ in found] == [(said.event, ("a",))]


def test_without_anything_near_the_order_is_that_of_the_words() -> None:
    entries = [alone("a"), alone("b"), alone("c")]
    assert [entry for entry, _ in fuse_with_meaning(entries, [], [])] == entries
