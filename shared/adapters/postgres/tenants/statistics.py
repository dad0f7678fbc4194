"""Counts of one tenant in PostgreSQL."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    SQLColumnExpression,
    Text,
    bindparam,
    case,
    func,
    literal_column,
    select,
)
from sqlmodel import SQLModel, col

from shared.adapters.postgres.sql.index_pages import is_no_index
from shared.adapters.postgres.sql.statements import fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, OperationRow
from shared.adapters.postgres.tables.stores import MemoryRow, StoreRow
from shared.core.budgets.savings import SparedQuestions, TokenSums
from shared.core.dream.model import OperationState
from shared.core.dream.operation_filter import BOUNDS, ConfidenceBand, OperationFilter, PendingCount, PendingOperation
from shared.core.dream.operations import OperationKind
from shared.ports.tenants import ALL_CALLS, Cost, CostBy, CostFilter, CountsNow, Day, StoreCounts

if TYPE_CHECKING:
    from shared.adapters.postgres.memories.learned import PostgresLearnedRepository

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_LIVE: ColumnElement[str] = literal_column("'live'")
_PENDING = col(OperationRow.review) == literal_column("'pending'")
_TOUCHED_MEMORIES = func.jsonb_path_query_array(
    col(OperationRow.changes),
    literal_column('\'$[*].keyvalue() ? (@.key == "memory_id" || @.key == "successor_id").value\'::jsonpath'),
)
_IS_OF_STORE = (
    (col(MemoryRow.store_id) == col(StoreRow.id)) & (col(MemoryRow.state) == _LIVE) & is_no_index(col(MemoryRow.path))
)


def _count(row: type[SQLModel], tenant_id: SQLColumnExpression[str], *conditions: SQLColumnExpression[bool]) -> Any:  # noqa: ANN401 - a scalar subquery
    return select(func.count()).select_from(row).where(tenant_id == _TENANT, *conditions).scalar_subquery()


def _count_stores(*conditions: SQLColumnExpression[bool]) -> Any:  # noqa: ANN401 - as above
    return _count(StoreRow, col(StoreRow.tenant_id), *conditions)


def _count_dreams(state: str) -> Any:  # noqa: ANN401 - as above
    is_active = col(DreamRow.state).in_([literal_column("'queued'"), literal_column("'running'")])  # as the index says
    return _count(DreamRow, col(DreamRow.tenant_id), col(DreamRow.state) == literal_column(f"'{state}'"), is_active)


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
    select(col(StoreRow.name), func.count(col(MemoryRow.path)))
    .select_from(StoreRow)
    .outerjoin(MemoryRow, _IS_OF_STORE & (col(MemoryRow.tenant_id) == _TENANT))
    .where(col(StoreRow.tenant_id) == _TENANT)
    .group_by(col(StoreRow.name))
    .order_by(col(StoreRow.name))
)
_IS_LIVE = (col(MemoryRow.store_id) == _STORE, col(MemoryRow.state) == _LIVE)
# Each number by an index of its own: together they would be counted in the rows themselves, a hundred times as many bytes.
_OF_STORE = select(
    _count(MemoryRow, col(MemoryRow.tenant_id), *_IS_LIVE, is_no_index(col(MemoryRow.path))).label("live"),
    _count(MemoryRow, col(MemoryRow.tenant_id), *_IS_LIVE, col(MemoryRow.is_dirty)).label("changed"),
    _count(OperationRow, col(OperationRow.tenant_id), col(OperationRow.store_id) == _STORE, _PENDING).label(
        "to_review"
    ),
)
_BAND = case(
    (col(OperationRow.confidence).is_(None), literal_column(f"'{ConfidenceBand.UNSAID}'")),
    *(
        (col(OperationRow.confidence) < below, literal_column(f"'{band}'"))
        for band, (_, below) in sorted(BOUNDS.items(), key=lambda pair: pair[1])
    ),
    else_=literal_column(f"'{ConfidenceBand.HIGH}'"),
)
_IS_ITS_STORE = (col(StoreRow.id) == col(OperationRow.store_id)) & (
    col(StoreRow.tenant_id) == col(OperationRow.tenant_id)
)
_FACETS = (
    col(OperationRow.kind),
    col(OperationRow.phase),
    col(StoreRow.name),
    col(OperationRow.dream_id),
    _BAND,
    col(OperationRow.assigned_to),
)
_COUNT_PENDING = (
    select(*_FACETS, func.count())
    .join(StoreRow, _IS_ITS_STORE)
    .where(col(OperationRow.tenant_id) == bindparam("tenant", type_=Text), _PENDING)
    .group_by(*_FACETS)
)


class PostgresStatisticsRepository:
    """Implements `StatisticsRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant = {"tenant": tenant_id}

    @cached_property
    def learned(self) -> PostgresLearnedRepository:
        """Return what the tenant's memories have learned."""
        from shared.adapters.postgres.memories.learned import PostgresLearnedRepository  # noqa: PLC0415 - statements that no count needs

        return PostgresLearnedRepository(self._connection, self._tenant["tenant"])

    def count_now(self) -> CountsNow:
        """Return the tenant's current counts."""
        (row,) = fetch(self._connection, _NOW, self._tenant)
        return CountsNow(**row)

    def count_memories(self) -> dict[str, int]:
        """Return how many live memories each store has, by its name."""
        return dict(fetch_tuples(self._connection, _MEMORIES, self._tenant))

    def count_store(self, store_id: str) -> StoreCounts:
        """Return the current counts of one store."""
        (row,) = fetch(self._connection, _OF_STORE, self._tenant | {"store": store_id})
        return StoreCounts(**row)

    def find_days(self, days: int, *, live: int) -> list[Day]:
        """Return the last days, up to today, which ends with the given number of live memories."""
        from shared.adapters.postgres.tenants.days import read_days  # noqa: PLC0415 - statements that no count needs

        return read_days(self._connection, self._tenant["tenant"], days, live=live)

    def find_costs(self, days: int, by: CostBy, wanted: CostFilter = ALL_CALLS) -> list[Cost]:
        """Return what the last days cost, the most expensive first."""
        from shared.adapters.postgres.tenants.costs import read_costs  # noqa: PLC0415 - as above

        return read_costs(self._connection, self._tenant["tenant"], days, by, wanted)

    def find_saved(self, days: int, wanted: CostFilter) -> tuple[list[TokenSums], list[SparedQuestions]]:
        """Return what the savings of the last days are computed from."""
        from shared.adapters.postgres.tenants.costs import read_saved  # noqa: PLC0415 - as above

        return read_saved(self._connection, self._tenant["tenant"], days, wanted)

    def count_pending(self) -> list[PendingCount]:
        """Return how many operations wait for a review, by kind, phase, store, dream and confidence."""
        return [
            PendingCount(
                kind=OperationKind(kind),
                phase=phase,
                store=store,
                dream_id=dream_id,
                confidence=ConfidenceBand(band),
                assigned_to=assigned_to,
                number=number,
            )
            for kind, phase, store, dream_id, band, assigned_to, number in fetch_tuples(
                self._connection, _COUNT_PENDING, self._tenant
            )
        ]

    def list_pending(
        self, only: OperationFilter, *, store_id: str | None, dream_id: str | None, limit: int | None
    ) -> list[PendingOperation]:
        """Return operations that wait for a review, in a line each, oldest first."""
        from shared.adapters.postgres.dreams.operations import conditions_of  # noqa: PLC0415 - as above

        query = (
            select(
                *map(col, (OperationRow.id, OperationRow.kind, OperationRow.state)),
                col(StoreRow.name),
                *map(col, (OperationRow.dream_id, OperationRow.reason)),
                _TOUCHED_MEMORIES,
            )
            .join(StoreRow, _IS_ITS_STORE)
            .where(col(OperationRow.tenant_id) == _TENANT, _PENDING, *conditions_of(only))
            .order_by(col(OperationRow.created_at), col(OperationRow.id))
            .limit(limit)
        )
        if store_id is not None:
            query = query.where(col(OperationRow.store_id) == store_id)
        if dream_id is not None:
            query = query.where(col(OperationRow.dream_id) == dream_id)
        return [
            PendingOperation(
                id=identifier,
                kind=OperationKind(kind),
                state=OperationState(state),
                store=store,
                dream_id=dream_id,
                reason=reason,
                memory_ids=frozenset(filter(None, memory_ids)),
            )
            for identifier, kind, state, store, dream_id, reason, memory_ids in fetch_tuples(
                self._connection, query, self._tenant
            )
        ]
