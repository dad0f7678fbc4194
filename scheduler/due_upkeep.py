"""Build the sweeps for upkeep: claim stores that are due for a digest or a compaction, and start their dreams.

As for whole dreams, the claim moves a store's next check a little ahead, and the check sets the real time. A store with
nothing to do is not checked again until its next activity. No more dreams are started than there are free slots.
"""

from dataclasses import dataclass, field
from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.core.dream.model import Trigger
from shared.logger import get_logger
from shared.ports.stores import DueStore
from shared.services.dreams.send import send_dream
from shared.services.dreams.start_upkeep import start_upkeep
from shared.settings import Settings

_log = get_logger()
_BATCH = 500
#: A claimed store that was not checked comes up again after about this long.
_HOLD_SECONDS = 600.0


@dataclass
class Slots:
    """The number of dreams that this pass may still start."""

    free: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claimed store that is due."""

    due: DueStore
    slots: Slots = field(repr=False)


def make_sweep(name: str, trigger: Trigger) -> Sweep:
    """Return the sweep of one kind of upkeep."""

    def every(settings: Settings) -> timedelta:
        return timedelta(seconds=settings.upkeep_seconds)

    def find(ports: Ports) -> list[Claimed]:
        if ports.db.installation.get().paused_at is not None:
            return []
        limit = ports.settings.max_active_dreams
        slots = Slots(free=limit - ports.db.sweeps.count_active_dreams(limit))
        if slots.free <= 0:
            return []
        return [Claimed(due, slots) for due in ports.db.sweeps.claim_due_stores(_BATCH, _HOLD_SECONDS, trigger)]

    def act(ports: Ports, claimed: Claimed) -> bool:
        return _start(ports, claimed, trigger)

    return Sweep(name=name, every=every, find=find, act=act)


def _start(ports: Ports, claimed: Claimed, trigger: Trigger) -> bool:
    """Start the dream of a store if it is due. Without a free slot the store is claimed again later."""
    if claimed.slots.free <= 0:
        return False
    started = start_upkeep(ports.db, claimed.due.tenant_id, claimed.due.store, trigger)
    if started.dream is None:
        _log.info("upkeep_not_due", upkeep=str(trigger), gate=started.verdict.gate)
        return False
    claimed.slots.free -= 1
    send_dream(ports.db, ports.dispatch, started.dream)
    return True
