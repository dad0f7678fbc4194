"""One list of what was said and what is remembered: a dream's own text displaces no other result."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.ranking import CandidateMemory, Corpus, rank_together
from shared.core.sessions.statement_text import repeats_its_sources

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
CORPUS = Corpus(texts=50, holding={})
WORDS = st.lists(st.sampled_from(["rota", "monday", "deploy", "staging", "key", "blue"]), min_size=1, max_size=8)


def said(number: int, text: str) -> SessionEvent:
    return SessionEvent(
        session_id="s", event_id=f"e{number}", position=number, at=AT, kind=EventKind.USER, role="user", text=text,
        is_masked=False,
    )  # fmt: skip


def from_event(number: int, text: str, *, is_repeated: bool = True) -> CandidateMemory:
    sources = frozenset({("s", f"e{number}")})
    return CandidateMemory(memory_id=f"m{number}", text=text, sources=sources, is_repeated=is_repeated)


def test_a_memory_and_the_turn_it_came_from_share_one_place() -> None:
    found = rank_together(
        ["rota"], [said(1, "the rota changes"), said(2, "what rota?")], [from_event(1, "the rota changes")], CORPUS, 9
    )
    assert [(entry.event and entry.event.event_id, entry.memory_ids) for entry in found] == [
        ("e2", ()),
        ("e1", ("m1",)),
    ]


def test_a_memory_by_hand_ranks_by_its_own_words_and_brings_its_turn_along() -> None:
    events = [said(1, "the rota, " + "and other things " * 20), said(2, "a rota of some kind")]
    written = from_event(1, "rota: the rota changes on mondays", is_repeated=False)
    found = rank_together(["rota", "mondays"], events, [written], CORPUS, 9)
    assert [entry.memory_ids for entry in found] == [("m1",), ()]
    assert found[0].event == events[0]


def test_a_memory_whose_sources_do_not_hold_the_words_stands_alone() -> None:
    dated = from_event(1, "moved to postgres yesterday (2026-03-03)")
    found = rank_together(["2026"], [said(1, "we moved to postgres yesterday")], [dated], CORPUS, 9)
    assert [(entry.event, entry.memory_ids) for entry in found] == [(None, ("m1",))]


@given(query=WORDS, turns=st.lists(WORDS, min_size=1, max_size=8), kept=st.sets(st.integers(0, 7)))
def test_memories_of_a_dream_do_not_reorder_the_turns_that_a_search_finds(
    query: list[str], turns: list[list[str]], kept: set[int]
) -> None:
    events = [said(number, " ".join(words)) for number, words in enumerate(turns)]
    memories = [from_event(number, " ".join(turns[number] + query)) for number in kept if number < len(turns)]
    before = rank_together(query, events, [], CORPUS, 3)
    after = rank_together(query, events, memories, CORPUS, 3)
    silent = {number for number, words in enumerate(turns) if not set(words) & set(query)}
    if not kept & silent:
        assert [entry.event for entry in after] == [entry.event for entry in before]


def test_turns_that_are_there_only_because_memories_came_from_them_change_no_other_turns_order() -> None:
    """They are shorter or hold a word that the search counts otherwise: what is common and what is long stays."""
    found = [said(1, "the rota of blue " + "and other things " * 9), said(2, "monday monday, said blue")]
    named = [said(number, "monday") for number in range(3, 9)]
    memories = [from_event(number, "a note on something else") for number in range(3, 9)]
    corpus = Corpus(texts=50, holding={}, matched=frozenset({("s", "e1"), ("s", "e2")}))
    scores = [
        {entry.event: entry.score for entry in rank_together(["rota", "monday", "blue"], events, kept, corpus, 9)}
        for events, kept in ((found, []), ([*found, *named], memories))
    ]
    assert [scores[1][event] for event in found] == [scores[0][event] for event in found]


def test_a_memory_repeats_its_sources_until_a_line_is_added() -> None:
    front = '---\ngathered_from:\n  - "s#e1 2026-03-02: the rota changes"\n---\n'
    assert repeats_its_sources(f"{front}# Rota\n\n- The rota changes on Mondays.\n")
    assert repeats_its_sources(f"{front}# Rota\n\n- It changes on Mondays.\n\n## Superseded\n\n- On Fridays.\n")
    assert not repeats_its_sources(f"{front}# Rota\n\n- The rota changes on Mondays.\n- Anna keeps it.\n")
    assert not repeats_its_sources("# Rota\n\n- The rota changes on Mondays.\n")
    assert not repeats_its_sources(f"{front}# Rota\n")
