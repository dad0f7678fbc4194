"""Purging in PostgreSQL: functions of a role of its own, since the application role may delete next to nothing."""

from datetime import datetime

from sqlalchemy import Boolean, Connection, Integer, Text, bindparam, func, select
from sqlmodel import col

from shared.adapters.postgres.sql.statements import fetch, fetch_tuples
from shared.adapters.postgres.tables.stores import Moment, StoreRow, TenantRow
from shared.core.errors import NotFoundError

#: The rules by which rows go once newer ones have replaced them.
_REPLACED = frozenset({"exams", "directives"})
_LOCK_TENANT = (
    select(col(TenantRow.id)).where(col(TenantRow.id) == func.current_setting("slowwave.tenant_id")).with_for_update()
)
_LOCK_STORE = (
    select(col(StoreRow.id))
    .where(
        col(StoreRow.tenant_id) == func.current_setting("slowwave.tenant_id"), col(StoreRow.id) == bindparam("store")
    )
    .with_for_update()
)
_ERASE = select(func.slowwave_erase_tenant(bindparam("actor", type_=Text)).table_valued("table_name", "deleted"))

_DELETE_SESSION = select(func.slowwave_delete_session(bindparam("session", type_=Text)))
_DELETE_STORE = select(func.slowwave_delete_store(bindparam("store", type_=Text)).table_valued("table_name", "deleted"))


class PostgresPurgeRepository:
    """Implements `PurgeRepository`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def erase_tenant(self, actor: str) -> dict[str, int]:
        """Delete the tenant of this transaction and every row of its; return the rows deleted by table."""
        # No other transaction may add a row that refers to the tenant while one table after the other is emptied.
        fetch(self._connection, _LOCK_TENANT)
        rows = fetch(self._connection, _ERASE, {"actor": actor})
        return {row["table_name"]: row["deleted"] for row in rows}

    def delete_session(self, session_id: str) -> int:
        """Delete a session; return the number of its events. Raises NotFoundError."""
        ((events,),) = fetch_tuples(self._connection, _DELETE_SESSION, {"session": session_id})
        if events is None:
            msg = f"There is no session {session_id!r}"
            raise NotFoundError(msg)
        return int(events)

    def delete_store(self, store_id: str) -> dict[str, int]:
        """Delete a store with everything in it; return the rows deleted by table."""
        # No other transaction may add a row that refers to the store while one table after the other is emptied.
        fetch(self._connection, _LOCK_STORE, {"store": store_id})
        rows = fetch(self._connection, _DELETE_STORE, {"store": store_id})
        return {row["table_name"]: row["deleted"] for row in rows}

    def purge_aged(self, rule: str, *, before: datetime, undo_since: datetime, limit: int, dry_run: bool) -> int:
        """Purge at most `limit` rows of a retention rule that are older than `before`; return how many."""
        function = func.slowwave_purge_replaced if rule in _REPLACED else func.slowwave_purge_aged
        arguments = (
            bindparam("rule", rule, Text),
            bindparam("before", before, Moment),
            bindparam("undo_since", undo_since, Moment),
            bindparam("limit", limit, Integer),
            bindparam("dry_run", dry_run, Boolean),
        )
        ((purged,),) = fetch_tuples(self._connection, select(function(*arguments)))
        return int(purged)
