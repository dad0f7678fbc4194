"""Look into a store: search it, or read one memory with its history.

Read one memory by what somebody has of it: its id, or the path of a live one.

Pages of a store's memories.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import NotFoundError
from shared.core.memory import importance as scoring
from shared.core.memory.model import Memory, MemoryHead, MemoryState
from shared.core.policy.upkeep import DecayPolicy
from shared.core.text.similarity import normalise_bm25, significant_words
from shared.core.upkeep.decay import decayed_signals
from shared.ports.database import Database
from shared.ports.memories import Found, MemoryVersion
from shared.ports.memory_search import MemorySearch

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
    signals = one.signals if one.is_lasting else decayed_signals(one.signals, one.touched_at, now, decay)
    score = scoring.compound_score(normalise_bm25(one.bm25), signals, one.updated_at, now)
    return Hit(
        id=one.memory_id,
        path=one.path,
        title=one.title,
        excerpt=one.excerpt,
        score=round(score, 4),
        is_archived=one.is_archived,
    )


def read_memory(db: Database, tenant_id: str, store_name: str, id_or_path: str) -> Memory:
    """Return a memory, live or retired by its id, live by its path. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        found = uow.memories(store_id).find_by_path(id_or_path)
        if found is not None:
            return found
        try:
            return uow.catalog(store_id).get(id_or_path)
        except NotFoundError:
            raise NotFoundError(f"{tenant_id}/{store_name} has no memory {id_or_path!r}") from None


def find_memory_page(
    db: Database, tenant_id: str, store_name: str, *, prefix: str, after_path: str, limit: int
) -> list[MemoryHead]:
    """Return live memories without their text, by path, behind `after_path`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        catalog = uow.catalog(uow.stores.get(store_name).id)
        return catalog.find_page(prefix=prefix, after_path=after_path, limit=limit)


def find_retired_page(
    db: Database, tenant_id: str, store_name: str, *, state: MemoryState, after_id: str, limit: int
) -> list[Memory]:
    """Return archived or superseded memories by id, behind `after_id`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        retired = uow.memories(uow.stores.get(store_name).id).find_retired()
    found = sorted((one for one in retired if one.state is state and one.id > after_id), key=lambda one: one.id)
    return found[:limit]
