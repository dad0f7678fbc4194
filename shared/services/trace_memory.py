"""Where a memory came from: who wrote each version, in which dream, from what, and which sessions said it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.core.decay import describe_fading, is_exempt
from shared.core.doc_type import category_of, type_of
from shared.core.frontmatter import read_fields
from shared.core.memory import Author, Memory
from shared.core.provenance import FIELD
from shared.ports.database import Database
from shared.ports.dream_book import RecordedOperation
from shared.ports.memory_store import MemoryVersion
from shared.services.find_memories import get_memory_history

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
        fading=None if is_dreamt else describe_fading(memory.signals, memory.touched_at, now, decay),
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
