"""Pending merges of one store in PostgreSQL."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, func
from sqlalchemy.dialects.postgresql import insert

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.mapping import MERGES
from shared.core.tenants.store import PendingMerge

_FIND_OPEN = Prepared(
    "SELECT * FROM pending_merges WHERE tenant_id = %(tenant_id)s AND store_id = %(store_id)s"
    " ORDER BY created_at, source_path, target_path"
)


class PostgresPendingMergeRepository:
    """Implements `PendingMergeRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}
        self._mine: ColumnElement[bool] = (MERGES.c.tenant_id == tenant_id) & (MERGES.c.store_id == store_id)

    def find_open(self) -> list[PendingMerge]:
        """Return every suggestion, oldest first."""
        rows = _FIND_OPEN.find_all(self._connection, self._keys)
        return [PendingMerge(**{name: row[name] for name in _FIELDS}) for row in rows]

    def add(self, merges: Sequence[PendingMerge]) -> None:
        """Add suggestions; one that exists already is left as it is."""
        for merge in merges:
            # Not the time of the transaction: several that are added in one keep their order.
            values = self._keys | {name: getattr(merge, name) for name in _FIELDS}
            values["created_at"] = func.clock_timestamp()
            self._connection.execute(insert(MERGES).values(values).on_conflict_do_nothing())

    def remove(self, merges: Sequence[PendingMerge]) -> None:
        """Remove suggestions that were heard or withdrawn."""
        for merge in merges:
            self._connection.execute(delete(MERGES).where(self._this(merge)))

    def _this(self, merge: PendingMerge) -> ColumnElement[bool]:
        same: ColumnElement[bool] = MERGES.c.source_path == merge.source_path
        into: ColumnElement[bool] = MERGES.c.target_path == merge.target_path
        return self._mine & same & into


_FIELDS = ("source_path", "target_path", "reason", "suggested_by")
