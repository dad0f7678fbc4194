"""Reconcile: whatever should be moving and is not gets a new message. Sweep and command line do the same.

Bounds are kept by whoever takes the message: the claim counts a rescue when it takes a dream over from a lost worker, and
past `max_rescues` it ends the dream as `partial` or `error`; a store whose dreams keep failing is put in quarantine with
its reason (shared/core/quarantine.py).
"""

from dataclasses import dataclass

import structlog

from shared.core.errors import SlowwaveError
from shared.ports.database import Database, StalledDream
from shared.ports.dispatch import Dispatch
from shared.services.send_dream import send_dream

_log = structlog.get_logger()
#: A pass by hand takes everything at once: it is run when the broker has lost all its messages.
_ALL = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What a pass found; those not sent are found again by the next one."""

    found: int
    sent: int


def send_again(db: Database, dispatch: Dispatch, stalled: StalledDream) -> bool:
    """Send a dream's task again; the claim decides whether there is anything to do. Tell whether it was sent."""
    with db.transaction(stalled.tenant_id) as uow:
        dream = uow.dreams.get(stalled.dream_id)
    return send_dream(db, dispatch, dream) is None


def reconcile(db: Database, dispatch: Dispatch, *, unsent_seconds: float, actor: str) -> Reconciled:
    """Send every running dream without a live lease again, and queued ones not picked up for `unsent_seconds`.

    0 sends every queued dream. A message too many does no harm: the claim lets one of them through. Who asked for it
    stands in the installation's log.
    """
    stalled = db.sweeps.find_stalled_dreams(_ALL, unsent_seconds)
    sent = 0
    for one in stalled:
        try:
            sent += send_again(db, dispatch, one)
        except SlowwaveError as error:
            _log.warning("dream_not_sent", tenant_id=one.tenant_id, dream_id=one.dream_id, reason=str(error))
    db.installation.record(actor, "reconcile", found=len(stalled), sent=sent, republish=unsent_seconds == 0)
    return Reconciled(found=len(stalled), sent=sent)
