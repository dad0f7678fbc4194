"""Check one due store: evaluate all gates, then start the dream or record the reason against it."""

from datetime import timedelta
from zoneinfo import ZoneInfoNotFoundError

from scheduler.phases import get_phases
from shared.all_ports import Ports
from shared.core.dream.model import Trigger
from shared.core.errors import BadInputError, NotFoundError
from shared.core.tenants.store import Verdict
from shared.counting import count
from shared.logger import get_logger
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream

_log = get_logger()
#: Delay of the next check for settings that this version cannot read.
_INVALID_PAUSE = timedelta(hours=1)


def check_eligibility(ports: Ports, tenant_id: str, store: str) -> str | None:
    """Start the dream if the gates are open; return its id, or None after storing the verdict."""
    try:
        started = start_dream(ports.db, tenant_id, store, trigger=Trigger.SWEEP, phases=get_phases)
    except NotFoundError as error:  # deleted since the sweep, or the database was restored from a backup
        _log.warning("store_not_found", reason=str(error))
        return None
    except (BadInputError, ZoneInfoNotFoundError) as error:
        _record_invalid_settings(ports, tenant_id, store, str(error))
        return None
    if started.dream is None:
        _log.info("not_eligible", gate=started.verdict.gate, reason=started.verdict.reason)
        return None
    send_dream(ports.db, ports.dispatch, started.dream)
    return started.dream.id


def _record_invalid_settings(ports: Ports, tenant_id: str, store: str, reason: str) -> None:
    """Record that a store was not checked because this version cannot read its settings or its tenant's."""
    with ports.db.transaction(tenant_id) as uow:
        found = uow.stores.get(store)
        verdict = Verdict(at=uow.now(), is_open=False, gate="settings", reason=reason)
        uow.activity.record_verdict(found.id, verdict, uow.now() + _INVALID_PAUSE, is_full_check=False)
    count("slowwave_refusals_total", gate="settings")
    _log.warning("not_eligible", gate="settings", reason=reason)
