"""The log of a store's searches in PostgreSQL: by functions of a role of its own, since the application has no right on the table."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Integer, Text, bindparam, func, or_, select
from sqlalchemy.dialects.postgresql import JSONB

from shared.adapters.postgres.sql.statements import fetch
from shared.adapters.postgres.tables.sessions import rows_of_search_log
from shared.ports.evidence.search_log import MOST_ROWS, MOST_SHOWN, AskedSearch, Outcome, Searched, WasRead, WasTold

_STORE = bindparam("store", type_=Text)
_WRITE = select(
    func.slowwave_write_searches(
        _STORE,
        bindparam("searches", type_=JSONB),
        bindparam("reads", type_=JSONB),
        bindparam("told", type_=JSONB),
        bindparam("most", type_=Integer),
    )
)
_LOG = rows_of_search_log(_STORE)
_FIND_ASKED = (
    select(_LOG.c.id, _LOG.c.query, _LOG.c.shown, _LOG.c.read_ids, _LOG.c.outcome, _LOG.c.asked_at)
    .where(or_(func.cardinality(_LOG.c.read_ids) > 0, _LOG.c.outcome != Outcome.UNKNOWN))
    .order_by(_LOG.c.week.desc(), _LOG.c.keep)
    .limit(bindparam("limit", type_=Integer))
)


class PostgresSearchLogWriter:
    """Implements `SearchLogWriter` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, store_id: str) -> None:
        self._connection = connection
        self._store_id = store_id

    def write(
        self, searches: Sequence[tuple[str, Searched]], reads: Sequence[WasRead], told: Sequence[WasTold]
    ) -> None:
        """Add searches, note reads and outcomes with theirs, and drop what is too much."""
        values = {
            "store": self._store_id,
            "searches": [_search(search_id, one) for search_id, one in searches],
            "reads": [{"key_id": one.key_id, "memory_id": one.memory_id, "at": one.at.isoformat()} for one in reads],
            "told": [{"memory_id": one.memory, "outcome": one.outcome, "at": one.at.isoformat()} for one in told],
            "most": MOST_ROWS,
        }
        fetch(self._connection, _WRITE, values)


def _search(search_id: str, one: Searched) -> dict[str, Any]:
    return {
        "id": search_id,
        "key_id": one.key_id,
        "at": one.at.isoformat(),
        "surface": one.surface,
        "query": one.query,
        "shown": list(one.shown[:MOST_SHOWN]),
    }


def find_asked(connection: Connection, store_id: str, limit: int) -> list[AskedSearch]:
    """Return the searches of a store after which something was read or told, those of the newest weeks first."""
    rows = fetch(connection, _FIND_ASKED, {"store": store_id, "limit": limit})
    return [
        AskedSearch(
            id=row["id"],
            query=row["query"],
            shown=tuple(row["shown"]),
            read=tuple(row["read_ids"]),
            outcome=Outcome(row["outcome"]),
            asked_at=row["asked_at"],
        )
        for row in rows
    ]
