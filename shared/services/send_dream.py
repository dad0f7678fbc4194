"""Hand a queued dream to the broker, after the commit that made it. A broker that is away delays it, no more."""

import structlog

from shared.core.dream import Dream
from shared.core.errors import ServiceUnavailableError
from shared.ports.database import Database
from shared.ports.dispatch import Dispatch

_log = structlog.get_logger()


def send_dream(db: Database, dispatch: Dispatch, dream: Dream) -> str | None:
    """Send a dream's task; return why that did not work, or None. The reconciler sends it again in that case."""
    try:
        dispatch.send_dream(dream.tenant_id, dream.store, dream_id=dream.id)
    except ServiceUnavailableError as error:
        _log.warning(
            "dream_not_sent", tenant_id=dream.tenant_id, store=dream.store, dream_id=dream.id, reason=str(error)
        )
        return str(error)
    with db.transaction(dream.tenant_id) as uow:
        uow.dreams.set_sent(dream.id)
    return None
