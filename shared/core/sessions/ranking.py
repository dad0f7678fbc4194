"""Rank session events and memories in one list by BM25, so that nothing takes two places.

A memory that only repeats its sources is not new evidence. It shares the place of its event, and does not count toward the
rarity of words: however much a dream writes, it displaces nothing. A memory with its own words is ranked by them; if one
of its source events is found, too, they share the better of their two places.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from shared.core.search.bm25 import counted_terms, terms_of
from shared.core.search.fusion import score_rankings
from shared.core.sessions.model import SessionEvent

#: As tantivy has them, so that the list and the search of memories alone judge alike.
_K1, _B = 1.2, 0.75

EventKey = tuple[str, str]  # session id, event id


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateMemory:
    """A memory to rank. `is_repeated`: everything in it was said in sessions or other memories."""

    memory_id: str
    text: str
    sources: frozenset[EventKey] = frozenset()
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Statistics of all searched texts: their number, and how many hold each term.

    `matched` are the events that the search found; None if these are all ranked ones. Other events are ranked only as
    sources of memories, and do not count for the rarity of words or the length of texts.
    """

    texts: int
    holding: Mapping[str, int]
    matched: frozenset[EventKey] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One place in the list: an event with the memories that came from it, or a memory alone."""

    score: float
    event: SessionEvent | None
    memory_ids: tuple[str, ...]


def key_of(event: SessionEvent) -> EventKey:
    """Return the key by which memories refer to an event."""
    return event.session_id, event.event_id


def rank_together(
    words: Sequence[str],
    said: Sequence[SessionEvent],
    remembered: Sequence[CandidateMemory],
    corpus: Corpus,
    limit: int,
) -> list[Entry]:
    """Return at most `limit` entries, the best first; texts that hold none of the words are left out.

    Args:
        words: what is looked for; any of them will do.
        said: the events that may belong in the list, and those that the memories came from.
        remembered: the memories that may belong in the list.
        corpus: of the events; the memories here are counted in addition.
        limit: how many entries.
    """
    scores = _Scores(words, said, remembered, corpus)
    events = {key_of(event): event for event in said if scores.of_event[key_of(event)] > 0}
    places = {key: scores.of_event[key] for key in events}
    beside: dict[EventKey, list[CandidateMemory]] = {key: [] for key in events}
    alone: list[Entry] = []
    for memory in sorted(remembered, key=lambda one: (-scores.of_memory[one.memory_id], one.memory_id)):
        score = scores.of_memory[memory.memory_id]
        found = sorted(memory.sources & events.keys(), key=lambda key: (-scores.of_event[key], key))
        if score <= 0:
            continue
        if not found:
            alone.append(Entry(score=score, event=None, memory_ids=(memory.memory_id,)))
            continue
        beside[found[0]].append(memory)
        if not memory.is_repeated:
            places[found[0]] = max(places[found[0]], score)
    shared = [
        Entry(score=places[key], event=event, memory_ids=tuple(one.memory_id for one in beside[key]))
        for key, event in events.items()
    ]
    return sorted([*shared, *alone], key=_order)[:limit]


def fuse_with_meaning(
    entries: Sequence[Entry], remembered: Sequence[CandidateMemory], near: Sequence[str]
) -> list[tuple[Entry, float]]:
    """Return these entries and the memories that are near in meaning, best first, each with a score from 0 to 1.

    A memory that no word has found shares the place of one of its source events, if that is in the list.

    Args:
        entries: what words have found, best first.
        remembered: the memories that may belong in the list, with those that are near.
        near: their ids, nearest first.
    """
    places = {str(number): entry for number, entry in enumerate(entries)}
    of_memory = {memory_id: place for place, entry in places.items() for memory_id in entry.memory_ids}
    of_event = {key_of(entry.event): place for place, entry in places.items() if entry.event is not None}
    sources = {one.memory_id: one.sources for one in remembered}
    meant: list[str] = []
    for memory_id in near:
        beside = [of_event[key] for key in sources.get(memory_id, ()) if key in of_event]
        place = of_memory.get(memory_id) or min(beside, key=int, default="")
        if not place:
            place = str(len(places))
            places[place] = Entry(score=0.0, event=None, memory_ids=(memory_id,))
        elif memory_id not in places[place].memory_ids:
            places[place] = replace(places[place], memory_ids=(*places[place].memory_ids, memory_id))
        meant.append(place)
    worded = [str(number) for number in range(len(entries))]
    return [(places[place], score) for place, score in score_rankings(worded, meant)]


def _order(entry: Entry) -> tuple[float, str, int, tuple[str, ...]]:
    event = entry.event
    return (-entry.score, event.session_id if event else "", event.position if event else 0, entry.memory_ids)


class _Scores:
    """BM25 of every text; who said something belongs to what was said."""

    def __init__(
        self, words: Sequence[str], said: Sequence[SessionEvent], remembered: Sequence[CandidateMemory], corpus: Corpus
    ) -> None:
        self._terms = terms_of(words)
        events = {key_of(event): counted_terms(f"{event.role} {event.text}") for event in said}
        memories = {one.memory_id: counted_terms(one.text) for one in remembered}
        first_hand = [memories[one.memory_id] for one in remembered if not one.is_repeated]
        matched = [text for key, text in events.items() if corpus.matched is None or key in corpus.matched]
        self._idf = self._rarity(matched, first_hand, list(memories.values()), corpus)
        self._mean_size = mean([text.total() for text in [*matched, *first_hand]] or [1]) or 1
        self.of_event = {key: self._score(text) for key, text in events.items()}
        self.of_memory = {key: self._score(text) for key, text in memories.items()}

    def _rarity(
        self,
        events: Sequence[Counter[str]],
        first_hand: Sequence[Counter[str]],
        memories: Sequence[Counter[str]],
        corpus: Corpus,
    ) -> dict[str, float]:
        texts = max(corpus.texts, len(events)) + len(first_hand)
        found = {}
        for term in self._terms:
            said = max(corpus.holding.get(term, 0), sum(term in text for text in events))
            # What only memories say, a date that was worked out for one, is as rare as it is among them.
            holding = said + sum(term in text for text in first_hand) or sum(term in text for text in memories)
            found[term] = math.log(1 + (max(texts - holding, 0) + 0.5) / (holding + 0.5))
        return found

    def _score(self, text: Counter[str]) -> float:
        size = 1 - _B + _B * text.total() / self._mean_size
        hits = ((self._idf[term], text[term]) for term in self._terms if term in text)
        return sum(rarity * count * (_K1 + 1) / (count + _K1 * size) for rarity, count in hits)
