"""Why does a store remember that? A memory's versions, each with the dream and the operation that wrote it."""

from dataclasses import dataclass

from shared.core.errors import NotFoundError
from shared.core.memory import Memory
from shared.ports.database import Database, UnitOfWork
from shared.ports.dream_book import RecordedOperation
from shared.ports.memory_store import MemoryVersion

#: A page shows so many; a compaction can put thousands of memories into one.
_MAX_SOURCES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One version, and the operation that wrote it; None for what an agent, a person or an import wrote."""

    version: MemoryVersion
    operation: RecordedOperation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExplanation:
    """A memory, what made it what it is (newest first), and (id, path) of those whose knowledge went into it."""

    memory: Memory
    reasons: tuple[Reason, ...]
    sources: tuple[tuple[str, str], ...]


def get_memory(db: Database, tenant_id: str, store_name: str, memory_id: str) -> Memory:
    """Return a memory, live or retired. Raises NotFoundError."""
    memory = db.find_memory(tenant_id, store_name, memory_id)
    if memory is None:
        raise NotFoundError(f"{tenant_id}/{store_name} has no memory {memory_id!r}")
    return memory


def find_versions(
    db: Database, tenant_id: str, store_name: str, memory_id: str, *, below: int | None, limit: int
) -> list[MemoryVersion]:
    """Return a memory's versions, newest first, with numbers below one. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        uow.catalog(store_id).get(memory_id)
        return uow.memories(store_id).find_history(memory_id, below=below, limit=limit)


def explain_memory(
    db: Database, tenant_id: str, store_name: str, memory_id: str, *, below: int | None = None, limit: int
) -> MemoryExplanation:
    """Follow a memory's versions, those with numbers below one, back to who wrote them. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        catalog = uow.catalog(store_id)
        memory = catalog.get(memory_id)
        versions = uow.memories(store_id).find_history(memory_id, below=below, limit=limit)
        reasons = tuple(Reason(version=one, operation=_find_operation(uow, one.operation_id)) for one in versions)
        sources = catalog.find_sources(memory_id, _MAX_SOURCES)
    return MemoryExplanation(memory=memory, reasons=reasons, sources=tuple(sources))


def _find_operation(uow: UnitOfWork, operation_id: str | None) -> RecordedOperation | None:
    if operation_id is None:
        return None
    try:
        return uow.operations.get(operation_id)
    except NotFoundError:
        return None
