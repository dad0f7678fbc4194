"""Hand a queued dream to the broker, after the commit that made it. A broker that is away delays it, no more.

Send the dream that is next in line for the slot that one has just left.

Without it that dream would wait for the reconciler's next pass. Whatever goes wrong here is that pass's matter again.

Reconcile: whatever should be moving and is not gets a new message. Sweep and command line do the same.

Bounds are kept by whoever takes the message: the claim counts a rescue when it takes a dream over from a lost worker, and
past `max_rescues` it ends the dream as `partial` or `error`; a store whose dreams keep failing is put in quarantine with
its reason (shared/core/gates/quarantine.py).
"""

from dataclasses import dataclass

import structlog

from shared.core.dream.model import Dream
from shared.core.errors import ServiceUnavailableError, SlowwaveError
from shared.ports.database import Database, StalledDream
from shared.ports.dispatch import Dispatch

_log = structlog.get_logger()


def send_dream(db: Database, dispatch: Dispatch, dream: Dream) -> str | None:
    """Send a dream's task; return why that did not work, or None. The reconciler sends it again in that case."""
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


#: A pass by hand takes everything at once: it is run when the broker has lost all its messages.
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What a pass found; those not sent are found again by the next one."""

    found: int
    sent: int


def resend_dream(db: Database, dispatch: Dispatch, stalled: StalledDream) -> bool:
    """Send a dream's task again; the claim decides whether there is anything to do. Tell whether it was sent."""
    with db.transaction(stalled.tenant_id) as uow:
        dream = uow.dreams.get(stalled.dream_id)
    return send_dream(db, dispatch, dream) is None


def reconcile(db: Database, dispatch: Dispatch, *, unsent_seconds: float, actor: str) -> Reconciled:
    """Send every running dream without a live lease again, and queued ones not picked up for `unsent_seconds`.

    0 sends every queued dream. A message too many does no harm: the claim lets one of them through. Who asked for it
    stands in the installation's log.
    """
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
    """Return how many were sent, 0 or 1. A message too many does no harm: the claim decides who begins.

    One leaves one slot. More would send every dream again whose first message still waits for a worker, each time
    that one ends.
    """
    try:
        return sum(resend_dream(db, dispatch, one) for one in db.admission.find_next(slots)[:1])
    except SlowwaveError as error:
        _log.warning("next_dream_dispatch_failed", reason=str(error))
        return 0
