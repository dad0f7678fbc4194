"""Order a dream over the API: from one store and given sessions, into a copy or into the store itself."""

from dataclasses import replace

from shared.core.dream import ACTIVE_STATES, Dream, Trigger
from shared.core.dream_order import DreamOrder, OutputBehavior, check_order
from shared.core.errors import ArchivedError, BadInputError, ConflictError
from shared.core.gates import decide_gates
from shared.core.store import Store
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.ids import Ids
from shared.services.copy_store import copy_store
from shared.services.gate_facts import get_gate_facts


def order_dream(
    db: Database, ids: Ids, tenant_id: str, order: DreamOrder, *, actor: str = ""
) -> tuple[Dream, DreamOrder]:
    """Queue a dream, after making the copy that it writes to; all of it or nothing. Whoever calls sends it.

    It waits for a slot of the tenant rather than be refused, and for nothing else: it was asked for.

    Raises:
        BadInputError: what was asked for is not usable, or a session is none of the tenant's.
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
        ConflictError: another dream is at work in the store it would write to, or dreaming is paused or spent.
    """
    order = check_order(replace(order, session_ids=tuple(sorted(order.session_ids))))
    with db.transaction(tenant_id) as uow:
        source = uow.store_cards.get(order.input_store_id)
        if source.archived_at is not None:
            raise ArchivedError
        _check_sessions(uow, order)
        is_copy = order.behavior is OutputBehavior.CREATE_NEW
        target = copy_store(uow, ids, source).name if is_copy else source.name
        uow.stores.get_tenant(lock=True)
        store = uow.stores.get(target, lock=True)
        _check_gates(uow, uow.stores.get(source.name), store)
        dream = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
        order = replace(order, dream_id=dream.id)
        uow.orders.add(order)
        stores = {"input_store_id": order.input_store_id, "store_id": store.id}
        uow.record_audit(actor, "dream.order", dream_id=dream.id, **stores)
    count("slowwave_dreams_queued_total", trigger=str(Trigger.API))
    return dream, order


def _check_sessions(uow: UnitOfWork, order: DreamOrder) -> None:
    unknown = [one for one in order.session_ids if one not in uow.session_cards.find_known(order.session_ids)]
    if unknown:
        raise BadInputError(f"There is no session {unknown[0]}, or it is not this key's to see")


def _check_gates(uow: UnitOfWork, source: Store, target: Store) -> None:
    """Pass the gates that hold always, those of the source too: what is paused is not dreamed over in a copy."""
    tenant = uow.stores.get_tenant()
    active = uow.dreams.find_recent(store_id=target.id, states=ACTIVE_STATES, limit=1)
    if active:
        raise ConflictError(f"Another dream is running ({active[0].id})")
    facts = replace(get_gate_facts(uow, tenant, source), running_dream="", tenant_dreams=0)
    verdict = decide_gates(facts, source.policy.gates, uow.now(), force=True)
    if not verdict.is_open:
        count("slowwave_refusals_total", gate=verdict.gate)
        raise ConflictError(verdict.reason)
