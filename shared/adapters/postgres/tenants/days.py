"""The last days of one tenant and of all: dreams, tokens and live memories. What is counted is bounded by their rows."""

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
from sqlmodel import col

from shared.adapters.postgres.sql.index_pages import is_no_index
from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.stores import MemoryVersionRow
from shared.ports.tenants import Day

_TENANT, _DAYS = bindparam("tenant", type_=Text), bindparam("days", type_=Integer)
_LIVE: ColumnElement[str] = literal_column("'live'")
_UTC: ColumnElement[str] = literal_column("'UTC'")
_SINCE = func.date_trunc("day", func.now(), _UTC) - func.make_interval(0, 0, 0, _DAYS - 1)
_TODAY = select(cast(func.timezone(_UTC, func.now()), Date))


def _day(created_at: SQLColumnExpression[Any]) -> ColumnElement[date]:
    return cast(func.timezone(_UTC, created_at), Date)


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
# version before it; what was written again was live, except by a restore. The version before is looked up one by one: of a
# join, PostgreSQL would read all versions of the tenant, and most of the last days' have none before them.
_STATE_BEFORE = (
    select(cast(col(_BEFORE.state) == _LIVE, Integer))
    .where(
        col(_BEFORE.memory_id) == col(MemoryVersionRow.memory_id),
        col(_BEFORE.version) == col(MemoryVersionRow.version) - 1,
    )
    .scalar_subquery()
)
_WAS_LIVE = case(
    (col(MemoryVersionRow.version) == 1, 0),
    else_=func.coalesce(_STATE_BEFORE, cast(col(MemoryVersionRow.change) != "restore", Integer)),
)
_MOVES = (
    select(
        _day(col(MemoryVersionRow.created_at)).label("day"),
        func.sum(cast(col(MemoryVersionRow.state) == _LIVE, Integer) - _WAS_LIVE),
    )
    .where(
        col(MemoryVersionRow.tenant_id) == _TENANT,
        col(MemoryVersionRow.created_at) >= _SINCE,
        is_no_index(col(MemoryVersionRow.path)),
    )
    .group_by(literal_column("1"))
)
_DAYS_OF_ALL = select(
    func.slowwave_measure_days(_DAYS).table_valued("day", "state", "dreams", "tokens", "cost_usd", "model_calls")
)


def read_days(connection: Connection, tenant_id: str, days: int, *, live: int) -> list[Day]:
    """Return the last days of a tenant, up to today, which ends with the given number of live memories."""
    asked = {"tenant": tenant_id, "days": days}
    dreams: dict[date, dict[str, int]] = defaultdict(dict)
    for day, state, number in fetch_tuples(connection, _DREAMS, asked):
        dreams[day][state] = number
    calls = {row[0]: row[1:] for row in fetch_tuples(connection, _CALLS, asked)}
    moves = {row[0]: int(row[1]) for row in fetch_tuples(connection, _MOVES, asked)}
    today = _read_today(connection)
    found = []
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
