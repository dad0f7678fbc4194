"""Vectors of one store's live memories. A trigger deletes a vector when its memory is retired or its text changes."""

from collections.abc import Collection, Sequence

from sqlalchemy import BigInteger, ColumnElement, Connection, LargeBinary, Text, any_, bindparam, exists, func, select
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlmodel import col

from shared.adapters.postgres.memories.rows import IS_LIVE, OF_STORE
from shared.adapters.postgres.sql.statements import execute, fetch_tuples
from shared.adapters.postgres.sql.store_lock import lock_store
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVectorRow
from shared.core.search.vectors import READ_CHARS, embedded_text
from shared.ports.embedder import NewVector, TextWithoutVector, WrittenVectors

_TENANT, _STORE, _MODEL = (bindparam(name, type_=Text) for name in ("tenant", "store", "model"))
_IDS = bindparam("ids", type_=ARRAY(Text))
_OF_MODEL: ColumnElement[bool] = (
    (col(MemoryVectorRow.tenant_id) == _TENANT)
    & (col(MemoryVectorRow.store_id) == _STORE)
    & (col(MemoryVectorRow.model) == _MODEL)
)
_HAS_VECTOR = exists().where(_OF_MODEL, col(MemoryVectorRow.memory_id) == col(MemoryRow.id))
# Generated files, and texts that say nothing, have no hash for exact duplicates.
_SAYS_SOMETHING = col(MemoryRow.fold_hash) != ""
_FIND_MISSING = (
    select(
        col(MemoryRow.id),
        col(MemoryRow.content_hash),
        func.left(col(MemoryRow.content), bindparam("chars", READ_CHARS)),
    )
    .where(OF_STORE, IS_LIVE, _SAYS_SOMETHING, ~_HAS_VECTOR, ~(col(MemoryRow.id) == any_(_IDS)))
    .order_by(col(MemoryRow.is_dirty).desc(), col(MemoryRow.updated_at).desc(), col(MemoryRow.id))
    .limit(bindparam("limit"))
)
_NEW = (
    func.unnest(
        _IDS,
        bindparam("hashes", type_=ARRAY(Text)),
        bindparam("vectors", type_=ARRAY(LargeBinary)),
    )
    .table_valued("id", "content_hash", "vector", name="new")
    .render_derived()
)
_SAVE = insert(MemoryVectorRow).from_select(
    ["tenant_id", "memory_id", "store_id", "model", "content_hash", "vector"],
    select(
        col(MemoryRow.tenant_id), col(MemoryRow.id), col(MemoryRow.store_id), _MODEL, _NEW.c.content_hash, _NEW.c.vector
    )
    .join(_NEW, (col(MemoryRow.id) == _NEW.c.id) & (col(MemoryRow.content_hash) == _NEW.c.content_hash))
    .where(OF_STORE, IS_LIVE),
)
_SAVE_OVER = _SAVE.on_conflict_do_update(
    index_elements=["tenant_id", "memory_id"],
    set_={name: _SAVE.excluded[name] for name in ("model", "content_hash", "vector")},
)
_MARK = (select(func.pg_snapshot_xmin(func.pg_current_snapshot()).cast(Text).cast(BigInteger).label("mark"))).subquery(
    "snapshot"
)
_FIND_ALL = (
    select(_MARK.c.mark, col(MemoryVectorRow.memory_id), col(MemoryVectorRow.vector))
    .select_from(_MARK)
    .outerjoin(MemoryVectorRow, _OF_MODEL)
    .order_by(col(MemoryVectorRow.written_by), col(MemoryVectorRow.memory_id))
)
_FIND_WRITTEN = (
    select(_MARK.c.mark, col(MemoryVectorRow.memory_id), col(MemoryVectorRow.vector))
    .select_from(_MARK)
    .outerjoin(MemoryVectorRow, _OF_MODEL & (col(MemoryVectorRow.written_by) >= bindparam("since", type_=BigInteger)))
)
_FIND_KEPT = select(col(MemoryVectorRow.memory_id)).where(
    col(MemoryVectorRow.tenant_id) == _TENANT,
    col(MemoryVectorRow.memory_id) == any_(_IDS),
    col(MemoryVectorRow.store_id) == _STORE,
    col(MemoryVectorRow.model) == _MODEL,
)


class PostgresVectorRepository:
    """Implements `VectorRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_missing(self, model: str, limit: int, besides: Collection[str] = ()) -> list[TextWithoutVector]:
        """Return live memories that have no vector of this model, the changed ones first, then the newest."""
        values = self._keys | {"model": model, "limit": limit, "ids": list(besides)}
        return [
            TextWithoutVector(memory_id=memory_id, content_hash=content_hash, text=embedded_text(beginning))
            for memory_id, content_hash, beginning in fetch_tuples(self._connection, _FIND_MISSING, values)
        ]

    def save(self, model: str, vectors: Sequence[NewVector]) -> int:
        """Store vectors whose memories still have the embedded text; return how many."""
        if not vectors:
            return 0
        # In turn with all writers of the store, so that no change of a text slips in between and leaves its vector behind.
        lock_store(self._connection, self._keys["store"])
        values = {
            "ids": [one.memory_id for one in vectors],
            "hashes": [one.content_hash for one in vectors],
            "vectors": [one.vector for one in vectors],
        }
        return execute(self._connection, _SAVE_OVER, self._keys | values | {"model": model})

    def find_written(self, model: str, since: int | None) -> WrittenVectors:
        """Return the vectors of a model that were written since a mark, or all of them, the last ones at the end.

        The mark is the oldest transaction that was still open: what it wrote may become visible later only.
        """
        values = self._keys | {"model": model}
        if since is None:
            rows = fetch_tuples(self._connection, _FIND_ALL, values)
        else:
            rows = fetch_tuples(self._connection, _FIND_WRITTEN, values | {"since": since})
        found = {memory_id: bytes(vector) for _, memory_id, vector in rows if memory_id is not None}
        return WrittenVectors(vectors=found, mark=int(rows[0][0]))

    def find_kept(self, model: str, ids: Collection[str]) -> set[str]:
        """Return those of these memories that have a vector of this model."""
        if not ids:
            return set()
        rows = fetch_tuples(self._connection, _FIND_KEPT, self._keys | {"model": model, "ids": list(ids)})
        return {memory_id for (memory_id,) in rows}
