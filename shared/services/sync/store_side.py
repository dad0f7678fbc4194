"""The store's side of a sync with a folder: what it shows, what it takes, and which dreams wrote what it gives."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.core.dream.model import Dream, ReviewState
from shared.core.dream.reviewed import find_reviewed
from shared.core.errors import ArchivedError, ConflictError, NotFoundError, PreconditionFailedError
from shared.core.memory.model import Author, Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.writers import Through
from shared.core.sync.decide import Stored
from shared.core.text.duplicates import content_hash
from shared.ports.database import Database, UnitOfWork
from shared.ports.runtime import Ids
from shared.services.masking import Mask, mask_of
from shared.services.memories.edit import Expected, archive_memory
from shared.services.memories.write import NewText, in_batches, write_memories


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSide:
    """One memory: its texts, its version, and when it was written. One that waits for a review and is shown nowhere is here, too."""

    memory_id: str
    version: int
    texts: Stored
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncedStore:
    """A store by path. `left_out` says of which memories the reviewed text cannot be told, and why. An empty id: no store yet.

    `mask` hides in a text what the store keeps out.
    """

    store_id: str
    sides: Mapping[str, StoreSide]
    left_out: Mapping[str, str]
    mask: Mask


def read_store(db: Database, tenant_id: str, store_name: str, *, reviewed: bool) -> SyncedStore:
    """Return what a folder is to have of a store: all live memories, or with `reviewed` without changes that wait for a review.

    Daily logs are left out: a store reads them as sessions.
    """
    with db.transaction(tenant_id) as uow:
        try:
            store = uow.stores.get(store_name)
        except NotFoundError:
            return SyncedStore(store_id="", sides={}, left_out={}, mask=uow.mask)
        if store.archived_at is not None:
            raise ArchivedError
        mask, memories = mask_of(uow, store.policy), uow.memories(store.id)
        memories.lock(())  # no dream writes between the statements below
        live = memories.find_live()
        shown, left_out = _find_shown(uow, store.id, live) if reviewed else (live, {})
    return SyncedStore(store_id=store.id, sides=_join(live, shown), left_out=left_out, mask=mask)


def _find_shown(uow: UnitOfWork, store_id: str, live: Sequence[Memory]) -> tuple[list[Memory], Mapping[str, str]]:
    waiting = uow.verdicts(store_id).find_unapproved(waiting=True)
    touched = {effect.after.id for effects in waiting for effect in effects}
    retired = uow.memories(store_id).find_retired(touched) if touched else []
    found = find_reviewed([*live, *retired], waiting)
    return [one for one in found.memories if one.state is MemoryState.LIVE], found.left_out


def _join(live: Iterable[Memory], shown: Iterable[Memory]) -> dict[str, StoreSide]:
    lives = {one.path: one for one in live if kind_of(one.path) is not MemoryKind.LOG}
    shows = {one.path: one for one in shown if kind_of(one.path) is not MemoryKind.LOG}
    sides = {}
    for path in sorted({*lives, *shows}):
        either = shows.get(path) or lives[path]
        now = lives.get(path)
        texts = Stored(shows[path].content if path in shows else None, now.content if now is not None else None)
        sides[path] = StoreSide(
            memory_id=either.id,
            version=(now or either).version,
            texts=texts,
            updated_at=either.updated_at,
        )
    return sides


def find_text(db: Database, tenant_id: str, store_id: str, memory_id: str, sha256: str) -> str | None:
    """Return the text with this hash that a memory once had; None if no version with it is kept."""
    with db.transaction(tenant_id) as uow:
        versions = uow.memories(store_id).find_history(memory_id)
    texts = (one.content for one in versions if one.redacted_at is None)
    return next((text for text in texts if content_hash(text) == sha256), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The memories (id, version) at the written paths, and the paths left alone, since their memories had changed meanwhile."""

    written: Mapping[str, tuple[str, int]]
    left: frozenset[str]


def take_texts(
    db: Database, ids: Ids, tenant_id: str, store_name: str, texts: Sequence[NewText], *, actor: str
) -> Taken:
    """Write the texts of a folder where the memories are as `expected_sha256` says. Raises as `write_memories` does."""
    written: dict[str, tuple[str, int]] = {}
    left: set[str] = set()
    for batch in in_batches(replace(text, through=Through.SYNC) for text in texts):
        left.update(write_memories(db, ids, tenant_id, store_name, batch, Author.IMPORT, actor=actor).changed_here)
        with db.transaction(tenant_id) as uow:
            found = uow.memories(uow.stores.get(store_name).id).find_by_paths([text.path for text in batch])
        written |= {path: (one.id, one.version) for path, one in found.items()}
    return Taken(written=written, left=frozenset(left))


def take_deletion(db: Database, tenant_id: str, store_name: str, side: StoreSide, *, actor: str) -> bool:
    """Archive the memory of a file that was deleted; return False, and leave it alone, if it has changed since it was read."""
    expected = Expected(version=side.version, content_sha256=content_hash(side.texts.live or ""))
    try:
        archive_memory(db, tenant_id, store_name, side.memory_id, expected=expected, actor=actor)
    except (NotFoundError, ConflictError, PreconditionFailedError):
        return False
    return True


def find_dreams(
    db: Database, tenant_id: str, store_id: str, since: Mapping[str, int], *, reviewed: bool
) -> list[Dream]:
    """Return the dreams, oldest first, that wrote memories after these versions; with `reviewed` without what waits for a review."""
    with db.transaction(tenant_id) as uow:
        memories = uow.memories(store_id)
        operations = {
            version.operation_id: version.dream_id
            for memory_id, known in since.items()
            for version in memories.find_history(memory_id)
            if version.version > known and version.operation_id and version.dream_id
        }
        if reviewed:
            waiting = _find_waiting(uow, operations)
            operations = {one: dream for one, dream in operations.items() if one not in waiting}
        found = {dream for dream in operations.values() if dream}
        return [uow.dreams.get(dream) for dream in sorted(found)]


def _find_waiting(uow: UnitOfWork, operation_ids: Collection[str]) -> set[str]:
    found = uow.operations.find_by_ids(set(operation_ids)) if operation_ids else {}
    return {one.id for one in found.values() if one.review is ReviewState.PENDING}
