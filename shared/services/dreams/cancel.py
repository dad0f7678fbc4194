"""Cancel a dream. A queued one ends at once, a running one at its next step.

A dream whose worker is gone also ends at once, unless it has changed the store: then the next worker ends it, because the
recall guard has to check the changes.
"""

from shared.core.dream.model import Dream, DreamState
from shared.core.dream.summary import decide_final_state
from shared.core.errors import ConflictError
from shared.core.tenants.audit import as_change
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.dispatch import Dispatch
from shared.services.dreams.next_check import schedule_next_check
from shared.services.dreams.send import send_dream


def cancel_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str) -> DreamState:
    """Request a dream's cancellation and return its state.

    Raises:
        ConflictError: the dream has ended already.
    """
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id, lock=True)
        if dream.state not in {DreamState.QUEUED, DreamState.RUNNING}:
            msg = f"{dream_id} has ended already: it is {dream.state}"
            raise ConflictError(msg)
        uow.dreams.request_cancel(dream_id)
        if dream.state is DreamState.QUEUED or (dream.has_lost_worker(uow.now()) and not _has_changes(uow, dream)):
            uow.dreams.finish(dream_id, DreamState.CANCELED, reason=f"canceled by {actor}")
            if not dream.is_upkeep:  # its next check is scheduled already
                schedule_next_check(uow, dream.store)
            count("slowwave_dreams_ended_total", state=str(DreamState.CANCELED))
        state = uow.dreams.get(dream_id).state
        uow.record_audit(actor, "dream.cancel", dream_id=dream_id, state=as_change(dream.state, state))
        return state


def _has_changes(uow: UnitOfWork, dream: Dream) -> bool:
    state, _ = decide_final_state(uow.phases.find_all(dream.id), (), canceled=True)
    return state is not DreamState.CANCELED


def wake_dream(db: Database, dispatch: Dispatch, tenant_id: str, dream_id: str) -> None:
    """Send a canceled dream that is snoozed or has no worker, so that it ends now, not at the reconciler's next pass."""
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id)
        is_without_worker = dream.next_attempt_at is not None or dream.has_lost_worker(uow.now())
    if dream.state is DreamState.RUNNING and is_without_worker:
        send_dream(db, dispatch, dream)
