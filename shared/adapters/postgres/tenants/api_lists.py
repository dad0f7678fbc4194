"""Stores as records in PostgreSQL, and the copy of a store."""

from collections.abc import Mapping

from sqlalchemy import Connection, func, select, text, update

from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.tables.mapping import MEMORIES, STORES, Row
from shared.core.errors import NotFoundError
from shared.core.listings.records import StoreRecord
from shared.core.memory.model import MemoryState
from shared.ports.api_lists import Place, TimeSpan

_COLUMNS = (
    STORES.c.id, STORES.c.name, STORES.c.title, STORES.c.description, STORES.c.labels, STORES.c.created_at,
    func.coalesce(STORES.c.described_at, STORES.c.created_at).label("described_at"), STORES.c.archived_at,
)  # fmt: skip
#: Everything but keys and what counts writes; a lineage that points outside of what is copied is cut.
_KEPT = (
    "path, content, content_hash, title, summary, doc_type, category, fold_hash, imported_hash, size_chars, state,"
    " author, importance, maturity, tier, access_count, reinforcement_count, pinned, last_seen_at, created_at,"
    " updated_at, touched_at, stub"
)
_NEW_IDS = "unnest(CAST(:old AS text[]), CAST(:new AS text[])) AS n (old_id, new_id)"
_COPY_HEADS = text(f"""
    INSERT INTO memories (id, tenant_id, store_id, version, superseded_by, is_dirty, {_KEPT})
    SELECT n.new_id, m.tenant_id, :target, 1, s.new_id, m.is_dirty, {", ".join(f"m.{name.strip()}" for name in _KEPT.split(","))}
    FROM memories m JOIN {_NEW_IDS} ON n.old_id = m.id
    LEFT JOIN {_NEW_IDS.replace("AS n", "AS s")} ON s.old_id = m.superseded_by
    WHERE m.tenant_id = :tenant AND m.store_id = :source
""")  # noqa: S608 - put together from constants of this file
_COPY_VERSIONS = text("""
    INSERT INTO memory_versions
      (memory_id, version, tenant_id, store_id, path, content, state, author, signals, change, actor)
    SELECT m.id, 1, m.tenant_id, m.store_id, m.path, m.content, m.state, m.author, jsonb_build_object(
      'importance', m.importance, 'maturity', m.maturity, 'tier', m.tier, 'access_count', m.access_count,
      'reinforcement_count', m.reinforcement_count, 'pinned', m.pinned, 'last_seen_at', m.last_seen_at), 'copy', ''
    FROM memories m WHERE m.tenant_id = :tenant AND m.store_id = :target
""")
_COPY_MERGES = text("""
    INSERT INTO pending_merges (store_id, source_path, target_path, tenant_id, reason, suggested_by)
    SELECT :target, source_path, target_path, tenant_id, reason, suggested_by
    FROM pending_merges WHERE tenant_id = :tenant AND store_id = :source
""")


class PostgresStoreListing:
    """Implements `StoreListing`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = STORES.c.tenant_id == tenant_id

    def get(self, store_id: str, *, lock: bool = False) -> StoreRecord:
        """Return a store by its id; with `lock` its row is held."""
        query = select(*_COLUMNS).where(self._mine, STORES.c.id == store_id)
        row = self._connection.execute(query.with_for_update() if lock else query).mappings().first()
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no store with the id {store_id!r}"
            raise NotFoundError(msg)
        return _record_from(row)

    def find_page(self, span: TimeSpan, *, with_archived: bool, behind: Place | None, limit: int) -> list[StoreRecord]:
        """Return stores, newest first."""
        query = select(*_COLUMNS).where(self._mine, *within(STORES.c.created_at, span))
        if not with_archived:
            query = query.where(STORES.c.archived_at.is_(None))
        found = self._connection.execute(paged(query, (STORES.c.created_at, STORES.c.id), behind, limit)).mappings()
        return [_record_from(row) for row in found]

    def save(self, record: StoreRecord) -> None:
        """Write what people say about a store."""
        values = {
            "title": record.title,
            "description": record.description,
            "labels": record.labels,
            "described_at": record.described_at,
            "archived_at": record.archived_at,
        }
        self._connection.execute(update(STORES).where(self._mine, STORES.c.id == record.id).values(values))

    def find_memory_ids(self, store_id: str) -> list[str]:
        """Return the ids of a store's memories, live or retired."""
        mine = (MEMORIES.c.tenant_id == self._tenant_id) & (MEMORIES.c.store_id == store_id)
        query = select(MEMORIES.c.id).where(mine, MEMORIES.c.state != MemoryState.REMOVED).order_by(MEMORIES.c.id)
        return list(self._connection.execute(query).scalars())

    def copy_memories(self, source_id: str, target_id: str, ids: Mapping[str, str]) -> int:
        """Copy memories with lineage and pending merges into an empty store; the texts never leave the database."""
        keys = {"tenant": self._tenant_id, "source": source_id, "target": target_id}
        done = self._connection.execute(_COPY_HEADS, {**keys, "old": list(ids), "new": list(ids.values())})
        self._connection.execute(_COPY_VERSIONS, keys)
        self._connection.execute(_COPY_MERGES, keys)
        return done.rowcount


def _record_from(row: Row) -> StoreRecord:
    return StoreRecord(**{column.name: row[column.name] for column in _COLUMNS})
