"""Look into a store: search it, or read one memory with its history."""

from dataclasses import dataclass

from shared.core import scoring
from shared.core.errors import NotFoundError
from shared.core.frontmatter import summary_of, title_of
from shared.core.memory import Memory, MemoryState
from shared.core.similarity import normalise_bm25, significant_words
from shared.core.text_index import TextIndex
from shared.ports.database import Database
from shared.ports.memory_store import MemoryVersion

_QUERY_WORDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found. `score` is the compound score: BM25, importance and recency, by maturity."""

    path: str
    title: str
    excerpt: str
    score: float
    is_archived: bool


def search_memories(db: Database, tenant_id: str, store_name: str, query: str, limit: int) -> list[Hit]:
    """Return live memories and archived ones (found by their stubs), best first. Raises NotFoundError.

    Words choose the hits and the compound score orders them: importance must not push out what fits the words.
    """
    with db.transaction(tenant_id) as uow:
        memories = uow.memories(uow.stores.get(store_name).id)
        archived = [memory for memory in memories.find_retired() if memory.state is MemoryState.ARCHIVED]
        found = {memory.id: memory for memory in [*memories.find_live(), *archived]}
        now = uow.now()
    index = TextIndex((m.id, f"{m.path} {_searched(m)}") for m in found.values())
    words = significant_words(query, _QUERY_WORDS) or query.split()
    hits = [
        _hit(found[key], scoring.compound_score(normalise_bm25(bm25), found[key].signals, found[key].updated_at, now))
        for key, bm25 in index.search(words, limit)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.path))


def get_memory_history(db: Database, tenant_id: str, store_name: str, path: str) -> tuple[Memory, list[MemoryVersion]]:
    """Return the memory at a path, live or retired, and its versions, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        memories = uow.memories(uow.stores.get(store_name).id)
        retired = [memory for memory in memories.find_retired() if memory.path == path]
        memory = memories.find_by_path(path) or (retired[-1] if retired else None)
        if memory is None:
            msg = f"{tenant_id}/{store_name} has no memory {path!r}"
            raise NotFoundError(msg)
        return memory, memories.find_history(memory.id)


def _searched(memory: Memory) -> str:
    return memory.content if memory.state is MemoryState.LIVE else memory.stub or ""


def _hit(memory: Memory, score: float) -> Hit:
    is_archived = memory.state is not MemoryState.LIVE
    return Hit(
        path=memory.path,
        title=title_of(memory.path, memory.content),
        excerpt=(memory.stub or "")[:200] if is_archived else summary_of(memory.content),
        score=round(score, 4),
        is_archived=is_archived,
    )
