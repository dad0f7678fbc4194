"""Pages of a store's memories in PostgreSQL."""

from collections.abc import Collection, Mapping
from typing import LiteralString

from sqlalchemy import Connection, Engine, func, select

from shared.adapters.postgres.memories.rows import (
    FOUND_COLUMNS,
    HEAD_COLUMNS,
    MEMORY_COLUMNS,
    found_from_columns,
    head_from,
    memory_from,
    memory_from_columns,
)
from shared.adapters.postgres.sql.statements import ask, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.sql.store_lock import lock_store
from shared.adapters.postgres.sql.transactions import ask_as
from shared.adapters.postgres.tables.mapping import MEMORIES
from shared.core.errors import NotFoundError
from shared.core.memory.model import Memory, MemoryHead, MemoryState
from shared.ports.memories import ChangedMemories, Found, SearchedText

_RETIRED = (MemoryState.ARCHIVED, MemoryState.SUPERSEDED)
_SEARCHED = (MemoryState.LIVE, MemoryState.ARCHIVED)
_GET: LiteralString = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    WHERE m.tenant_id = %(tenant)s AND m.store_id = %(store)s AND m.id = %(id)s AND m.state <> 'removed'"""  # noqa: S608 - constants
_LOCK: LiteralString = f"{_GET} FOR UPDATE"
#: The oldest open transaction of the very snapshot that the rows are read with: what is older shows in them.
_MARKED: LiteralString = """
    SELECT s.mark, m.id, m.version, m.path, m.state, CASE m.state WHEN 'live' THEN m.content ELSE m.stub END
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS mark) s
    LEFT JOIN memories m ON m.tenant_id = %(tenant)s AND m.store_id = %(store)s"""
_EVERYTHING: LiteralString = f"{_MARKED} AND m.state IN ('live', 'archived')"
_CHANGED: LiteralString = f"{_MARKED} AND m.written_by >= %(since)s::bigint"
_HITS: LiteralString = f"""
    SELECT m.store_id, {FOUND_COLUMNS} FROM memories m
    WHERE m.tenant_id = %(tenant)s AND m.id = ANY(%(ids)s::text[]) AND m.state IN ('live', 'archived')"""  # noqa: S608 - constants
_SOURCES: LiteralString = """
    SELECT m.id, m.path FROM memories m
    WHERE m.tenant_id = %(tenant)s AND m.store_id = %(store)s AND m.superseded_by = %(id)s AND m.state <> 'removed'
    ORDER BY m.path, m.id LIMIT %(limit)s"""
#: A memory's last version is the one that retired it. Moments are those of transactions, so operations tell the rest.
_MERGED_SINCE: LiteralString = """
    SELECT m.superseded_by, min(m.path)
    FROM unnest(%(ids)s::text[], %(numbers)s::integer[], %(operations)s::text[]) AS w (id, version, operation)
    JOIN memories m ON m.tenant_id = %(tenant)s AND m.store_id = %(store)s AND m.superseded_by = w.id
    LEFT JOIN memory_versions into_it ON into_it.memory_id = w.id AND into_it.version = w.version
    LEFT JOIN memory_versions retired ON retired.memory_id = m.id AND retired.version = m.version
    WHERE m.state IN ('archived', 'superseded') AND coalesce(retired.operation_id, '') <> w.operation
      AND (coalesce(retired.created_at, 'infinity'), coalesce(retired.operation_id, ''))
        > (coalesce(into_it.created_at, '-infinity'), w.operation)
    GROUP BY m.superseded_by"""
_FIND_ONE: LiteralString = f"""
    SELECT {MEMORY_COLUMNS} FROM stores s JOIN memories m ON m.tenant_id = s.tenant_id AND m.store_id = s.id
    WHERE s.tenant_id = %(tenant)s AND s.name = %(store)s AND m.id = %(id)s AND m.state <> 'removed'"""  # noqa: S608 - constants


def find_memory(engine: Engine, tenant_id: str, store_name: str, memory_id: str) -> Memory | None:
    """Return a memory of a store by its id, in any state but `removed`, in one message to the database."""
    row = ask_as(engine, tenant_id, _FIND_ONE, {"tenant": tenant_id, "store": store_name, "id": memory_id})
    return memory_from_columns(row) if row else None


class PostgresMemoryCatalogRepository:
    """Implements `MemoryCatalogRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}
        self._mine = (MEMORIES.c.tenant_id == tenant_id) & (MEMORIES.c.store_id == store_id)

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text, in the order of their paths."""
        query = select(*HEAD_COLUMNS).where(
            self._mine, MEMORIES.c.state == MemoryState.LIVE, MEMORIES.c.path > after_path
        )
        if prefix:
            query = query.where(func.starts_with(MEMORIES.c.path, prefix))
        rows = self._connection.execute(query.order_by(MEMORIES.c.path).limit(limit))
        return [head_from(row) for row in rows.all()]

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock` it is held, and with it the store's turn."""
        if lock:
            lock_store(self._connection, self._keys["store"])
        rows = ask(self._connection, _LOCK if lock else _GET, self._keys | {"id": memory_id})
        if not rows:
            msg = f"The store has no memory {memory_id!r}"
            raise NotFoundError(msg)
        return memory_from_columns(rows[0])

    def find_retired_at(self, path: str) -> Memory | None:
        """Return the archived or superseded memory that was retired last from a path."""
        query = select(MEMORIES).where(self._mine, MEMORIES.c.path == path, MEMORIES.c.state.in_(_RETIRED))
        row = fetch_one(self._connection, query.order_by(MEMORIES.c.updated_at.desc(), MEMORIES.c.id.desc()).limit(1))
        return memory_from(row) if row is not None else None

    def find_retired_page(self, *, state: MemoryState, after_id: str, limit: int) -> list[Memory]:
        """Return archived or superseded memories by id, behind `after_id`."""
        query = select(MEMORIES).where(self._mine, MEMORIES.c.state == state, MEMORIES.c.id > after_id)
        return [memory_from(row) for row in fetch(self._connection, query.order_by(MEMORIES.c.id).limit(limit))]

    def find_paths(self, prefix: str) -> list[tuple[str, str]]:
        """Return (id, path) of the live memories whose path begins with `prefix`, by path."""
        query = select(MEMORIES.c.id, MEMORIES.c.path).where(self._mine, MEMORIES.c.state == MemoryState.LIVE)
        query = query.where(func.starts_with(MEMORIES.c.path, prefix)).order_by(MEMORIES.c.path)
        return [(row[0], row[1]) for row in fetch_tuples(self._connection, query)]

    def find_sources(self, memory_id: str, limit: int) -> list[tuple[str, str]]:
        """Return (id, path) of memories whose knowledge went into this one, by path."""
        return ask(self._connection, _SOURCES, self._keys | {"id": memory_id, "limit": limit})

    def find_merged_since(self, written: Mapping[str, tuple[int, str]]) -> dict[str, str]:
        """Return by id a path of what was merged into a memory after a version of it, and is still retired for it."""
        if not written:
            return {}
        asked = {
            "ids": list(written),
            "numbers": [version for version, _ in written.values()],
            "operations": [operation for _, operation in written.values()],
        }
        return dict(ask(self._connection, _MERGED_SINCE, self._keys | asked))

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return what was written since a mark.

        The mark is the oldest transaction that was still open: what it wrote may become visible later only.
        """
        rows = ask(self._connection, _EVERYTHING if since is None else _CHANGED, self._keys | {"since": since})
        found = [row[1:] for row in rows if row[1] is not None]
        return ChangedMemories(
            texts=tuple(
                SearchedText(memory_id=memory_id, version=version, path=path, text=text or "")
                for memory_id, version, path, state, text in found
                if state in _SEARCHED
            ),
            gone=tuple(memory_id for memory_id, _, _, state, _ in found if state not in _SEARCHED),
            mark=int(rows[0][0]),
        )

    def find_hits(self, ids: Collection[str]) -> dict[str, Found]:
        """Return by id those of these memories that are still live or archived.

        The store is compared here: in the query, it would lead a database that has not analyzed the table yet, as after
        an import, to read the whole store (9 ms at 10,000 memories) instead of a few rows by their ids.
        """
        rows = ask(self._connection, _HITS, self._keys | {"ids": list(ids)})
        found = (found_from_columns(row[1:]) for row in rows if row[0] == self._keys["store"])
        return {one.memory_id: one for one in found}
