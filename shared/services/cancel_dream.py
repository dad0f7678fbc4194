"""Ask a dream to stop. A queued one ends at once, a running one between two of its steps."""

from shared.core.dream import DreamState
from shared.core.errors import ConflictError
from shared.counting import count
from shared.ports.database import Database
from shared.services.look_again import look_again


def cancel_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str) -> DreamState:
    """Return the state that the dream is in now.

    Raises:
        ConflictError: the dream has ended already.
    """
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id, lock=True)
        if dream.state not in {DreamState.QUEUED, DreamState.RUNNING}:
            msg = f"{dream_id} has ended already: it is {dream.state}"
            raise ConflictError(msg)
        uow.dreams.request_cancel(dream_id)
        if dream.state is DreamState.QUEUED:
            uow.dreams.finish(dream_id, DreamState.CANCELED, reason=f"canceled by {actor}")
            look_again(uow, dream.store)
            count("slowwave_dreams_ended_total", state=str(DreamState.CANCELED))
        uow.record_audit(actor, "dream.cancel", dream_id=dream_id)
        return uow.dreams.get(dream_id).state
