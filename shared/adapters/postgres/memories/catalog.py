"""Memories of one store, read by page, by id, or for a search."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    INTEGER,
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    ScalarSelect,
    Select,
    Text,
    any_,
    bindparam,
    case,
    func,
    literal_column,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.memories.rows import (
    FOUND_COLUMNS,
    HEAD_COLUMNS,
    IS_LIVE,
    MEMORY_COLUMNS,
    OF_STORE,
    found_from,
    head_from,
    memory_from,
)
from shared.adapters.postgres.sql.statements import Fixed, fetch_tuples
from shared.adapters.postgres.sql.store_lock import lock_store
from shared.adapters.postgres.sql.transactions import ask_as
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, StoreRow, TenantRow
from shared.core.errors import NotFoundError
from shared.core.memory.expiry import has_expired
from shared.core.memory.model import Memory, MemoryHead, MemoryState
from shared.core.trust.hidden import LEAST_RANK, is_shown, rank_of
from shared.core.upkeep.due import local_date
from shared.ports.memories import ChangedMemories, Found, SearchedText, VersionToTakeBack

_SEARCHED = (MemoryState.LIVE, MemoryState.ARCHIVED)
_ID = bindparam("memory", type_=Text)
_IDS = bindparam("ids", type_=ARRAY(Text))
_IS_THERE = col(MemoryRow.state) != MemoryState.REMOVED
_IS_SEARCHED = col(MemoryRow.state).in_(_SEARCHED)
_PAGE = (
    select(*HEAD_COLUMNS)
    .where(OF_STORE, IS_LIVE, col(MemoryRow.path) > bindparam("after_path", type_=Text))
    .order_by(col(MemoryRow.path))
    .limit(bindparam("limit"))
)
_ONE = select(*MEMORY_COLUMNS).where(OF_STORE, col(MemoryRow.id) == _ID, _IS_THERE)
_GET = Fixed("catalog.get", _ONE, reason="with each request for one memory")
_LOCK = Fixed("catalog.lock", _ONE.with_for_update(), reason="with each request that writes one memory")
_FIND_ONE = Fixed(
    "catalog.find_memory",
    select(*MEMORY_COLUMNS, col(StoreRow.overrides)[LEAST_RANK].astext)
    .join(
        StoreRow,
        (col(StoreRow.tenant_id) == col(MemoryRow.tenant_id)) & (col(StoreRow.id) == col(MemoryRow.store_id)),
    )
    .where(
        col(StoreRow.tenant_id) == bindparam("tenant"),
        col(StoreRow.name) == bindparam("store_name"),
        col(MemoryRow.id) == _ID,
        _IS_THERE,
    ),
    reason="with each request for one memory, in one message with its tenant",
)
_RETIRED = col(MemoryRow.state).in_([MemoryState.ARCHIVED, MemoryState.SUPERSEDED])
_FIND_RETIRED_AT = (
    select(*MEMORY_COLUMNS)
    .where(OF_STORE, col(MemoryRow.path) == bindparam("path"), _RETIRED)
    .order_by(col(MemoryRow.updated_at).desc(), col(MemoryRow.id).desc())
    .limit(1)
)
_RETIRED_PAGE = (
    select(*MEMORY_COLUMNS)
    .where(OF_STORE, col(MemoryRow.state) == bindparam("of_state"), col(MemoryRow.id) > bindparam("after_id"))
    .order_by(col(MemoryRow.id))
    .limit(bindparam("limit"))
)
_FIND_PATHS = (
    select(col(MemoryRow.id), col(MemoryRow.path))
    .where(OF_STORE, IS_LIVE, func.starts_with(col(MemoryRow.path), bindparam("prefix", type_=Text)))
    .order_by(col(MemoryRow.path))
)
_FIND_SOURCES = (
    select(col(MemoryRow.id), col(MemoryRow.path))
    .where(OF_STORE, col(MemoryRow.superseded_by) == _ID, _IS_THERE)
    .order_by(col(MemoryRow.path), col(MemoryRow.id))
    .limit(bindparam("limit"))
)
_FIND_HITS = Fixed(
    "catalog.find_hits",
    select(col(MemoryRow.store_id), *FOUND_COLUMNS).where(
        col(MemoryRow.tenant_id) == bindparam("tenant"), col(MemoryRow.id) == any_(_IDS), _IS_SEARCHED
    ),
    reason="with each search",
)

#: Asked only where a hit names its last day: few do.
_CLOCK = select(col(TenantRow.time_zone), func.now()).where(col(TenantRow.id) == bindparam("tenant"))


def _marked(condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for texts to search, each row with the mark that `find_changed` explains."""
    # Of the same snapshot as the rows, which therefore include all older transactions.
    oldest = func.pg_snapshot_xmin(func.pg_current_snapshot()).cast(Text).cast(BigInteger)
    mark = select(oldest.label("mark")).subquery("snapshot")
    text = case((IS_LIVE, col(MemoryRow.content)), else_=col(MemoryRow.stub))
    columns = (MemoryRow.id, MemoryRow.version, MemoryRow.path, MemoryRow.state)
    return select(mark.c.mark, *map(col, columns), text).select_from(mark).outerjoin(MemoryRow, OF_STORE & condition)


_FIND_EVERYTHING = _marked(_IS_SEARCHED)
_FIND_CHANGED = Fixed(
    "catalog.find_changed",
    _marked(col(MemoryRow.written_by) >= bindparam("since", type_=BigInteger)),
    reason="with each search",
)


def _merged_since() -> Select[*tuple[Any, ...]]:
    wanted = (
        func.unnest(
            _IDS,
            bindparam("numbers", type_=ARRAY(INTEGER)),
            bindparam("operations", type_=ARRAY(Text)),
            bindparam("restored", type_=ARRAY(INTEGER)),
        )
        .table_valued("id", "version", "operation", "restored", name="wanted")
        .render_derived()
    )
    into_it = aliased(MemoryVersionRow, name="into_it")
    # A memory's last version is the one that retired it. Moments are those of transactions, so operations tell the rest.
    retired = aliased(MemoryVersionRow, name="retired")
    retired_at = func.coalesce(col(retired.created_at), literal_column("'infinity'::timestamptz"))
    written_at = func.coalesce(col(into_it.created_at), literal_column("'-infinity'::timestamptz"))
    retired_by = func.coalesce(col(retired.operation_id), "")
    coming = aliased(MemoryVersionRow, name="coming")
    return (
        select(col(MemoryRow.superseded_by), func.min(col(MemoryRow.path)))
        .join(wanted, col(MemoryRow.superseded_by) == wanted.c.id)
        .outerjoin(into_it, (col(into_it.memory_id) == wanted.c.id) & (col(into_it.version) == wanted.c.version))
        .outerjoin(
            retired, (col(retired.memory_id) == col(MemoryRow.id)) & (col(retired.version) == col(MemoryRow.version))
        )
        .outerjoin(coming, (col(coming.memory_id) == wanted.c.id) & (col(coming.version) == wanted.c.restored))
        .where(
            OF_STORE,
            _RETIRED,
            retired_by != wanted.c.operation,
            (retired_by == "") | (retired_by != func.coalesce(_retired_by_then(coming), "")),
            tuple_(retired_at, retired_by) > tuple_(written_at, wanted.c.operation),
        )
        .group_by(col(MemoryRow.superseded_by))
    )


def _retired_by_then(moment: type[MemoryVersionRow]) -> ScalarSelect[Any]:
    """Ask which operation had retired a memory when a version was written.

    A merge that was undone and redone has retired it twice. What counts is whether the text of that version knew of it.
    """
    earlier = aliased(MemoryVersionRow, name="earlier")
    return (
        select(case((col(earlier.state) == MemoryState.SUPERSEDED, col(earlier.operation_id))))
        .where(col(earlier.memory_id) == col(MemoryRow.id), col(earlier.created_at) <= col(moment.created_at))
        .order_by(col(earlier.version).desc())
        .limit(1)
        .scalar_subquery()
    )


_FIND_MERGED_SINCE = _merged_since()


def find_memory(
    engine: Engine, tenant_id: str, store_name: str, memory_id: str, *, for_agents: bool = False
) -> Memory | None:
    """Return a memory of a store by its id, in any state but `removed`, in one message to the database."""
    row = ask_as(engine, tenant_id, _FIND_ONE, {"tenant": tenant_id, "store_name": store_name, "memory": memory_id})
    if row is None:
        return None
    *columns, least = row
    memory = memory_from(tuple(columns))
    if not (for_agents and least):
        return memory
    is_live, trust = memory.state is MemoryState.LIVE, memory.writers.lowest.rank
    return memory if is_shown(memory.path, trust, rank_of(least), is_live=is_live) else None


class PostgresMemoryCatalogRepository:
    """Implements `MemoryCatalogRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text, in the order of their paths."""
        query = _PAGE.where(func.starts_with(col(MemoryRow.path), prefix)) if prefix else _PAGE
        rows = fetch_tuples(self._connection, query, self._keys | {"after_path": after_path, "limit": limit})
        return [head_from(row) for row in rows]

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock`, hold it and the store's lock."""
        if lock:
            lock_store(self._connection, self._keys["store"])
        rows = fetch_tuples(self._connection, _LOCK if lock else _GET, self._keys | {"memory": memory_id})
        if not rows:
            msg = f"The store has no memory {memory_id!r}"
            raise NotFoundError(msg)
        return memory_from(rows[0])

    def find_retired_at(self, path: str) -> Memory | None:
        """Return the archived or superseded memory that was retired last from a path."""
        rows = fetch_tuples(self._connection, _FIND_RETIRED_AT, self._keys | {"path": path})
        return memory_from(rows[0]) if rows else None

    def find_retired_page(self, *, state: MemoryState, after_id: str, limit: int) -> list[Memory]:
        """Return archived or superseded memories by id, after `after_id`."""
        values = self._keys | {"of_state": state, "after_id": after_id, "limit": limit}
        return [memory_from(row) for row in fetch_tuples(self._connection, _RETIRED_PAGE, values)]

    def find_paths(self, prefix: str) -> list[tuple[str, str]]:
        """Return (id, path) of the live memories whose path begins with `prefix`, by path."""
        rows = fetch_tuples(self._connection, _FIND_PATHS, self._keys | {"prefix": prefix})
        return [(memory_id, path) for memory_id, path in rows]

    def find_sources(self, memory_id: str, limit: int) -> list[tuple[str, str]]:
        """Return (id, path) of memories whose knowledge went into this one, by path."""
        rows = fetch_tuples(self._connection, _FIND_SOURCES, self._keys | {"memory": memory_id, "limit": limit})
        return [(source_id, path) for source_id, path in rows]

    def find_merged_since(self, takings: Mapping[str, VersionToTakeBack]) -> dict[str, str]:
        """Return by id a path of the memories that were merged into a memory after a version of it and are still retired."""
        if not takings:
            return {}
        asked = {
            "ids": list(takings),
            "numbers": [one.version for one in takings.values()],
            "operations": [one.operation for one in takings.values()],
            "restored": [one.restored for one in takings.values()],
        }
        return dict(fetch_tuples(self._connection, _FIND_MERGED_SINCE, self._keys | asked))

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return the memories that were written since a mark.

        The mark is the oldest transaction that was still open: what it wrote may become visible later only.
        """
        if since is None:
            rows = fetch_tuples(self._connection, _FIND_EVERYTHING, self._keys)
        else:
            rows = fetch_tuples(self._connection, _FIND_CHANGED, self._keys | {"since": since})
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
        """Return by id those of these memories that are still live or archived and have not expired.

        The store is compared here: in the query, it would lead a database that has not analyzed the table yet, as after
        an import, to read the whole store (9 ms at 10,000 memories) instead of a few rows by their ids.
        """
        rows = fetch_tuples(self._connection, _FIND_HITS, {"tenant": self._keys["tenant"], "ids": list(ids)})
        found = (found_from(row[1:]) for row in rows if row[0] == self._keys["store"])
        known = {one.memory_id: one for one in found}
        if all(one.expires is None for one in known.values()):
            return known
        zone, now = fetch_tuples(self._connection, _CLOCK, {"tenant": self._keys["tenant"]})[0]
        today = local_date(now, zone)
        return {key: one for key, one in known.items() if not has_expired(one.expires, today)}
