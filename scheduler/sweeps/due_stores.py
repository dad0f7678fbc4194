"""Due stores: check the gates of those whose time has come, and have as many checked alone as there are free dream slots.

The claim pushes a store into the near future, so that a second beat finds other stores; the check sets the real time. Most
due stores have a gate that is shut. Those are told so here, many at once, and use up no slot; a store that may dream, or
that this pass cannot tell, gets a message and a check of its own.
"""

from dataclasses import dataclass
from datetime import timedelta

from scheduler.sweep import Sweep
from shared.ports.ports import Ports
from shared.ports.stores import DueStore
from shared.services.dreams.check import check_many
from shared.settings import Settings

_BATCH = 500
#: So many stores are claimed for a free slot at a time: few would be too slow, what is too many is given back.
_AHEAD = 8
#: A pass ends after so many claims; what is due then waits for the next one.
_CLAIMS = 40
#: A claimed store that nobody checked comes up again after about this long.
_HOLD_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Looked:
    """A due store, and whether a check of its own is worth a message."""

    due: DueStore
    is_open: bool


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.sweep_seconds)


def find(ports: Ports) -> list[Looked]:
    """Claim and check due stores while there are free slots; the backlog stays in the database, as it does in a pause."""
    if ports.db.installation.get().paused_at is not None:
        return []
    free = ports.settings.max_active_dreams - ports.db.sweeps.count_active_dreams()
    found: list[Looked] = []
    for _ in range(_CLAIMS):
        if free <= 0:
            break
        limit = min(_BATCH, _AHEAD * free)
        claimed = ports.db.sweeps.claim_due_stores(limit, _HOLD_SECONDS)
        looked = _look(ports, claimed, free)
        free -= sum(one.is_open for one in looked)
        found += looked
        if len(claimed) < limit:
            break
    return found


def _look(ports: Ports, claimed: list[DueStore], free: int) -> list[Looked]:
    """Check claimed stores; those beyond the free slots get back their place in the line."""
    left = check_many(ports.db, claimed) if claimed else []
    if len(left) > free:
        ports.db.sweeps.release(left[free:])
    is_left, taken = set(left), set(left[:free])
    return [Looked(due, due in taken) for due in claimed if due in taken or due not in is_left]


def act(ports: Ports, looked: Looked) -> bool:
    """Send the check of a store that may dream."""
    if looked.is_open:
        ports.dispatch.send_check(looked.due.tenant_id, looked.due.store)
    return looked.is_open


SWEEP = Sweep(name="due_stores", every=every, find=find, act=act)
