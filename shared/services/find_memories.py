"""Look into a store: search it, or read one memory with its history."""

from dataclasses import dataclass
from datetime import datetime

from shared.core import scoring
from shared.core.decay import faded
from shared.core.errors import NotFoundError
from shared.core.memory import Memory
from shared.core.similarity import normalise_bm25, significant_words
from shared.core.upkeep_policy import DecayPolicy
from shared.ports.database import Database
from shared.ports.memory_catalog import Found
from shared.ports.memory_search import MemorySearch
from shared.ports.memory_store import MemoryVersion

_QUERY_WORDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found. `score` is the compound score: BM25, importance and recency, by maturity."""

    id: str
    path: str
    title: str
    excerpt: str
    score: float
    is_archived: bool


def search_memories(
    db: Database, search: MemorySearch, tenant_id: str, store_name: str, query: str, limit: int
) -> list[Hit]:
    """Return live memories and archived ones (found by their stubs), best first. Raises NotFoundError.

    Words choose the hits and the compound score orders them: importance must not push out what fits the words.
    """
    words = significant_words(query, _QUERY_WORDS) or query.split()
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        found = search.find(uow, store.id, words, limit)
        now = uow.now()
    decay = store.policy.decay
    return sorted((_hit(one, now, decay) for one in found), key=lambda hit: (-hit.score, hit.path))


def get_memory_history(db: Database, tenant_id: str, store_name: str, path: str) -> tuple[Memory, list[MemoryVersion]]:
    """Return the memory at a path, live or retired, and its versions, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        memories = uow.memories(uow.stores.get(store_name).id)
        retired = [memory for memory in memories.find_retired() if memory.path == path]
        memory = memories.find_by_path(path) or (retired[-1] if retired else None)
        if memory is None:
            listed = f"`slowwave memory list {tenant_id}` names those there are"
            msg = f"{tenant_id}/{store_name} has no memory {path!r}; {listed}"
            raise NotFoundError(msg)
        return memory, memories.find_history(memory.id)


def _hit(one: Found, now: datetime, decay: DecayPolicy) -> Hit:
    signals = one.signals if one.is_lasting else faded(one.signals, one.touched_at, now, decay)
    score = scoring.compound_score(normalise_bm25(one.bm25), signals, one.updated_at, now)
    return Hit(
        id=one.memory_id,
        path=one.path,
        title=one.title,
        excerpt=one.excerpt,
        score=round(score, 4),
        is_archived=one.is_archived,
    )
