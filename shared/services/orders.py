"""Dreams ordered over the API: order, read, cancel and archive them.

An order names a store and sessions, and writes to the store itself or to a copy. A copy holds memories with their
lineage, hints and settings; not versions, sessions or dreams.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from shared.all_ports import Ports
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, Trigger
from shared.core.dream.orders import FINAL, DreamOrder, OrderStatus, OutputBehavior, check_order, decide_status
from shared.core.errors import ArchivedError, BadInputError, ConflictError, NotFoundError, QueueFullError
from shared.core.gates.gates import decide_gates
from shared.core.listings.records import MAX_TITLE_CHARS, StoreRecord
from shared.core.tenants.store import Store
from shared.counting import count
from shared.ports.api_lists import Place, TimeSpan
from shared.ports.database import Database, UnitOfWork
from shared.ports.llm import LlmUsage
from shared.ports.runtime import Ids
from shared.services.dreams.cancel import cancel_dream, wake_dream
from shared.services.dreams.gate_facts import get_gate_facts
from shared.services.dreams.start import tell_queued
from shared.services.tenants.stores import add_described_store


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderView:
    """A dream, its order, and its tokens so far."""

    dream: Dream
    order: DreamOrder
    usage: LlmUsage


def get_order(db: Database, tenant_id: str, dream_id: str) -> OrderView:
    """Return a dream as an order. Raises NotFoundError, also for a dry run, which has no result to show."""
    with db.transaction(tenant_id) as uow:
        return view_order(uow, dream_id)


def find_orders(
    db: Database,
    tenant_id: str,
    span: TimeSpan,
    *,
    statuses: Collection[OrderStatus],
    with_archived: bool,
    start_after: Place | None,
    limit: int,
) -> list[OrderView]:
    """Return dreams, newest first; one without an order looks like an order for its own store."""
    with db.transaction(tenant_id) as uow:
        found = uow.orders.find_page(
            span, statuses=statuses, with_archived=with_archived, start_after=start_after, limit=limit
        )
        usage = uow.orders.find_usage([dream.id for dream, _ in found])
        return [
            OrderView(dream=dream, order=order or default_order(dream), usage=usage.get(dream.id, LlmUsage()))
            for dream, order in found
        ]


def view_order(uow: UnitOfWork, dream_id: str, *, lock: bool = False) -> OrderView:
    """Return a dream within a transaction; `lock` locks its row. Raises NotFoundError."""
    dream = uow.dreams.get(dream_id, lock=lock)
    if dream.is_dry_run:
        raise NotFoundError
    order = uow.orders.find(dream_id) or default_order(dream)
    return OrderView(dream=dream, order=order, usage=uow.orders.find_usage([dream_id]).get(dream_id, LlmUsage()))


def default_order(dream: Dream) -> DreamOrder:
    """Return an order that represents a dream started by a sweep or the command line."""
    return DreamOrder(
        dream_id=dream.id,
        input_store_id=dream.store_id,
        behavior=OutputBehavior.UPDATE_EXISTING,
        session_ids=(),
        model=dream.model,
    )


def cancel_order(ports: Ports, tenant_id: str, dream_id: str, *, actor: str) -> OrderView:
    """Cancel a dream; a canceled one is returned as it is. The copy of one that never began is archived.

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
    """Hide an ended dream from the list, for good; archiving it again changes nothing.

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
    record = uow.store_listing.get(view.dream.store_id, lock=True)
    if view.order.behavior is OutputBehavior.CREATE_NEW and record.archived_at is None:
        uow.store_listing.save(replace(record, archived_at=uow.now()))


_ENDING = " (dreamed)"


def copy_store(uow: UnitOfWork, ids: Ids, source: StoreRecord) -> StoreRecord:
    """Copy a store in the caller's transaction, so that a failure leaves nothing behind."""
    title = (source.title or source.name)[: MAX_TITLE_CHARS - len(_ENDING)] + _ENDING
    copied = add_described_store(uow, ids, title=title, description=source.description, labels=source.labels)
    original, made = uow.stores.get(source.name), uow.stores.get(copied.name)
    uow.stores.save(replace(made, profile=original.profile, overrides=original.overrides, autonomy=original.autonomy))
    new_ids = {memory_id: ids.new("mem") for memory_id in uow.store_listing.find_memory_ids(source.id)}
    uow.store_listing.copy_memories(source.id, copied.id, new_ids)
    return copied


#: Dreams of one tenant that wait for a slot; a further order is refused.
MAX_WAITING = 20
_RETRY_SECONDS = 60.0


def order_dream(
    db: Database, ids: Ids, tenant_id: str, order: DreamOrder, *, force: bool = True, actor: str = ""
) -> tuple[Dream, DreamOrder]:
    """Queue a dream, with the copy that it writes to, in one transaction. The caller dispatches it.

    A forced order waits for a slot of the tenant instead of being refused, and skips the other gates that wait.

    Raises:
        BadInputError: the order is invalid, or a session does not belong to the tenant.
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
        ConflictError: another dream of the target store is active, or a gate is shut.
        QueueFullError: too many dreams of the tenant wait already.
    """
    order = check_order(replace(order, session_ids=tuple(sorted(order.session_ids))))
    with db.transaction(tenant_id) as uow:
        source = uow.store_listing.get(order.input_store_id)
        if source.archived_at is not None:
            raise ArchivedError
        _check_sessions(uow, order)
        if len(uow.dreams.find_recent(states={DreamState.QUEUED}, limit=MAX_WAITING)) >= MAX_WAITING:
            raise QueueFullError(MAX_WAITING, _RETRY_SECONDS)
        is_copy = order.behavior is OutputBehavior.CREATE_NEW
        target = copy_store(uow, ids, source).name if is_copy else source.name
        uow.stores.get_tenant(lock=True)
        store = uow.stores.get(target, lock=True)
        _check_gates(uow, uow.stores.get(source.name), store, force=force)
        dream = uow.dreams.add(store.id, trigger=Trigger.API, force=force, dry_run=False)
        order = replace(order, dream_id=dream.id)
        uow.orders.add(order)
        stores = {"input_store_id": order.input_store_id, "store_id": store.id}
        uow.record_audit(actor, "dream.order", dream_id=dream.id, **stores)
    tell_queued(dream)
    return dream, order


def _check_sessions(uow: UnitOfWork, order: DreamOrder) -> None:
    unknown = [one for one in order.session_ids if one not in uow.session_listing.find_known(order.session_ids)]
    if unknown:
        raise BadInputError(f"There is no session {unknown[0]}, or this key may not see it")


def _check_gates(uow: UnitOfWork, source: Store, target: Store, *, force: bool) -> None:
    """Check the gates of the source: a paused store is not dreamt over in a copy either."""
    tenant = uow.stores.get_tenant()
    active = uow.dreams.find_recent(store_id=target.id, states=ACTIVE_STATES, limit=1)
    if active:
        raise ConflictError(f"Another dream is running ({active[0].id})")
    facts = get_gate_facts(uow, tenant, source)
    if force:
        facts = replace(facts, running_dream="", tenant_dreams=0)
    verdict = decide_gates(facts, source.policy.gates, uow.now(), force=force)
    if not verdict.is_open:
        count("slowwave_refusals_total", gate=verdict.gate)
        raise ConflictError(verdict.reason)
