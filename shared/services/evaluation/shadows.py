"""Make and remove shadows: the copies of a store that an evaluation dreams over. Callers use a `Database.with_shadows`."""

from shared.core.dream.model import ACTIVE_STATES, DreamState
from shared.core.errors import ConflictError
from shared.core.tenants.shadow import find_evaluation_id, original_name
from shared.core.tenants.store import Store
from shared.ports.database import Database, UnitOfWork
from shared.working import Work, doing

#: More dreams than one copy has.
_MOST_DREAMS = 100


def remove_shadow(uow: UnitOfWork, store: Store) -> float:
    """Delete a shadow with all that its dreams have left; return their cost in dollars. None of them may be active.

    What they have cost counts for its store from now on, instead of what was reserved for them.
    """
    dreams = uow.dreams.find_recent(store_id=store.id, limit=_MOST_DREAMS)
    usd = sum(uow.calls.get_totals(dream.id).cost_usd for dream in dreams)
    uow.budgets.release([find_evaluation_id(store.name)])
    uow.evaluations.keep_calls(store.id, original_name(store.name))
    uow.memories(store.id).lock(())
    uow.purges.delete_store(store.id)
    return usd


def remove_shadows(db: Database, tenant_id: str, evaluation_id: str) -> bool:
    """Delete the shadows of an evaluation that has ended; return whether none is left.

    A running dream is asked to stop; its shadow is deleted when it has. Answers that are too old to be taken go, too.
    """
    with doing(Work.PURGE), db.with_shadows().transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # claims take turns by this row, so that no dream can begin meanwhile
        stopped = [_stop(uow, evaluation_id, store) for store in uow.evaluations.shadows.find(evaluation_id)]
        uow.calls.bought.delete_old(evaluation_id)
        return all(stopped)


def _stop(uow: UnitOfWork, evaluation_id: str, store: Store) -> bool:
    for dream in uow.dreams.find_recent(store_id=store.id, states=ACTIVE_STATES, limit=1):
        if dream.cancel_requested_at is None:
            uow.dreams.request_cancel(dream.id)
        if dream.state is DreamState.RUNNING and not dream.has_lost_worker(uow.now()):
            return False
        uow.dreams.finish(dream.id, DreamState.CANCELED, reason="its evaluation has ended")
    uow.evaluations.add_cost(evaluation_id, remove_shadow(uow, store))
    return True


def check_no_shadow(uow: UnitOfWork, store_id: str) -> None:
    """Raise ConflictError while a store is being evaluated: its copies hold texts that are to go."""
    active = uow.evaluations.find_active(store_id)
    if active is not None:
        raise ConflictError(f"{active.store} is being evaluated ({active.id}); cancel it, or wait for its end")
