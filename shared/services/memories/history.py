"""Why does a store remember that? A memory's versions, each with the dream and the operation that wrote it.

Where a memory came from: who wrote each version, in which dream, from what, and which sessions said it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.core.errors import NotFoundError
from shared.core.memory.doc_type import category_of, type_of
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Author, Memory
from shared.core.memory.provenance import FIELD
from shared.core.upkeep.decay import describe_decay, is_exempt
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryVersion
from shared.services.memories.read import get_memory_history

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


#: Fields of a frontmatter that say where a text is from. `sources` holds paths, or mappings with session and quote.
_PROVENANCE = (FIELD, "sources", "consolidated_from", "consolidated_at", "synthesized_at", "synthesized_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One version of a memory; dream, operation, reason and the other memories are those of a dream's work."""

    version: int
    at: datetime
    change: str
    author: Author
    dream_id: str | None = None
    operation_id: str | None = None
    kind: str = ""
    phase: str = ""
    reason: str = ""
    together_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A memory's provenance: its steps, newest first, and what its text says about its sources.

    `fading` says how far its importance has fallen by now, and why; None when it has not, or the memory is exempt.
    """

    memory: Memory
    steps: tuple[Step, ...]
    provenance: Mapping[str, Any]
    fading: str | None = None


def trace_memory(db: Database, tenant_id: str, store_name: str, path: str) -> Why:
    """Return where a memory came from. Raises NotFoundError."""
    memory, versions = get_memory_history(db, tenant_id, store_name, path)
    operations: dict[str, RecordedOperation] = {}
    with db.transaction(tenant_id) as uow:
        for dream_id in dict.fromkeys(entry.dream_id for entry in versions if entry.dream_id):
            operations |= {recorded.id: recorded for recorded in uow.operations.find_all(dream_id)}
        decay, now = uow.stores.get(store_name).policy.decay, uow.now()
    fields = read_fields(memory.content)
    is_dreamt = is_exempt(category_of(memory.content), type_of(memory.content))
    return Why(
        memory=memory,
        steps=tuple(_step(entry, operations.get(entry.operation_id or "")) for entry in versions),
        provenance={name: fields[name] for name in _PROVENANCE if name in fields},
        fading=None if is_dreamt else describe_decay(memory.signals, memory.touched_at, now, decay),
    )


def _step(entry: MemoryVersion, recorded: RecordedOperation | None) -> Step:
    step = Step(
        version=entry.version,
        at=entry.created_at,
        change=entry.change,
        author=entry.author,
        dream_id=entry.dream_id,
        operation_id=entry.operation_id,
    )
    if recorded is None:
        return step
    paths = (effect.before.path for effect in recorded.effects if effect.before is not None)
    return replace(
        step,
        kind=recorded.operation.kind,
        phase=recorded.operation.phase,
        reason=recorded.operation.reason,
        together_with=tuple(path for path in dict.fromkeys(paths) if path != entry.path),
    )
