"""Dispatch queued dreams after their commit: new ones, the next in line for a free slot, and stalled ones again.

An outage of the broker only delays a dream: the reconciler sends it again. The consumer enforces the limits: the claim
counts a rescue when it takes a dream over from a lost worker, and past `max_rescues` it ends the dream as `partial` or
`error`. A store whose dreams keep failing goes into quarantine (shared/core/gates/quarantine.py).
"""

from dataclasses import dataclass

from shared.core.dream.model import Dream
from shared.core.errors import ServiceUnavailableError, SlowwaveError
from shared.logger import get_logger
from shared.ports.database import Database, StalledDream
from shared.ports.dispatch import Dispatch

_log = get_logger()


def send_dream(db: Database, dispatch: Dispatch, dream: Dream) -> str | None:
    """Send a dream's task; return the reason if that failed, else None. The reconciler retries."""
    try:
        dispatch.send_dream(dream.tenant_id, dream.store, dream_id=dream.id)
    except ServiceUnavailableError as error:
        _log.warning(
            "dream_dispatch_failed", tenant_id=dream.tenant_id, store=dream.store, dream_id=dream.id, reason=str(error)
        )
        return str(error)
    with db.transaction(dream.tenant_id) as uow:
        uow.dreams.set_sent(dream.id)
    return None


#: A manual pass takes everything at once: it is run when the broker has lost all its messages.
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """The counts of a pass. The next pass finds dreams again that could not be sent."""

    found: int
    sent: int


def resend_dream(db: Database, dispatch: Dispatch, stalled: StalledDream) -> bool:
    """Send a dream's task again, and tell whether that succeeded. The claim decides whether there is work."""
    with db.transaction(stalled.tenant_id) as uow:
        dream = uow.dreams.get(stalled.dream_id)
    return send_dream(db, dispatch, dream) is None


def reconcile(db: Database, dispatch: Dispatch, *, unsent_seconds: float, actor: str) -> Reconciled:
    """Send running dreams without a live lease again, and queued ones not picked up for `unsent_seconds`.

    0 sends every queued dream. A duplicate message is harmless: the claim lets one of them through. The installation's
    audit log records the actor.
    """
    db = db.with_shadows()  # the dreams over copies, too
    stalled = db.sweeps.find_stalled_dreams(_NO_LIMIT, unsent_seconds)
    sent = 0
    for one in stalled:
        try:
            sent += resend_dream(db, dispatch, one)
        except SlowwaveError as error:
            _log.warning("dream_dispatch_failed", tenant_id=one.tenant_id, dream_id=one.dream_id, reason=str(error))
    db.installation.record(actor, "reconcile", found=len(stalled), sent=sent, republish=unsent_seconds == 0)
    return Reconciled(found=len(stalled), sent=sent)


def send_next(db: Database, dispatch: Dispatch, slots: int) -> int:
    """Send the dream that is next in line for a free slot; return how many were sent, 0 or 1.

    Without this, that dream would wait for the reconciler's next pass. One ending dream frees one slot: sending more
    would send every dream again whose first message still waits for a worker.
    """
    try:
        return sum(resend_dream(db, dispatch, one) for one in db.admission.find_next(slots)[:1])
    except SlowwaveError as error:
        _log.warning("next_dream_dispatch_failed", reason=str(error))
        return 0
