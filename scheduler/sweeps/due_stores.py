"""Due stores: have each store checked whose time has come, as many as there are free dream slots.

The claim pushes a store into the near future, so that a second beat finds other stores; the check sets the real time.
"""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.ports.all_ports import Ports
from shared.ports.database import DueStore
from shared.settings import Settings

_BATCH = 500
#: A claimed store that nobody checked comes up again after about this long.
_HOLD_SECONDS = 600.0


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.sweep_seconds)


def find(ports: Ports) -> list[DueStore]:
    """Claim due stores while there are free slots; the backlog stays in the database, and so it does in a pause."""
    if ports.db.installation.get().paused_at is not None:
        return []
    free = ports.settings.max_active_dreams - ports.db.sweeps.count_active_dreams()
    return ports.db.sweeps.claim_due_stores(min(_BATCH, free), _HOLD_SECONDS) if free > 0 else []


def act(ports: Ports, due: DueStore) -> bool:
    """Send the check."""
    ports.dispatch.send_check(due.tenant_id, due.store)
    return True


SWEEP = Sweep(name="due_stores", every=every, find=find, act=act)
