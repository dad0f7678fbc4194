"""Ordered dreams: one, or a page of them, each with the tokens that it has used so far."""

from collections.abc import Collection
from dataclasses import dataclass

from shared.core.dream import Dream
from shared.core.dream_order import DreamOrder, OrderStatus, OutputBehavior
from shared.core.errors import NotFoundError
from shared.ports.card_books import Place, TimeSpan
from shared.ports.database import Database, UnitOfWork
from shared.ports.llm import LlmUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderView:
    """A dream, what was asked for, and its tokens."""

    dream: Dream
    order: DreamOrder
    usage: LlmUsage


def get_order(db: Database, tenant_id: str, dream_id: str) -> OrderView:
    """Return a dream. Raises NotFoundError, also for a dry run, which writes nothing that could be shown."""
    with db.transaction(tenant_id) as uow:
        return view_order(uow, dream_id)


def find_orders(
    db: Database,
    tenant_id: str,
    span: TimeSpan,
    *,
    statuses: Collection[OrderStatus],
    with_archived: bool,
    behind: Place | None,
    limit: int,
) -> list[OrderView]:
    """Return dreams, newest first; those that nobody ordered look like dreams over their own store."""
    with db.transaction(tenant_id) as uow:
        found = uow.orders.find_page(span, statuses=statuses, with_archived=with_archived, behind=behind, limit=limit)
        usage = uow.orders.find_usage([dream.id for dream, _ in found])
        return [
            OrderView(dream=dream, order=order or made_up(dream), usage=usage.get(dream.id, LlmUsage()))
            for dream, order in found
        ]


def view_order(uow: UnitOfWork, dream_id: str, *, lock: bool = False) -> OrderView:
    """Return a dream in a transaction; with `lock` its row is held. Raises NotFoundError."""
    dream = uow.dreams.get(dream_id, lock=lock)
    if dream.is_dry_run:
        raise NotFoundError
    order = uow.orders.find(dream_id) or made_up(dream)
    return OrderView(dream=dream, order=order, usage=uow.orders.find_usage([dream_id]).get(dream_id, LlmUsage()))


def made_up(dream: Dream) -> DreamOrder:
    """Return the order that a dream which a sweep or the command line began would have had."""
    return DreamOrder(
        dream_id=dream.id,
        input_store_id=dream.store_id,
        behavior=OutputBehavior.UPDATE_EXISTING,
        session_ids=(),
        model=dream.model,
    )
