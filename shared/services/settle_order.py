"""Cancel or archive an ordered dream, by the rules of the API that it was ordered over."""

from dataclasses import replace

from shared.core.dream import DreamState
from shared.core.dream_order import FINAL, OrderStatus, OutputBehavior, decide_status
from shared.core.errors import BadInputError
from shared.ports.all_ports import Ports
from shared.ports.database import UnitOfWork
from shared.services.cancel_dream import cancel_dream, wake_dream
from shared.services.find_orders import OrderView, get_order, view_order


def cancel_order(ports: Ports, tenant_id: str, dream_id: str, *, actor: str) -> OrderView:
    """Stop a dream; what is canceled already is returned as it is. The copy of one that never began is archived.

    Raises:
        NotFoundError: there is no such dream.
        BadInputError: it has completed or failed.
    """
    view = get_order(ports.db, tenant_id, dream_id)
    if decide_status(view.dream) is OrderStatus.CANCELED:
        return view
    _check(view, decide_status(view.dream) not in FINAL, "canceled")
    cancel_dream(ports.db, tenant_id, dream_id, actor=actor)
    wake_dream(ports.db, ports.dispatch, tenant_id, dream_id)
    with ports.db.transaction(tenant_id) as uow:
        view = view_order(uow, dream_id)
        if view.dream.started_at is None and view.dream.state is DreamState.CANCELED:
            _archive_copy(uow, view)
        return view


def archive_order(ports: Ports, tenant_id: str, dream_id: str, *, actor: str) -> OrderView:
    """Hide an ended dream from the list; doing it again changes nothing, and nothing undoes it.

    Raises:
        NotFoundError: there is no such dream.
        BadInputError: it has not ended.
    """
    with ports.db.transaction(tenant_id) as uow:
        view = view_order(uow, dream_id, lock=True)
        if view.order.archived_at is not None:
            return view
        _check(view, decide_status(view.dream) in FINAL, "archived; cancel it first")
        uow.orders.archive(view.order)
        uow.record_audit(actor, "dream.archive", dream_id=dream_id)
        return view_order(uow, dream_id)


def _check(view: OrderView, ok: object, what: str) -> None:
    if not ok:
        raise BadInputError(f"A dream that is {decide_status(view.dream)} cannot be {what}")


def _archive_copy(uow: UnitOfWork, view: OrderView) -> None:
    card = uow.store_cards.get(view.dream.store_id, lock=True)
    if view.order.behavior is OutputBehavior.CREATE_NEW and card.archived_at is None:
        uow.store_cards.save(replace(card, archived_at=uow.now()))
