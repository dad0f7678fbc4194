"""Costs: the model calls of the last days, summed up by tenant, store, model, phase or day, and what was saved."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Date,
    Integer,
    Select,
    Text,
    bindparam,
    cast,
    func,
    literal_column,
    select,
)
from sqlmodel import col

from shared.adapters.postgres.dreams.calls import TOKENS
from shared.adapters.postgres.sql.statements import fetch
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.steps import PhaseRunRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.budgets.savings import SparedQuestions, TokenSums
from shared.ports.tenants import ALL_CALLS, Cost, CostBy, CostFilter

_DAYS, _BY = bindparam("days", type_=Integer), bindparam("by", type_=Text)
_UTC: ColumnElement[str] = literal_column("'UTC'")
_SINCE = func.date_trunc("day", func.now(), _UTC) - func.make_interval(0, 0, 0, func.least(_DAYS, 92) - 1)
_MOST = 1_000
_NAMES: Mapping[CostBy, Any] = {
    CostBy.TENANT: col(LlmCallRow.tenant_id),
    CostBy.STORE: col(LlmCallRow.tenant_id) + "/" + col(StoreRow.name),
    CostBy.MODEL: col(LlmCallRow.model),
    CostBy.PHASE: col(LlmCallRow.phase),
    CostBy.DAY: cast(cast(func.timezone(_UTC, col(LlmCallRow.created_at)), Date), Text),
}
_OF_ALL = select(func.slowwave_measure_costs(_DAYS, _BY).table_valued("name", "model_calls", "tokens", "cost_usd"))


def read_costs(
    connection: Connection, tenant_id: str, days: int, by: CostBy, wanted: CostFilter = ALL_CALLS
) -> list[Cost]:
    """Return what the last days of a tenant cost, the dearest first."""
    name, tokens, cost = _NAMES[by].label("name"), func.sum(TOKENS), func.sum(col(LlmCallRow.cost_usd))
    query = (
        _of_calls(
            tenant_id, wanted, name, func.count().label("model_calls"), tokens.label("tokens"), cost.label("cost_usd")
        )
        .group_by(literal_column("1"))
        .order_by(cost.desc(), tokens.desc(), literal_column("1"))
        .limit(_MOST)
    )
    return [Cost(**row) for row in fetch(connection, query, {"days": days})]


def read_saved(
    connection: Connection, tenant_id: str, days: int, wanted: CostFilter
) -> tuple[list[TokenSums], list[SparedQuestions]]:
    """Return what came from the prompt cache and in batches, by model, and which questions were spared, by phase."""
    names = (col(LlmCallRow.model), col(DreamRow.is_batched))
    sums = _of_calls(
        tenant_id,
        wanted,
        *names,
        func.sum(col(LlmCallRow.cached_tokens)).label("cached_tokens"),
        func.sum(col(LlmCallRow.cache_write_tokens)).label("cache_write_tokens"),
        func.sum(col(LlmCallRow.cost_usd)).label("cost_usd"),
    ).group_by(*names)
    spared = fetch(connection, _count_spared(tenant_id, wanted), {"days": days})
    calls = {one.name: one for one in read_costs(connection, tenant_id, days, CostBy.PHASE, wanted)} if spared else {}
    none = Cost(name="", model_calls=0, tokens=0, cost_usd=0.0)
    return [TokenSums(**row) for row in fetch(connection, sums, {"days": days})], [
        SparedQuestions(
            phase=row["phase"],
            spared=int(row["spared"]),
            calls=calls.get(row["phase"], none).model_calls,
            cost_usd=calls.get(row["phase"], none).cost_usd,
        )
        for row in spared
    ]


def _of_calls(tenant_id: str, wanted: CostFilter, *columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - what is selected
    """Return the query for the calls of the last days."""
    query: Select[*tuple[Any, ...]] = (
        select(*columns)
        .select_from(LlmCallRow)
        .join(DreamRow, (col(DreamRow.id) == col(LlmCallRow.dream_id)))
        .join(StoreRow, (col(StoreRow.id) == col(DreamRow.store_id)))
        .where(col(LlmCallRow.tenant_id) == tenant_id, col(LlmCallRow.created_at) >= _SINCE)
    )
    chosen = ((StoreRow.name, wanted.store), (LlmCallRow.model, wanted.model), (LlmCallRow.phase, wanted.phase))
    return query.where(*(col(column) == value for column, value in chosen if value))


def _count_spared(tenant_id: str, wanted: CostFilter) -> Select[*tuple[Any, ...]]:
    """Return the query for the questions that the change gate spared, by phase. Which model was spared is not known."""
    spared = cast(col(PhaseRunRow.counts)["skip_same_inputs"].astext, Integer)
    query: Select[*tuple[Any, ...]] = (
        select(col(PhaseRunRow.phase).label("phase"), func.sum(spared).label("spared"))
        .select_from(PhaseRunRow)
        .join(DreamRow, (col(DreamRow.id) == col(PhaseRunRow.dream_id)))
        .join(StoreRow, (col(StoreRow.id) == col(DreamRow.store_id)))
        .where(
            col(DreamRow.tenant_id) == tenant_id,
            col(DreamRow.created_at) >= _SINCE,
            spared > 0,
        )
        .group_by(literal_column("1"))
    )
    chosen = ((StoreRow.name, wanted.store), (PhaseRunRow.phase, wanted.phase))
    return query.where(*(col(column) == value for column, value in chosen if value))


def read_costs_of_all(connection: Connection, days: int, by: CostBy) -> list[Cost]:
    """Return what the last days of all tenants cost, the dearest first."""
    return [Cost(**row) for row in fetch(connection, _OF_ALL, {"days": days, "by": str(by)})]
