"""Verdicts on the operations of a store, for the dreams after."""

from datetime import datetime

from sqlalchemy import Connection, Text, bindparam, literal_column, select
from sqlmodel import col

from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.dreams import OperationRow
from shared.core.dream.model import OperationState

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_OF_STORE = (col(OperationRow.tenant_id) == _TENANT) & (col(OperationRow.store_id) == _STORE)
_FIND_RETIRING = select(col(OperationRow.changes)).where(
    _OF_STORE,
    col(OperationRow.kind) == literal_column("'RETIRE'"),
    col(OperationRow.state) == OperationState.APPLIED,
    col(OperationRow.created_at) >= bindparam("since"),
)


class PostgresVerdictRepository:
    """Implements `VerdictRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_successors(self, since: datetime) -> list[str]:
        """Return the ids of memories for which others were retired since then."""
        found = fetch_tuples(self._connection, _FIND_RETIRING, self._keys | {"since": since})
        return [change["successor_id"] for (changes,) in found for change in changes if change.get("successor_id")]
