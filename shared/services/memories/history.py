"""The history of a memory: who wrote each version, in which dream, by which operation, and from what sources."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.core.memory.doc_type import category_of, type_of
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory
from shared.core.memory.provenance import FIELD, read_sources
from shared.core.trust.inherit import Written
from shared.core.trust.shares import Share, find_shares
from shared.core.upkeep.decay import describe_decay, is_exempt
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryVersion
from shared.services.memories.read import find_in_store
from shared.services.operations.waiting import OpenQuestion, find_open_questions

#: A page shows at most this many; a compaction can merge thousands of memories into one.
_MAX_SOURCES = 200
#: Frontmatter fields that name a text's sources. `sources` holds paths, or mappings with session and quote.
_PROVENANCE = (FIELD, "sources", "consolidated_from", "consolidated_at", "synthesized_at", "synthesized_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One version, and the dream's operation that wrote it; None for what an agent, a person or an import wrote."""

    version: MemoryVersion
    operation: RecordedOperation | None

    @property
    def together_with(self) -> tuple[str, ...]:
        """Return the paths of the other memories that the operation changed."""
        effects = self.operation.effects if self.operation is not None else ()
        paths = (effect.before.path for effect in effects if effect.before is not None)
        return tuple(path for path in dict.fromkeys(paths) if path != self.version.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistory:
    """A memory, its versions (newest first), and (id, path) of the memories that were merged into it.

    `projects` has the project of each session that said it, by session id; sessions without a project are left out.
    `questions` are those about it that wait for a person.
    `decay` is a sentence on how far the importance has fallen and why; None if it has not, or the memory is exempt.
    """

    memory: Memory
    entries: tuple[HistoryEntry, ...]
    sources: tuple[tuple[str, str], ...]
    projects: Mapping[str, str] = field(default_factory=dict)
    decay: str | None = None
    questions: tuple[OpenQuestion, ...] = ()

    @property
    def shares(self) -> tuple[Share, ...]:
        """Return who wrote which of its current statements."""
        return find_shares(Written(self.memory.content, self.memory.writers))

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Return what the memory's frontmatter says about its sources, and the projects of its sessions."""
        fields = read_fields(self.memory.content)
        said = {name: fields[name] for name in _PROVENANCE if name in fields}
        projects = [{"session": session, "project": project} for session, project in self.projects.items()]
        return said | ({"projects": projects} if projects else {})


def find_versions(
    db: Database, tenant_id: str, store_name: str, id_or_path: str, *, below: int | None = None, limit: int | None
) -> list[MemoryVersion]:
    """Return a memory's versions, newest first, at most `limit` with numbers below one. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        memory = find_in_store(uow, store, id_or_path)
        return uow.memories(store.id).find_history(memory.id, below=below, limit=limit)


def get_versions(
    db: Database, tenant_id: str, store_name: str, memory_id: str, numbers: Collection[int]
) -> tuple[Memory, dict[int, MemoryVersion]]:
    """Return a memory and those of the given versions that exist, by number. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        memory = find_in_store(uow, store, memory_id)
        repository = uow.memories(store.id)
        found = [one for n in set(numbers) for one in repository.find_history(memory.id, below=n + 1, limit=1)]
    return memory, {one.version: one for one in found if one.version in numbers}


def get_history(
    db: Database, tenant_id: str, store_name: str, id_or_path: str, *, below: int | None = None, limit: int | None
) -> MemoryHistory:
    """Return a memory with its versions, newest first. Raises NotFoundError.

    Args:
        db: the database.
        tenant_id: the tenant.
        store_name: the store.
        id_or_path: of a live or retired memory; a path means the memory that had it last.
        below: only versions with lower numbers.
        limit: the maximum number of versions; None returns all.
    """
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        memory = find_in_store(uow, store, id_or_path)
        versions = uow.memories(store.id).find_history(memory.id, below=below, limit=limit)
        entries = _join_operations(uow, versions)
        sources = uow.catalog(store.id).find_sources(memory.id, _MAX_SOURCES)
        said_in = {source.session_id for source in read_sources(memory.content)}
        projects = uow.session_listing.find_projects(said_in) if said_in else {}
        is_dreamt = is_exempt(category_of(memory.content), type_of(memory.content))
        questions = find_open_questions(uow, store.id, memory)
        decay = describe_decay(memory.signals, memory.touched_at, uow.now(), store.policy.decay)
    return MemoryHistory(
        memory=memory,
        entries=entries,
        sources=tuple(sources),
        projects=projects,
        decay=None if is_dreamt else decay,
        questions=questions,
    )


def _join_operations(uow: UnitOfWork, versions: list[MemoryVersion]) -> tuple[HistoryEntry, ...]:
    ids = {one.operation_id for one in versions if one.operation_id is not None}
    operations = uow.operations.find_by_ids(ids) if ids else {}
    return tuple(HistoryEntry(version=one, operation=operations.get(one.operation_id or "")) for one in versions)
