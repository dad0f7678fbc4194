"""Send the dream that is next in line for the slot that one has just left.

Without it that dream would wait for the reconciler's next pass. Whatever goes wrong here is that pass's matter again.
"""

import structlog

from shared.core.errors import SlowwaveError
from shared.ports.database import Database
from shared.ports.dispatch import Dispatch
from shared.services.reconcile import send_again

_log = structlog.get_logger()


def send_next(db: Database, dispatch: Dispatch, slots: int) -> int:
    """Return how many were sent, 0 or 1. A message too many does no harm: the claim decides who begins.

    One leaves one slot. More would send every dream again whose first message still waits for a worker, each time
    that one ends.
    """
    try:
        return sum(send_again(db, dispatch, one) for one in db.admission.find_next(slots)[:1])
    except SlowwaveError as error:
        _log.warning("next_dream_not_sent", reason=str(error))
        return 0
