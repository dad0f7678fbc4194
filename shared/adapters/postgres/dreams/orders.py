"""Ordered dreams in PostgreSQL."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.dreams import DreamOrderRow
from shared.adapters.postgres.tables.mapping import CALLS, DREAMS, STORES, Row, dream_from, table
from shared.core.dream.model import Dream
from shared.core.dream.orders import DreamOrder, OrderStatus, OutputBehavior, find_states
from shared.ports.api_lists import Place, TimeSpan
from shared.ports.llm import LlmUsage

ORDERS = table(DreamOrderRow)
_FIND = Prepared("SELECT * FROM dream_orders WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s")


class PostgresOrderRepository:
    """Implements `OrderRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def add(self, order: DreamOrder) -> None:
        """Keep what was asked for."""
        self._connection.execute(insert(ORDERS).values(self._values(order)))

    def find(self, dream_id: str) -> DreamOrder | None:
        """Return what was asked for; None for a dream that nobody ordered."""
        row = _FIND.find(self._connection, {"tenant": self._tenant_id, "dream": dream_id})
        return _order_from(row) if row is not None else None

    def find_page(
        self,
        span: TimeSpan,
        *,
        statuses: Collection[OrderStatus],
        with_archived: bool,
        behind: Place | None,
        limit: int,
    ) -> list[tuple[Dream, DreamOrder | None]]:
        """Return dreams, newest first; no dry runs."""
        joined = DREAMS.join(STORES, STORES.c.id == DREAMS.c.store_id).outerjoin(
            ORDERS, (ORDERS.c.dream_id == DREAMS.c.id) & (ORDERS.c.tenant_id == DREAMS.c.tenant_id)
        )
        wanted = [column.label(f"order_{column.name}") for column in ORDERS.c]
        query = select(DREAMS, STORES.c.name.label("store"), *wanted).select_from(joined)
        query = query.where(DREAMS.c.tenant_id == self._tenant_id, ~DREAMS.c.is_dry_run)
        query = query.where(*within(DREAMS.c.created_at, span))
        if not with_archived:
            query = query.where(ORDERS.c.archived_at.is_(None))
        if statuses:
            pairs = [pair for status in statuses for pair in find_states(status)]
            asked = DREAMS.c.cancel_requested_at
            query = query.where(
                or_(*((DREAMS.c.state == s) & (asked.is_not(None) if c else asked.is_(None)) for s, c in pairs))
            )
        rows = self._connection.execute(paged(query, (DREAMS.c.created_at, DREAMS.c.id), behind, limit)).mappings()
        return [(dream_from(row), _order_from(row, "order_") if row["order_dream_id"] else None) for row in rows]

    def archive(self, order: DreamOrder) -> None:
        """Hide a dream from the list."""
        statement = upsert(ORDERS).values(self._values(order)).on_conflict_do_nothing()
        self._connection.execute(statement)
        mine = (ORDERS.c.tenant_id == self._tenant_id) & (ORDERS.c.dream_id == order.dream_id)
        self._connection.execute(
            update(ORDERS).where(mine, ORDERS.c.archived_at.is_(None)).values(archived_at=func.now())
        )

    def find_usage(self, dream_ids: Sequence[str]) -> dict[str, LlmUsage]:
        """Return the tokens of dreams; one without calls is absent."""
        counted = (CALLS.c.input_tokens, CALLS.c.output_tokens, CALLS.c.cached_tokens, CALLS.c.cache_write_tokens)
        query = select(CALLS.c.dream_id, *(func.sum(column) for column in counted))
        query = query.where(CALLS.c.tenant_id == self._tenant_id, CALLS.c.dream_id.in_(list(dream_ids)))
        rows = self._connection.execute(query.group_by(CALLS.c.dream_id)).all()
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
