"""Stores as records in PostgreSQL, and the copy of a store."""

from collections.abc import Mapping

from sqlalchemy import (
    Connection,
    TableValuedAlias,
    Text,
    bindparam,
    column,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import col

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.memories.rows import SIGNAL_NAMES
from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, PendingMergeRow, StoreRow
from shared.core.errors import NotFoundError
from shared.core.listings.records import StoreRecord
from shared.core.memory.model import MemoryState
from shared.core.memory.writers import Rank
from shared.ports.api_lists import Place, TimeSpan

_NAMES = ("id", "name", "title", "description", "labels", "created_at", "described_at", "archived_at")
_DESCRIBED_AT = func.coalesce(col(StoreRow.described_at), col(StoreRow.created_at)).label("described_at")
_RECORDS = select(*(_DESCRIBED_AT if name == "described_at" else col(getattr(StoreRow, name)) for name in _NAMES))
_TENANT, _SOURCE, _TARGET = (bindparam(name, type_=Text) for name in ("tenant", "source", "target"))
#: All columns except keys and counters of writes.
_KEPT = (
    "path", "content", "content_hash", "title", "summary", "doc_type", "category", "fold_hash", "imported_hash",
    "expires", "size_chars", "state", "author", "importance", "maturity", "tier", "access_count", "reinforcement_count", "pinned",
    "last_seen_at", "by_person", "created_at", "updated_at", "touched_at", "writers", "trust", "stub", "is_dirty",
)  # fmt: skip


def _new_ids(name: str) -> TableValuedAlias:
    """Return the ids of memories and of their copies, as a table of this name."""
    ids = func.unnest(bindparam("old", type_=ARRAY(Text)), bindparam("new", type_=ARRAY(Text)))
    return ids.table_valued(column("old_id", Text), column("new_id", Text)).render_derived(name)


_COPY, _SUCCESSOR = _new_ids("copy"), _new_ids("successor")
#: References to memories that are not copied are dropped.
_COPY_HEADS = insert(MemoryRow).from_select(
    ["id", "tenant_id", "store_id", "version", "superseded_by", *_KEPT],
    select(
        _COPY.c.new_id,
        col(MemoryRow.tenant_id),
        _TARGET,
        literal_column("1"),
        _SUCCESSOR.c.new_id,
        *(col(getattr(MemoryRow, name)) for name in _KEPT),
    )
    .select_from(MemoryRow)
    .join(_COPY, _COPY.c.old_id == col(MemoryRow.id))
    .outerjoin(_SUCCESSOR, _SUCCESSOR.c.old_id == col(MemoryRow.superseded_by))
    .where(col(MemoryRow.tenant_id) == _TENANT, col(MemoryRow.store_id) == _SOURCE),
    include_defaults=False,
)
#: A copy begins with one version, the current memory.
_OF_VERSION = ("tenant_id", "store_id", "path", "content", "state", "author", "trust")
_COPY_VERSIONS = insert(MemoryVersionRow).from_select(
    ["memory_id", "version", *_OF_VERSION, "signals", "change", "actor"],
    select(
        col(MemoryRow.id),
        literal_column("1"),
        *(col(getattr(MemoryRow, name)) for name in _OF_VERSION),
        func.jsonb_build_object(*(part for name in SIGNAL_NAMES for part in (name, col(getattr(MemoryRow, name))))),
        literal_column("'copy'"),
        literal_column("''"),
    ).where(col(MemoryRow.tenant_id) == _TENANT, col(MemoryRow.store_id) == _TARGET),
    include_defaults=False,
)
_OF_MERGE = ("source_path", "target_path", "tenant_id", "reason", "suggested_by")
_COPY_MERGES = insert(PendingMergeRow).from_select(
    ["store_id", *_OF_MERGE],
    select(_TARGET, *(col(getattr(PendingMergeRow, name)) for name in _OF_MERGE)).where(
        col(PendingMergeRow.tenant_id) == _TENANT, col(PendingMergeRow.store_id) == _SOURCE
    ),
    include_defaults=False,
)


class PostgresStoreListing:
    """Implements `StoreListing`."""

    def __init__(self, connection: Connection, tenant_id: str, hidden: Hidden | None = None) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._hidden = hidden
        self._mine = col(StoreRow.tenant_id) == tenant_id

    def get(self, store_id: str, *, lock: bool = False) -> StoreRecord:
        """Return a store by its id; with `lock` its row is held."""
        query = _RECORDS.add_columns(col(StoreRow.least_rank)).where(self._mine, col(StoreRow.id) == store_id)
        row = fetch_one(self._connection, query.with_for_update() if lock else query)
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no store with the id {store_id!r}"
            raise NotFoundError(msg)
        if self._hidden is not None:
            self._hidden.follow(Rank(row["least_rank"]))
        return _record_from(row)

    def find_page(
        self, span: TimeSpan, *, with_archived: bool, start_after: Place | None, limit: int
    ) -> list[StoreRecord]:
        """Return stores, newest first."""
        query = _RECORDS.where(self._mine, *within(col(StoreRow.created_at), span))
        if not with_archived:
            query = query.where(col(StoreRow.archived_at).is_(None))
        found = fetch(self._connection, paged(query, (col(StoreRow.created_at), col(StoreRow.id)), start_after, limit))
        return [_record_from(row) for row in found]

    def save(self, record: StoreRecord) -> None:
        """Save a store's title, description and labels."""
        values = {
            "title": record.title,
            "description": record.description,
            "labels": record.labels,
            "described_at": record.described_at,
            "archived_at": record.archived_at,
        }
        execute(self._connection, update(StoreRow).where(self._mine, col(StoreRow.id) == record.id).values(values))

    def find_memory_ids(self, store_id: str) -> list[str]:
        """Return the ids of a store's memories, live or retired."""
        mine = (col(MemoryRow.tenant_id) == self._tenant_id) & (col(MemoryRow.store_id) == store_id)
        query = (
            select(col(MemoryRow.id))
            .where(mine, col(MemoryRow.state) != MemoryState.REMOVED)
            .order_by(col(MemoryRow.id))
        )
        return [memory_id for (memory_id,) in fetch_tuples(self._connection, query)]

    def copy_memories(self, source_id: str, target_id: str, ids: Mapping[str, str]) -> int:
        """Copy memories with lineage and pending merges into an empty store; the texts never leave the database."""
        keys = {"tenant": self._tenant_id, "source": source_id, "target": target_id}
        copied = execute(self._connection, _COPY_HEADS, {**keys, "old": list(ids), "new": list(ids.values())})
        execute(self._connection, _COPY_VERSIONS, keys)
        execute(self._connection, _COPY_MERGES, keys)
        return copied


def _record_from(row: Row) -> StoreRecord:
    return StoreRecord(**{name: row[name] for name in _NAMES})
