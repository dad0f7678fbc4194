"""Send the dreams that are next in line for the slots that are free, because one has just ended.

Without it they would wait for the reconciler's next pass. Whatever goes wrong here is that pass's matter again.
"""

import structlog

from shared.core.errors import SlowwaveError
from shared.ports.database import Database
from shared.ports.dispatch import Dispatch
from shared.services.reconcile import send_again

_log = structlog.get_logger()


def send_next(db: Database, dispatch: Dispatch, slots: int) -> int:
    """Return how many were sent. A message too many does no harm: the claim decides who begins."""
    try:
        return sum(send_again(db, dispatch, one) for one in db.admission.find_next(slots))
    except SlowwaveError as error:
        _log.warning("next_dreams_not_sent", reason=str(error))
        return 0
