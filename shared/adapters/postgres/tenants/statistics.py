"""Counts of one tenant in PostgreSQL. What is counted per day is bounded by the rows of those days."""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Date,
    Integer,
    SQLColumnExpression,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    select,
)
from sqlalchemy.orm import aliased
from sqlmodel import SQLModel, col

from shared.adapters.postgres.sql.statements import fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow, OperationRow
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, StoreRow
from shared.ports.tenants import CountsNow, Day, StoreCounts

_TENANT, _STORE, _DAYS = (
    bindparam("tenant", type_=Text),
    bindparam("store", type_=Text),
    bindparam("days", type_=Integer),
)
_LIVE: ColumnElement[str] = literal_column("'live'")
_PENDING = col(OperationRow.review) == literal_column("'pending'")
_IS_OF_STORE = (col(MemoryRow.store_id) == col(StoreRow.id)) & (col(MemoryRow.state) == _LIVE)
_UTC: ColumnElement[str] = literal_column("'UTC'")
_SINCE = func.date_trunc("day", func.now(), _UTC) - func.make_interval(0, 0, 0, _DAYS - 1)
_TODAY = select(cast(func.timezone(_UTC, func.now()), Date))


def _count(row: type[SQLModel], tenant_id: SQLColumnExpression[str], *conditions: SQLColumnExpression[bool]) -> Any:  # noqa: ANN401 - a scalar subquery
    return select(func.count()).select_from(row).where(tenant_id == _TENANT, *conditions).scalar_subquery()


def _count_stores(*conditions: SQLColumnExpression[bool]) -> Any:  # noqa: ANN401 - as above
    return _count(StoreRow, col(StoreRow.tenant_id), *conditions)


def _count_dreams(state: str) -> Any:  # noqa: ANN401 - as above
    is_active = col(DreamRow.state).in_([literal_column("'queued'"), literal_column("'running'")])  # as the index says
    return _count(DreamRow, col(DreamRow.tenant_id), col(DreamRow.state) == literal_column(f"'{state}'"), is_active)


def _day(created_at: SQLColumnExpression[Any]) -> ColumnElement[date]:
    return cast(func.timezone(_UTC, created_at), Date)


# Memories are found by their stores: there is no index by tenant, so that memories of all tenants would be read.
_NOW = select(
    _count_stores().label("stores"),
    _count_stores(col(StoreRow.paused_at).is_not(None)).label("paused_stores"),
    _count_stores(col(StoreRow.is_quarantined)).label("quarantined"),
    _count_stores(col(StoreRow.next_check_at) <= func.now()).label("due"),
    _count_dreams("queued").label("queued"),
    _count_dreams("running").label("running"),
    _count(OperationRow, col(OperationRow.tenant_id), _PENDING).label("flagged"),
    select(func.count())
    .select_from(StoreRow)
    .join(MemoryRow, _IS_OF_STORE)
    .where(col(StoreRow.tenant_id) == _TENANT)
    .scalar_subquery()
    .label("memories"),
)
_MEMORIES = (
    select(col(StoreRow.name), func.count(col(MemoryRow.id)))
    .select_from(StoreRow)
    .outerjoin(MemoryRow, _IS_OF_STORE)
    .where(col(StoreRow.tenant_id) == _TENANT)
    .group_by(col(StoreRow.name))
    .order_by(col(StoreRow.name))
)
_OF_STORE = select(
    func.count().label("live"),
    func.count().filter(col(MemoryRow.is_dirty)).label("changed"),
    _count(OperationRow, col(OperationRow.tenant_id), col(OperationRow.store_id) == _STORE, _PENDING).label(
        "to_review"
    ),
).where(col(MemoryRow.tenant_id) == _TENANT, col(MemoryRow.store_id) == _STORE, col(MemoryRow.state) == _LIVE)
_DREAMS = (
    select(_day(col(DreamRow.created_at)).label("day"), col(DreamRow.state), func.count())
    .where(col(DreamRow.tenant_id) == _TENANT, col(DreamRow.created_at) >= _SINCE)
    .group_by(literal_column("1"), literal_column("2"))
)
_CALLS = (
    select(
        _day(col(LlmCallRow.created_at)).label("day"),
        func.sum(
            col(LlmCallRow.input_tokens)
            + col(LlmCallRow.output_tokens)
            + col(LlmCallRow.cached_tokens)
            + col(LlmCallRow.cache_write_tokens)
        ),
        func.sum(col(LlmCallRow.cost_usd)),
        func.count(),
    )
    .where(col(LlmCallRow.tenant_id) == _TENANT, col(LlmCallRow.created_at) >= _SINCE)
    .group_by(literal_column("1"))
)
_BEFORE = aliased(MemoryVersionRow)
# A version adds one where its memory becomes live, and takes one where it ceases to be. Retention may have purged the
# version before it; what was written again was live, except by a restore.
_WAS_LIVE = case(
    (col(MemoryVersionRow.version) == 1, 0),
    (col(_BEFORE.state).is_not(None), cast(col(_BEFORE.state) == _LIVE, Integer)),
    else_=cast(col(MemoryVersionRow.change) != "restore", Integer),
)
_MOVES = (
    select(
        _day(col(MemoryVersionRow.created_at)).label("day"),
        func.sum(cast(col(MemoryVersionRow.state) == _LIVE, Integer) - _WAS_LIVE),
    )
    .select_from(MemoryVersionRow)
    .outerjoin(
        _BEFORE,
        (col(_BEFORE.memory_id) == col(MemoryVersionRow.memory_id))
        & (col(_BEFORE.version) == col(MemoryVersionRow.version) - 1),
    )
    .where(col(MemoryVersionRow.tenant_id) == _TENANT, col(MemoryVersionRow.created_at) >= _SINCE)
    .group_by(literal_column("1"))
)
_DAYS_OF_ALL = select(
    func.slowwave_measure_days(_DAYS).table_valued("day", "state", "dreams", "tokens", "cost_usd", "model_calls")
)


class PostgresStatisticsRepository:
    """Implements `StatisticsRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant = {"tenant": tenant_id}

    def count_now(self) -> CountsNow:
        """Return how the tenant stands."""
        (row,) = fetch(self._connection, _NOW, self._tenant)
        return CountsNow(**row)

    def count_memories(self) -> dict[str, int]:
        """Return how many live memories each store has, by its name."""
        return dict(fetch_tuples(self._connection, _MEMORIES, self._tenant))

    def count_store(self, store_id: str) -> StoreCounts:
        """Return what one store holds now."""
        (row,) = fetch(self._connection, _OF_STORE, self._tenant | {"store": store_id})
        return StoreCounts(**row)

    def find_days(self, days: int) -> list[Day]:
        """Return the last days, today the last one."""
        asked = self._tenant | {"days": days}
        dreams: dict[date, dict[str, int]] = defaultdict(dict)
        for day, state, number in fetch_tuples(self._connection, _DREAMS, asked):
            dreams[day][state] = number
        calls = {row[0]: row[1:] for row in fetch_tuples(self._connection, _CALLS, asked)}
        moves = {row[0]: int(row[1]) for row in fetch_tuples(self._connection, _MOVES, asked)}
        today = _read_today(self._connection)
        live, found = self.count_now().memories, []
        for day in (today - timedelta(days=back) for back in range(days)):
            tokens, cost, number = calls.get(day, (0, 0.0, 0))
            found.append(
                Day(
                    day=day,
                    dreams=dreams.get(day, {}),
                    tokens=int(tokens),
                    cost_usd=float(cost),
                    model_calls=number,
                    memories=live,
                )
            )
            live -= moves.get(day, 0)
        return found[::-1]


def read_days_of_all(connection: Connection, days: int) -> list[Day]:
    """Return the last days of all tenants together, today the last one; live memories are not counted."""
    dreams: dict[date, dict[str, int]] = defaultdict(dict)
    calls: dict[date, tuple[int, float, int]] = {}
    for day, state, number, *sums in fetch_tuples(connection, _DAYS_OF_ALL, {"days": days}):
        if state:
            dreams[day][state] = number
        else:
            calls[day] = (int(sums[0]), float(sums[1]), int(sums[2]))
    today = _read_today(connection)
    found = []
    for day in (today - timedelta(days=back) for back in reversed(range(days))):
        tokens, cost, number = calls.get(day, (0, 0.0, 0))
        found.append(Day(day=day, dreams=dreams.get(day, {}), tokens=tokens, cost_usd=cost, model_calls=number))
    return found


def _read_today(connection: Connection) -> date:
    ((today,),) = fetch_tuples(connection, _TODAY)
    return today  # type: ignore[no-any-return] # a row has no types
