"""Write memories into a store on behalf of somebody who is not a dream: import, agents, users.

Every write that changes something is a version and a curation; one that changes nothing is neither.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.core import scoring
from shared.core.errors import ArchivedError, BadInputError
from shared.core.memory import Author, Memory, MemoryState, Signals
from shared.core.paths import check_memory_path
from shared.ports.database import Database
from shared.ports.ids import Ids
from shared.ports.memory_store import MemoryWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class NewText:
    """A text for a path. `written_at` is when its author wrote it; absent: now."""

    path: str
    content: str
    signals: Signals | None = None
    created_at: datetime | None = None
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteCounts:
    """What writing a batch came to."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, other: "WriteCounts") -> "WriteCounts":
        """Return both counts together."""
        return WriteCounts(
            created=self.created + other.created,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
        )


def ensure_store(db: Database, tenant_id: str, store_name: str, *, actor: str = "") -> None:
    """Make a tenant and its store if they are new. Raises BadInputError for an odd name."""
    with db.transaction(tenant_id) as uow:
        is_known = any(store.name == store_name for store in uow.stores.find_all())
        uow.stores.ensure(store_name)
        if not is_known:
            uow.record_audit(actor, "store.create", store=store_name)


def write_memories(
    db: Database,
    ids: Ids,
    tenant_id: str,
    store_name: str,
    texts: Sequence[NewText],
    author: Author,
    *,
    actor: str = "",
) -> WriteCounts:
    """Write one batch in one transaction, on behalf of `actor`.

    Raises:
        UnsafePathError: a path is none; nothing of the batch is written.
        ArchivedError: the store is.
        ConflictError: somebody else wrote the same path at the same moment.
    """
    for text in texts:
        check_memory_path(text.path)
        check_text(text)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        if store.archived_at is not None:
            raise ArchivedError
        memories = uow.memories(store.id)
        known = memories.find_by_paths([text.path for text in texts])
        held = memories.lock([memory.id for memory in known.values()])
        current = {memory.path: memory for memory in held.values() if memory.state is MemoryState.LIVE}
        now = uow.now()
        writes = [write for write in (_plan_write(text, current, ids, author, now) for text in texts) if write]
        memories.write(writes)
        if writes:
            uow.activity.record(store.id, curations=len(writes))
            written = {change: [w.memory.id for w in writes if w.change == change] for change in ("create", "update")}
            uow.record_audit(actor, "memory.write", store=store_name, **written)
        created = sum(write.change == "create" for write in writes)
    return WriteCounts(created=created, updated=len(writes) - created, unchanged=len(texts) - len(writes))


def check_text(text: NewText) -> None:
    """Raise BadInputError for what PostgreSQL cannot hold, before anything of the batch is written."""
    if "\x00" in text.content:
        msg = f"{text.path} holds a NUL character at {text.content.index(chr(0))}, which no text may"
        raise BadInputError(msg)
    try:
        text.content.encode()
    except UnicodeEncodeError as error:
        msg = f"{text.path} holds half a surrogate pair at {error.start}, which is no character"
        raise BadInputError(msg) from error


def _plan_write(
    text: NewText, current: dict[str, Memory], ids: Ids, author: Author, now: datetime
) -> MemoryWrite | None:
    known = current.get(text.path)
    written_at = min(text.written_at or now, now)
    if known is None:
        memory = Memory(
            id=ids.new("mem"),
            path=text.path,
            content=text.content,
            signals=text.signals or Signals(),
            author=author,
            created_at=min(text.created_at or written_at, written_at),
            updated_at=written_at,
            touched_at=written_at,
        )
        return MemoryWrite(memory=memory, change="create")
    if known.content == text.content:
        return None
    memory = replace(
        known,
        content=text.content,
        signals=scoring.updated(text.signals or known.signals, now),
        author=author,
        version=known.version + 1,
        updated_at=written_at,
        touched_at=written_at,
        is_dirty=True,
    )
    return MemoryWrite(memory=memory, change="update")


def in_batches(texts: Iterable[NewText], max_texts: int = 200, max_chars: int = 4_000_000) -> Iterable[list[NewText]]:
    """Yield texts in batches that one transaction can carry."""
    batch: list[NewText] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) >= max_texts or chars + len(text.content) > max_chars):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text.content)
    if batch:
        yield batch
