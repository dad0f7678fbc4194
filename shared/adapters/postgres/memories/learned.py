"""Queries for the learning of a tenant's memories: a week's operations, new memories, recalls."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from sqlalchemy import INTEGER, Connection, Select, Text, any_, bindparam, func, literal_column, or_, select
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, OperationRow
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, Moment, StoreRow
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.ports.tenants import OperationExample, OperationsOfKind, Recalls, ToldMemory

_TENANT, _LIMIT = bindparam("tenant", type_=Text), bindparam("limit", type_=INTEGER)
_SINCE, _UNTIL = bindparam("since", type_=Moment), bindparam("until", type_=Moment)
_REASON_CHARS = 200
_IS_LIVE = col(MemoryRow.state) == literal_column("'live'")
_IS_DONE = or_(col(OperationRow.state) == OperationState.APPLIED, col(OperationRow.kind) == OperationKind.FLAG)
# A dream is found by its store and its time, its operations by the dream: there is no index of operations by time. The
# stores are a list and not a join: of one store, PostgreSQL would compare each operation with each dream.
_STORES = func.array(select(col(StoreRow.id)).where(col(StoreRow.tenant_id) == _TENANT).scalar_subquery())


def _done(*columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - what is selected
    """Return the query for the operations of the dreams in a time span."""
    return (
        select(*columns)
        .select_from(DreamRow)
        .join(OperationRow, (col(OperationRow.dream_id) == col(DreamRow.id)) & (col(OperationRow.tenant_id) == _TENANT))
        .where(
            col(DreamRow.tenant_id) == _TENANT,
            col(DreamRow.store_id) == any_(_STORES),
            col(DreamRow.created_at) >= _SINCE,
            col(DreamRow.created_at) < _UNTIL,
            col(DreamRow.is_dry_run).is_(False),
            _IS_DONE,
        )
    )


_KIND = col(OperationRow.kind)
_COUNT_DEEDS = (
    _done(_KIND, func.count(), func.sum(func.jsonb_array_length(col(OperationRow.effects))))
    .group_by(_KIND)
    .order_by(_KIND)
)
_OF_TIME = _done(
    col(OperationRow.id),
    func.row_number()
    .over(partition_by=_KIND, order_by=(col(OperationRow.created_at).desc(), col(OperationRow.id)))
    .label("place"),
).subquery()
_EXAMPLES = (
    select(
        *map(col, (OperationRow.id, OperationRow.kind)),
        col(StoreRow.name).label("store"),
        func.left(col(OperationRow.reason), _REASON_CHARS).label("reason"),
        func.coalesce(
            col(OperationRow.effects).op("#>>")(literal_column("'{0,after,path}'")),
            col(OperationRow.changes).op("#>>")(literal_column("'{0,path}'")),
            "",
        ).label("path"),
    )
    .join(_OF_TIME, _OF_TIME.c.id == col(OperationRow.id))
    .join(StoreRow, col(StoreRow.id) == col(OperationRow.store_id))
    .where(col(OperationRow.tenant_id) == _TENANT, col(StoreRow.tenant_id) == _TENANT, _OF_TIME.c.place <= _LIMIT)
    .order_by(col(OperationRow.kind), _OF_TIME.c.place)
)
_IS_NEW = (
    (col(MemoryVersionRow.tenant_id) == _TENANT)
    & (col(MemoryVersionRow.created_at) >= _SINCE)
    & (col(MemoryVersionRow.created_at) < _UNTIL)
    & (col(MemoryVersionRow.version) == 1)
)
# Generated files have no such hash: an index is not new knowledge.
_IS_KNOWLEDGE = (
    (col(MemoryRow.id) == col(MemoryVersionRow.memory_id))
    & (col(MemoryRow.tenant_id) == _TENANT)
    & (col(MemoryRow.fold_hash) != literal_column("''"))
)
_COUNT_NEW = select(func.count()).select_from(
    select(literal_column("1"))
    .select_from(MemoryVersionRow)
    .join(MemoryRow, _IS_KNOWLEDGE)
    .where(_IS_NEW)
    .limit(_LIMIT)
    .subquery()
)
_TOLD = (*map(col, (MemoryRow.id, MemoryRow.path, MemoryRow.title)), col(StoreRow.name).label("store"))
_IN_STORE = (col(StoreRow.id) == col(MemoryRow.store_id)) & (col(StoreRow.tenant_id) == _TENANT)
_NEW = (
    select(*_TOLD)
    .select_from(MemoryVersionRow)
    .join(MemoryRow, _IS_KNOWLEDGE)
    .join(StoreRow, _IN_STORE)
    .where(_IS_NEW, _IS_LIVE)
    .order_by(col(MemoryVersionRow.created_at).desc())
    .limit(_LIMIT)
)
# As the index of recalled memories says it.
_IS_RECALLED = (col(MemoryRow.tenant_id) == _TENANT) & _IS_LIVE & (col(MemoryRow.access_count) > literal_column("0"))
_MOST_RECALLED = (
    select(col(MemoryRow.id)).where(_IS_RECALLED).order_by(col(MemoryRow.access_count).desc()).limit(_LIMIT).subquery()
)
_RECALLED = (
    select(*_TOLD, col(MemoryRow.access_count).label("times"))
    .select_from(_MOST_RECALLED)
    .join(MemoryRow, (col(MemoryRow.id) == _MOST_RECALLED.c.id) & (col(MemoryRow.tenant_id) == _TENANT))
    .join(StoreRow, _IN_STORE)
    .order_by(col(MemoryRow.access_count).desc(), col(MemoryRow.path))
)
_COUNT_RECALLED = select(func.count()).select_from(MemoryRow).where(_IS_RECALLED)
_COUNT_LIVE = (
    select(func.count())
    .select_from(StoreRow)
    .join(MemoryRow, (col(MemoryRow.store_id) == col(StoreRow.id)) & (col(MemoryRow.tenant_id) == _TENANT))
    .where(col(StoreRow.tenant_id) == _TENANT, _IS_LIVE)
)


class PostgresLearnedRepository:
    """Implements `LearnedRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant = {"tenant": tenant_id}

    def find_deeds(self, since: datetime, until: datetime, *, examples: int) -> list[OperationsOfKind]:
        """Return the operations of dreams in a period, by kind: applied ones, and those flagged for a person."""
        asked: dict[str, Any] = self._tenant | {"since": since, "until": until}
        found: dict[str, list[OperationExample]] = defaultdict(list)
        for row in fetch(self._connection, _EXAMPLES, asked | {"limit": examples}):
            found[row["kind"]].append(
                OperationExample(operation_id=row["id"], store=row["store"], path=row["path"], reason=row["reason"])
            )
        return [
            OperationsOfKind(
                kind=OperationKind(kind), number=number, memories=int(memories), examples=tuple(found[kind])
            )
            for kind, number, memories in fetch_tuples(self._connection, _COUNT_DEEDS, asked)
        ]

    def count_new(self, since: datetime, until: datetime, *, most: int) -> int:
        """Return the number of new memories in a period, at most `most`."""
        asked: dict[str, Any] = self._tenant | {"since": since, "until": until, "limit": most}
        return int(fetch_tuples(self._connection, _COUNT_NEW, asked)[0][0])

    def find_new(self, since: datetime, until: datetime, *, limit: int) -> list[ToldMemory]:
        """Return the newest new memories that are still live."""
        asked: dict[str, Any] = self._tenant | {"since": since, "until": until, "limit": limit}
        return [_told_from(row) for row in fetch(self._connection, _NEW, asked)]

    def find_recalls(self, *, limit: int) -> Recalls:
        """Return the most recalled memories, and the number of memories that were never recalled."""
        live = int(fetch_tuples(self._connection, _COUNT_LIVE, self._tenant)[0][0])
        recalled = int(fetch_tuples(self._connection, _COUNT_RECALLED, self._tenant)[0][0])
        most = tuple(_told_from(row) for row in fetch(self._connection, _RECALLED, self._tenant | {"limit": limit}))
        return Recalls(live=live, never=live - recalled, most=most)


def _told_from(row: Row) -> ToldMemory:
    return ToldMemory(**row)
