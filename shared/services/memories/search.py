"""Search memories and transcripts together: one ranked list, in which a memory and its source event share a place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.memory.doc_type import DREAMT, type_of
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import read_sources
from shared.core.memory.writers import Rank
from shared.core.search.bm25 import terms_of
from shared.core.sessions.model import SessionEvent
from shared.core.sessions.ranking import CandidateMemory, Corpus, Entry, fuse_with_meaning, key_of, rank_together
from shared.core.sessions.statement_text import repeats_its_sources
from shared.core.text.similarity import normalise_bm25, significant_words
from shared.core.trust.hidden import Shown, least_of, note_below, note_hidden, rank_of_event
from shared.core.trust.orders import is_line_order
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import Found
from shared.ports.memory_search import Meaning, MemorySearch
from shared.services.memories.meant import embed_query, find_near
from shared.services.memories.read import find_generated, find_hidden

_QUERY_WORDS = 32
#: Candidates of each kind that are ranked for a list; lower ones do not reach its first page.
_MEMORIES, _EVENTS = 100, 200
#: Memories that are found by their meaning: beyond these, few are what was meant.
_NEAR = 20
_EXCERPT_CHARS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHit:
    """An event of a session that matches."""

    session_id: str
    event_id: str
    position: int
    at: datetime | None
    role: str
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHit:
    """A memory that matches; `trust`, `day` and `is_order` as of `Hit`."""

    id: str
    path: str
    title: str
    excerpt: str
    is_archived: bool
    trust: str
    day: str
    is_order: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One place in the list. `said` is None for a memory whose source events were not found; `score` is 0 to 1."""

    score: float
    said: EventHit | None
    memories: tuple[MemoryHit, ...]


def search_together(  # noqa: PLR0913 - what each search is given, and who looks
    db: Database,
    search: MemorySearch,
    tenant_id: str,
    store_name: str,
    query: str,
    limit: int,
    meaning: Meaning | None = None,
    *,
    with_hidden: bool = False,
) -> Shown[SearchResult]:
    """Return the best matches among memories and session events; one matching word, or the meaning, is enough.

    What agents are not shown is left out, unless `with_hidden`. Raises NotFoundError.
    """
    words = significant_words(query, _QUERY_WORDS) or query.split()[:_QUERY_WORDS]
    terms = terms_of(words)
    if not terms:
        return Shown([])
    vector = embed_query(meaning, query)
    with db.for_persons().transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        store_id, least = store.id, Rank.MACHINE if with_hidden else least_of(store.policy.recall)
        hits = search.find(uow, store_id, words, _MEMORIES)
        near = find_near(uow, store_id, meaning, vector, _NEAR)
        meant = uow.catalog(store_id).find_hits(set(near) - {one.memory_id for one in hits}) if near else {}
        both = (*hits, *meant.values())
        hidden = find_hidden(both, least)
        generated = find_generated(uow, store_id, [one.path for one in both])
        found = [one for one in both if one.path not in generated and one.memory_id not in hidden]
        texts = {memory.id: memory for memory in uow.memories(store_id).find_live([one.memory_id for one in found])}
        remembered = [_candidate(one, texts.get(one.memory_id)) for one in found]
        said, corpus = _find_events(uow, store_id, terms, remembered)
    told = [event for event in said if rank_of_event(event) >= least]
    ranked = rank_together(words, told, remembered, corpus, limit if vector is None else _MEMORIES)
    known = {one.memory_id: one for one in found}
    scored = _score(ranked, None if vector is None else [one for one in near if one in known], remembered, limit)
    note = note_hidden(len(hidden) + len(said) - len(told), least)
    note = note or _note_below(scored, known, least_of(store.policy.recall))
    return Shown((_result(entry, score, known) for entry, score in scored), note)


def _score(
    ranked: Sequence[Entry], near: Sequence[str] | None, remembered: Sequence[CandidateMemory], limit: int
) -> Sequence[tuple[Entry, float]]:
    if near is None:
        return [(entry, normalise_bm25(entry.score)) for entry in ranked]
    return fuse_with_meaning(ranked, remembered, near)[:limit]


def _note_below(scored: Sequence[tuple[Entry, float]], known: Mapping[str, Found], least: Rank) -> str:
    events = sum(entry.event is not None and rank_of_event(entry.event) < least for entry, _ in scored)
    found = (known[memory_id] for entry, _ in scored for memory_id in entry.memory_ids)
    return note_below(events + len(find_hidden(found, least)), least)


def _find_events(
    uow: UnitOfWork, store_id: str, terms: Sequence[str], remembered: Sequence[CandidateMemory]
) -> tuple[list[SessionEvent], Corpus]:
    """Return the events to rank: those that match, and those that the memories came from."""
    repository = uow.gathering(store_id)
    matches = repository.find_said(terms, _EVENTS)
    events = {key_of(event): event for event in matches.events}
    sources = {key for one in remembered for key in one.sources} - events.keys()
    if sources:
        events |= {key_of(event): event for event in repository.find_events(sources)}
    matched = frozenset(key_of(event) for event in matches.events)
    return list(events.values()), Corpus(texts=matches.texts, holding=matches.holding, matched=matched)


def _candidate(found: Found, memory: Memory | None) -> CandidateMemory:
    """Return a memory with the text to rank it by: without its frontmatter, whose times and quotes are not content."""
    if memory is None:
        return CandidateMemory(memory_id=found.memory_id, text=f"{found.path} {found.title} {found.excerpt}")
    return CandidateMemory(
        memory_id=memory.id,
        text=f"{memory.path} {found.title} {body_of(memory.content)}",
        sources=frozenset((source.session_id, source.event_id) for source in read_sources(memory.content)),
        is_repeated=repeats_its_sources(memory.content) or type_of(memory.content) in DREAMT,
    )


def _result(entry: Entry, score: float, known: Mapping[str, Found]) -> SearchResult:
    return SearchResult(
        score=round(score, 4),
        said=_event_hit(entry.event) if entry.event else None,
        memories=tuple(_memory_hit(known[memory_id]) for memory_id in entry.memory_ids),
    )


def _event_hit(event: SessionEvent) -> EventHit:
    words = " ".join(event.text.split())
    return EventHit(
        session_id=event.session_id,
        event_id=event.event_id,
        position=event.position,
        at=event.at,
        role=event.role,
        excerpt=words if len(words) <= _EXCERPT_CHARS else f"{words[:_EXCERPT_CHARS]}…",
    )


def _memory_hit(found: Found) -> MemoryHit:
    return MemoryHit(
        id=found.memory_id,
        path=found.path,
        title=found.title,
        excerpt=found.excerpt,
        is_archived=found.is_archived,
        trust=found.trust.word,
        day=found.day,
        is_order=is_line_order(found.title) or is_line_order(found.excerpt),
    )
