"""Orders: the requests that created dreams over the API."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlmodel import col

from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.mapping import dream_from
from shared.adapters.postgres.tables.steps import DreamOrderRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.dream.model import Dream
from shared.core.dream.orders import DreamOrder, OrderStatus, OutputBehavior, find_states
from shared.ports.api_lists import Place, TimeSpan
from shared.ports.llm import LlmUsage

_TENANT = bindparam("tenant", type_=Text)
_THIS = (col(DreamOrderRow.tenant_id) == _TENANT) & (col(DreamOrderRow.dream_id) == bindparam("dream"))
_FIND = Fixed(
    "orders.find",
    select(DreamOrderRow).where(_THIS),
    reason="twice a dream: before the cues of sessions are looked for, and before they are read",
)
_ARCHIVE = update(DreamOrderRow).where(_THIS, col(DreamOrderRow.archived_at).is_(None)).values(archived_at=func.now())
_ADD_MISSING = upsert(DreamOrderRow).on_conflict_do_nothing()
_WITH_DREAM = (
    select(
        DreamRow,
        col(StoreRow.name).label("store"),
        *(getattr(DreamOrderRow, name).label(f"order_{name}") for name in DreamOrderRow.model_fields),
    )
    .join(StoreRow, col(StoreRow.id) == col(DreamRow.store_id))
    .outerjoin(
        DreamOrderRow,
        (col(DreamOrderRow.dream_id) == col(DreamRow.id)) & (col(DreamOrderRow.tenant_id) == col(DreamRow.tenant_id)),
    )
    .where(col(DreamRow.tenant_id) == _TENANT, col(DreamRow.is_dry_run).is_(False))
)
_COUNTED = (
    col(LlmCallRow.input_tokens),
    col(LlmCallRow.output_tokens),
    col(LlmCallRow.cached_tokens),
    col(LlmCallRow.cache_write_tokens),
)


class PostgresOrderRepository:
    """Implements `OrderRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def add(self, order: DreamOrder) -> None:
        """Store an order."""
        execute(self._connection, insert(DreamOrderRow), self._values(order))

    def find(self, dream_id: str) -> DreamOrder | None:
        """Return the order of a dream, or None."""
        row = fetch_one(self._connection, _FIND, {"tenant": self._tenant_id, "dream": dream_id})
        return _order_from(row) if row is not None else None

    def find_page(
        self,
        span: TimeSpan,
        *,
        statuses: Collection[OrderStatus],
        with_archived: bool,
        start_after: Place | None,
        limit: int,
    ) -> list[tuple[Dream, DreamOrder | None]]:
        """Return dreams, newest first; no dry runs."""
        query = _WITH_DREAM.where(*within(col(DreamRow.created_at), span))
        if not with_archived:
            query = query.where(col(DreamOrderRow.archived_at).is_(None))
        if statuses:
            query = query.where(_has_status(statuses))
        query = paged(query, (col(DreamRow.created_at), col(DreamRow.id)), start_after, limit)
        rows = fetch(self._connection, query, {"tenant": self._tenant_id})
        return [(dream_from(row), _order_from(row, "order_") if row["order_dream_id"] else None) for row in rows]

    def archive(self, order: DreamOrder) -> None:
        """Hide a dream from the list."""
        execute(self._connection, _ADD_MISSING, self._values(order))
        execute(self._connection, _ARCHIVE, {"tenant": self._tenant_id, "dream": order.dream_id})

    def find_usage(self, dream_ids: Sequence[str]) -> dict[str, LlmUsage]:
        """Return the tokens of dreams; one without calls is absent."""
        query = select(col(LlmCallRow.dream_id), *map(func.sum, _COUNTED)).where(
            col(LlmCallRow.tenant_id) == _TENANT, col(LlmCallRow.dream_id).in_(list(dream_ids))
        )
        query = query.group_by(col(LlmCallRow.dream_id))
        rows = fetch_tuples(self._connection, query, {"tenant": self._tenant_id})
        return {
            row[0]: LlmUsage(
                input_tokens=int(row[1]), output_tokens=int(row[2]), cached_tokens=int(row[3]), cache_write_tokens=int(row[4])
            )
            for row in rows
        }  # fmt: skip

    def _values(self, order: DreamOrder) -> dict[str, Any]:
        return {
            "dream_id": order.dream_id,
            "tenant_id": self._tenant_id,
            "input_store_id": order.input_store_id,
            "behavior": order.behavior,
            "instructions": order.instructions,
            "session_ids": list(order.session_ids),
            "model": order.model,
        }


def _has_status(statuses: Collection[OrderStatus]) -> ColumnElement[bool]:
    """Return the condition that a dream has one of these statuses: states, with or without a request to cancel."""
    pairs = [pair for status in statuses for pair in find_states(status)]
    asked = col(DreamRow.cancel_requested_at)
    conditions = (
        and_(col(DreamRow.state) == state, asked.is_not(None) if is_canceling else asked.is_(None))
        for state, is_canceling in pairs
    )
    return or_(*conditions)


def _order_from(row: Row, prefix: str = "") -> DreamOrder:
    return DreamOrder(
        dream_id=row[f"{prefix}dream_id"],
        input_store_id=row[f"{prefix}input_store_id"],
        behavior=OutputBehavior(row[f"{prefix}behavior"]),
        instructions=row[f"{prefix}instructions"],
        session_ids=tuple(row[f"{prefix}session_ids"]),
        model=row[f"{prefix}model"],
        archived_at=row[f"{prefix}archived_at"],
    )
