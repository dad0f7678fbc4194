"""Pending merges of one store: suggestions that no dream has taken up or rejected yet."""

from collections.abc import Sequence

from sqlalchemy import Connection, Text, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, execute, fetch
from shared.adapters.postgres.tables.stores import PendingMergeRow
from shared.core.tenants.store import PendingMerge

_FIELDS = ("source_path", "target_path", "reason", "suggested_by")
_TENANT, _STORE, _SOURCE, _TARGET = (bindparam(name, type_=Text) for name in ("tenant", "store", "source", "target"))
_MINE = (col(PendingMergeRow.tenant_id) == _TENANT) & (col(PendingMergeRow.store_id) == _STORE)
_FIND_OPEN = Fixed(
    "merges.find_open",
    select(PendingMergeRow)
    .where(_MINE)
    .order_by(col(PendingMergeRow.created_at), col(PendingMergeRow.source_path), col(PendingMergeRow.target_path)),
    reason="5 times a dream",
)
# Not the time of the transaction: suggestions that are added in one transaction keep their order.
_ADD = (
    insert(PendingMergeRow)
    .values(
        tenant_id=_TENANT,
        store_id=_STORE,
        source_path=_SOURCE,
        target_path=_TARGET,
        reason=bindparam("why"),
        suggested_by=bindparam("by"),
        created_at=func.clock_timestamp(),
    )
    .on_conflict_do_nothing()
)
_REMOVE = delete(PendingMergeRow).where(
    _MINE, col(PendingMergeRow.source_path) == _SOURCE, col(PendingMergeRow.target_path) == _TARGET
)


class PostgresPendingMergeRepository:
    """Implements `PendingMergeRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_open(self) -> list[PendingMerge]:
        """Return every suggestion, oldest first."""
        rows = fetch(self._connection, _FIND_OPEN, self._keys)
        return [PendingMerge(**{name: row[name] for name in _FIELDS}) for row in rows]

    def add(self, merges: Sequence[PendingMerge]) -> None:
        """Add suggestions; one that exists already is left as it is."""
        for merge in merges:
            values = {"source": merge.source_path, "target": merge.target_path}
            execute(self._connection, _ADD, self._keys | values | {"why": merge.reason, "by": merge.suggested_by})

    def remove(self, merges: Sequence[PendingMerge]) -> None:
        """Remove suggestions that were considered or withdrawn."""
        for merge in merges:
            values = {"source": merge.source_path, "target": merge.target_path}
            execute(self._connection, _REMOVE, self._keys | values)
