"""Costs: the model calls of the last days, summed up by tenant, store, model, phase or day, and the savings."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Date,
    Integer,
    ScalarSelect,
    Select,
    Subquery,
    Text,
    bindparam,
    case,
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
    CostBy.STORE: func.coalesce(col(LlmCallRow.paid_for), col(LlmCallRow.dream_id)),
    CostBy.MODEL: col(LlmCallRow.model),
    CostBy.PHASE: case((col(LlmCallRow.dream_id).is_(None), "evaluations"), else_=col(LlmCallRow.phase)),
    CostBy.DAY: cast(cast(func.timezone(_UTC, col(LlmCallRow.created_at)), Date), Text),
}
_OF_ALL = select(func.slowwave_measure_costs(_DAYS, _BY).table_valued("name", "model_calls", "tokens", "cost_usd"))


def read_costs(
    connection: Connection, tenant_id: str, days: int, by: CostBy, wanted: CostFilter = ALL_CALLS
) -> list[Cost]:
    """Return the costs of a tenant's last days, the highest first."""
    query = _of_calls(
        tenant_id,
        wanted,
        _NAMES[by].label("name"),
        func.count().label("model_calls"),
        func.sum(TOKENS).label("tokens"),
        func.sum(col(LlmCallRow.cost_usd)).label("cost_usd"),
    ).group_by(literal_column("1"))
    if by is CostBy.STORE:
        query = _of_stores(query.subquery())
    by_cost = query.order_by(literal_column("4").desc(), literal_column("3").desc(), literal_column("1")).limit(_MOST)
    return [Cost(**row) for row in fetch(connection, by_cost, {"days": days})]


def _of_stores(sums: Subquery) -> Select[*tuple[Any, ...]]:
    """Return the query that sums up the sums of dreams, and of evaluations, by store.

    Dreams are few. Joined with the calls themselves, PostgreSQL would compare each call of one store with each dream.
    """
    return (
        select(
            (col(StoreRow.tenant_id) + "/" + col(StoreRow.name)).label("name"),
            cast(func.sum(sums.c.model_calls), BigInteger).label("model_calls"),
            cast(func.sum(sums.c.tokens), BigInteger).label("tokens"),
            func.sum(sums.c.cost_usd).label("cost_usd"),
        )
        .select_from(sums)
        .outerjoin(DreamRow, col(DreamRow.id) == sums.c.name)
        .join(StoreRow, col(StoreRow.id) == func.coalesce(col(DreamRow.store_id), sums.c.name))
        .group_by(literal_column("1"))
    )


def read_saved(
    connection: Connection, tenant_id: str, days: int, wanted: CostFilter
) -> tuple[list[TokenSums], list[SparedQuestions]]:
    """Return the use of the prompt cache and of batches by model, and the skipped questions by phase."""
    names = (col(LlmCallRow.model), col(DreamRow.is_batched))
    sums = (
        _of_calls(
            tenant_id,
            wanted,
            *names,
            func.sum(col(LlmCallRow.input_tokens)).label("input_tokens"),
            func.sum(col(LlmCallRow.cached_tokens)).label("cached_tokens"),
            func.sum(col(LlmCallRow.cache_write_tokens)).label("cache_write_tokens"),
            func.sum(col(LlmCallRow.cost_usd)).label("cost_usd"),
        )
        .join(DreamRow, col(DreamRow.id) == col(LlmCallRow.dream_id))
        .group_by(*names)
    )
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
        .where(col(LlmCallRow.tenant_id) == tenant_id, col(LlmCallRow.created_at) >= _SINCE)
    )
    if wanted.store:
        dreams = select(col(DreamRow.id)).where(_is_of_store(tenant_id, wanted.store))
        is_evaluation = col(LlmCallRow.paid_for) == _store(tenant_id, wanted.store)
        query = query.where(col(LlmCallRow.dream_id).in_(dreams) | is_evaluation)
    chosen = ((col(LlmCallRow.model), wanted.model), (_NAMES[CostBy.PHASE], wanted.phase))
    return query.where(*(column == value for column, value in chosen if value))


def _is_of_store(tenant_id: str, name: str) -> ColumnElement[bool]:
    """Tell whether a dream is of a store."""
    return (col(DreamRow.tenant_id) == tenant_id) & (col(DreamRow.store_id) == _store(tenant_id, name))


def _store(tenant_id: str, name: str) -> ScalarSelect[str]:
    found = select(col(StoreRow.id)).where(col(StoreRow.tenant_id) == tenant_id, col(StoreRow.name) == name)
    return found.scalar_subquery()


def _count_spared(tenant_id: str, wanted: CostFilter) -> Select[*tuple[Any, ...]]:
    """Return the query for the questions that the change gate skipped, by phase. Their models are not known."""
    spared = cast(col(PhaseRunRow.counts)["skip_same_inputs"].astext, Integer)
    query: Select[*tuple[Any, ...]] = (
        select(col(PhaseRunRow.phase).label("phase"), func.sum(spared).label("spared"))
        .select_from(PhaseRunRow)
        .join(DreamRow, (col(DreamRow.id) == col(PhaseRunRow.dream_id)))
        .where(
            col(DreamRow.tenant_id) == tenant_id,
            col(DreamRow.created_at) >= _SINCE,
            spared > 0,
        )
        .group_by(literal_column("1"))
    )
    if wanted.store:
        query = query.where(_is_of_store(tenant_id, wanted.store))
    return query.where(col(PhaseRunRow.phase) == wanted.phase) if wanted.phase else query


def read_costs_of_all(connection: Connection, days: int, by: CostBy) -> list[Cost]:
    """Return the costs of all tenants' last days, the highest first."""
    return [Cost(**row) for row in fetch(connection, _OF_ALL, {"days": days, "by": str(by)})]
