"""Verdicts on the operations of a store, for the dreams after."""

from datetime import datetime

from sqlalchemy import Connection, Text, bindparam, func, literal_column, select
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
_RETIRED = func.jsonb_path_query_array(col(OperationRow.changes), literal_column("'$[*] ? (@.type == \"retire\")'"))
_COUNT_UNREVIEWED = select(func.coalesce(func.sum(func.jsonb_array_length(_RETIRED)), 0)).where(
    _OF_STORE,
    col(OperationRow.review) == literal_column("'pending'"),
    col(OperationRow.state) == OperationState.APPLIED,
    col(OperationRow.created_at) >= bindparam("since"),
    col(OperationRow.dream_id) != bindparam("besides"),
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

    def count_unreviewed(self, since: datetime, *, besides: str) -> int:
        """Return how many memories other dreams have hidden since then, and no person has reviewed."""
        values = self._keys | {"since": since, "besides": besides}
        return int(fetch_tuples(self._connection, _COUNT_UNREVIEWED, values)[0][0])
