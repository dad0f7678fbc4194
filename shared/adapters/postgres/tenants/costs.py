"""Costs: the model calls of the last days, summed up by tenant, store, model or day."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Date, Integer, Text, bindparam, cast, func, literal_column, select
from sqlmodel import col

from shared.adapters.postgres.dreams.calls import TOKENS
from shared.adapters.postgres.sql.statements import fetch
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.ports.tenants import Cost, CostBy

_DAYS, _BY = bindparam("days", type_=Integer), bindparam("by", type_=Text)
_UTC: ColumnElement[str] = literal_column("'UTC'")
_SINCE = func.date_trunc("day", func.now(), _UTC) - func.make_interval(0, 0, 0, func.least(_DAYS, 92) - 1)
_MOST = 1_000
_NAMES: Mapping[CostBy, Any] = {
    CostBy.TENANT: col(LlmCallRow.tenant_id),
    CostBy.STORE: col(LlmCallRow.tenant_id) + "/" + col(StoreRow.name),
    CostBy.MODEL: col(LlmCallRow.model),
    CostBy.DAY: cast(cast(func.timezone(_UTC, col(LlmCallRow.created_at)), Date), Text),
}
_OF_ALL = select(func.slowwave_measure_costs(_DAYS, _BY).table_valued("name", "model_calls", "tokens", "cost_usd"))


def read_costs(connection: Connection, tenant_id: str, days: int, by: CostBy) -> list[Cost]:
    """Return what the last days of a tenant cost, the dearest first."""
    name, tokens, cost = _NAMES[by].label("name"), func.sum(TOKENS), func.sum(col(LlmCallRow.cost_usd))
    query = (
        select(name, func.count().label("model_calls"), tokens.label("tokens"), cost.label("cost_usd"))
        .select_from(LlmCallRow)
        .join(DreamRow, (col(DreamRow.id) == col(LlmCallRow.dream_id)))
        .join(StoreRow, (col(StoreRow.id) == col(DreamRow.store_id)))
        .where(col(LlmCallRow.tenant_id) == tenant_id, col(LlmCallRow.created_at) >= _SINCE)
        .group_by(literal_column("1"))
        .order_by(cost.desc(), tokens.desc(), literal_column("1"))
        .limit(_MOST)
    )
    return [Cost(**row) for row in fetch(connection, query, {"days": days})]


def read_costs_of_all(connection: Connection, days: int, by: CostBy) -> list[Cost]:
    """Return what the last days of all tenants cost, the dearest first."""
    return [Cost(**row) for row in fetch(connection, _OF_ALL, {"days": days, "by": str(by)})]
