"""Pages of a store's memories in PostgreSQL."""

from collections.abc import Collection

from sqlalchemy import BigInteger, Connection, any_, bindparam, cast, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Text

from shared.adapters.postgres.mapping import HEAD_COLUMNS, MEMORIES, head_from, memory_from
from shared.core.errors import NotFoundError
from shared.core.memory import Memory, MemoryHead, MemoryState
from shared.ports.memory_catalog import ChangedMemories

_SEARCHED = (MemoryState.LIVE, MemoryState.ARCHIVED)
_OLDEST_OPEN = func.pg_snapshot_xmin(func.pg_current_snapshot())


class PostgresMemoryCatalog:
    """Implements `MemoryCatalog` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._tenant_id, self._store_id = tenant_id, store_id
        self._mine = (MEMORIES.c.tenant_id == tenant_id) & (MEMORIES.c.store_id == store_id)
        self._live = self._mine & (MEMORIES.c.state == MemoryState.LIVE)

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text, in the order of their paths."""
        query = select(*HEAD_COLUMNS).where(self._live, MEMORIES.c.path > after_path)
        if prefix:
            query = query.where(func.starts_with(MEMORIES.c.path, prefix))
        rows = self._connection.execute(query.order_by(MEMORIES.c.path).limit(limit))
        return [head_from(row) for row in rows.all()]

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`."""
        query = select(MEMORIES).where(self._mine, MEMORIES.c.id == memory_id)
        query = query.where(MEMORIES.c.state != MemoryState.REMOVED)
        row = self._connection.execute(query.with_for_update() if lock else query).mappings().first()
        if row is None:
            msg = f"The store has no memory {memory_id!r}"
            raise NotFoundError(msg)
        return memory_from(row)

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return what was written since a mark.

        The mark is the oldest transaction that was still open: what it wrote may become visible later only. It is taken
        before the rows are read, so that nothing falls between.
        """
        mark = self._connection.execute(select(cast(cast(_OLDEST_OPEN, Text), BigInteger))).scalar_one()
        query = select(MEMORIES).where(self._mine)
        wanted = MEMORIES.c.state.in_(_SEARCHED) if since is None else MEMORIES.c.written_by >= since
        rows = self._connection.execute(query.where(wanted)).mappings().all()
        return ChangedMemories(
            memories=tuple(memory_from(row) for row in rows if row["state"] in _SEARCHED),
            gone=tuple(row["id"] for row in rows if row["state"] not in _SEARCHED),
            mark=int(mark),
        )

    def find_existing(self, ids: Collection[str]) -> set[str]:
        """Return which of these memories are still live or archived.

        The store is compared here: in the query, it would lead a database that has not analyzed the table yet, as after
        an import, to read the whole store (9 ms at 10,000 memories) instead of a few rows by their ids.
        """
        wanted = any_(bindparam("ids", list(ids), ARRAY(Text)))
        query = select(MEMORIES.c.id, MEMORIES.c.store_id).where(
            MEMORIES.c.tenant_id == self._tenant_id, MEMORIES.c.id == wanted, MEMORIES.c.state.in_(_SEARCHED)
        )
        return {found for found, store_id in self._connection.execute(query) if store_id == self._store_id}
