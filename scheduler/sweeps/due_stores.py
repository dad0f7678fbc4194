"""Sweep for due stores: check the gates of many stores at once, and dispatch a check for those that may dream.

The claim moves a store's next check a little ahead, so that a second beat finds other stores; the check sets the real time.
Most due stores have a shut gate: their verdict is stored here, in batches, and needs no slot. A store that may dream, or
whose verdict needs more facts, gets a message and a check of its own, as far as dream slots are free.
"""

from dataclasses import dataclass
from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.ports.stores import DueStore
from shared.services.dreams.check import check_many
from shared.settings import Settings

_BATCH = 500
#: Stores claimed per free slot. Fewer would be slow; surplus claims are released.
_AHEAD = 8
#: Claims per pass; further due stores wait for the next pass.
_CLAIMS = 40
#: A claimed store that was not checked comes up again after about this long.
_HOLD_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class CheckedStore:
    """A due store, and whether it gets a check of its own."""

    due: DueStore
    is_open: bool


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.sweep_seconds)


def find(ports: Ports) -> list[CheckedStore]:
    """Claim and check due stores while there are free slots. The backlog stays in the database, also during a pause."""
    if ports.db.installation.get().paused_at is not None:
        return []
    slots = ports.settings.max_active_dreams
    free = slots - ports.db.sweeps.count_active_dreams(slots)
    found: list[CheckedStore] = []
    for _ in range(_CLAIMS):
        if free <= 0:
            break
        limit = min(_BATCH, _AHEAD * free)
        claimed = ports.db.sweeps.claim_due_stores(limit, _HOLD_SECONDS)
        checked = _check_gates(ports, claimed, free)
        free -= sum(one.is_open for one in checked)
        found += checked
        if len(claimed) < limit:
            break
    return found


def _check_gates(ports: Ports, claimed: list[DueStore], free: int) -> list[CheckedStore]:
    """Check claimed stores; those beyond the free slots are released."""
    left = check_many(ports.db, claimed) if claimed else []
    if len(left) > free:
        ports.db.sweeps.release(left[free:])
    is_left, taken = set(left), set(left[:free])
    return [CheckedStore(due, due in taken) for due in claimed if due in taken or due not in is_left]


def act(ports: Ports, checked: CheckedStore) -> bool:
    """Send the check of a store that may dream."""
    if checked.is_open:
        ports.dispatch.send_check(checked.due.tenant_id, checked.due.store)
    return checked.is_open


SWEEP = Sweep(name="due_stores", every=every, find=find, act=act)
