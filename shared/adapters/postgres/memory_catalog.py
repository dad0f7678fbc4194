"""Pages of a store's memories in PostgreSQL."""

from sqlalchemy import Connection, func, select

from shared.adapters.postgres.mapping import HEAD_COLUMNS, MEMORIES, head_from, memory_from
from shared.core.errors import NotFoundError
from shared.core.memory import Memory, MemoryHead, MemoryState


class PostgresMemoryCatalog:
    """Implements `MemoryCatalog` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
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
