"""Check one store that the sweep found due: all gates again, then start the dream or record why not."""

from datetime import timedelta
from zoneinfo import ZoneInfoNotFoundError

import structlog

from shared.core.dream.model import Trigger
from shared.core.errors import BadInputError, NotFoundError
from shared.core.tenants.store import Verdict
from shared.counting import count
from shared.ports.ports import Ports
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream

_log = structlog.get_logger()
#: Settings that nobody understands, as those of another version, are looked at again after this long.
_ODD_PAUSE = timedelta(hours=1)


def check_eligibility(ports: Ports, tenant_id: str, store: str) -> str | None:
    """Return the id of the dream that was queued, or None with the verdict kept on the store."""
    try:
        started = start_dream(ports.db, tenant_id, store, trigger=Trigger.SWEEP)
    except NotFoundError as error:  # deleted since the sweep, or the database is of an older day than the message
        _log.warning("store_not_found", reason=str(error))
        return None
    except (BadInputError, ZoneInfoNotFoundError) as error:
        _keep_odd(ports, tenant_id, store, str(error))
        return None
    if started.dream is None:
        _log.info("not_eligible", gate=started.verdict.gate, reason=started.verdict.reason)
        return None
    send_dream(ports.db, ports.dispatch, started.dream)
    return started.dream.id


def _keep_odd(ports: Ports, tenant_id: str, store: str, reason: str) -> None:
    """Say on a store why it is not checked: its settings, or its tenant's, are none of this version."""
    with ports.db.transaction(tenant_id) as uow:
        found = uow.stores.get(store)
        verdict = Verdict(at=uow.now(), is_open=False, gate="settings", reason=reason)
        uow.activity.record_verdict(found.id, verdict, uow.now() + _ODD_PAUSE, is_full_check=False)
    count("slowwave_refusals_total", gate="settings")
    _log.warning("not_eligible", gate="settings", reason=reason)
