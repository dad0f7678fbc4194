"""Check one store that the sweep found due: all gates again, then start the dream or record why not."""

import structlog

from shared.core.dream import Trigger
from shared.ports.all_ports import Ports
from shared.services.send_dream import send_dream
from shared.services.start_dream import start_dream

_log = structlog.get_logger()


def check_eligibility(ports: Ports, tenant_id: str, store: str) -> str | None:
    """Return the id of the dream that was queued, or None with the verdict kept on the store."""
    started = start_dream(ports.db, tenant_id, store, trigger=Trigger.SWEEP)
    if started.dream is None:
        _log.info("not_eligible", gate=started.verdict.gate, reason=started.verdict.reason)
        return None
    send_dream(ports.db, ports.dispatch, started.dream)
    return started.dream.id
