"""Stalled dreams: the reconciler. Whatever should be moving and is not gets a new message.

Running dreams whose lease lapsed are claimed anew by whoever takes the message: new epoch, first undone phase, stored
answers. Queued dreams that nobody took are sent again. A lost broker heals the same way.
"""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.ports.database import StalledDream
from shared.ports.ports import Ports
from shared.services.dreams.send import resend_dream
from shared.settings import Settings

_BATCH = 100


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.reconcile_seconds)


def find(ports: Ports) -> list[StalledDream]:
    """Return dreams that nobody works on."""
    return ports.db.sweeps.find_stalled_dreams(_BATCH, ports.settings.reconcile_seconds)


def act(ports: Ports, stalled: StalledDream) -> bool:
    """Send the dream's task again; the claim decides whether there is anything to do."""
    return resend_dream(ports.db, ports.dispatch, stalled)


SWEEP = Sweep(name="stalled_dreams", every=every, find=find, act=act)
