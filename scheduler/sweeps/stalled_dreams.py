"""Sweep for stalled dreams: the reconciler, which dispatches them again.

A running dream with an expired lease is claimed again by the worker that gets the message, with a new epoch; it continues
with its first unfinished phase and its stored answers. A queued dream whose message was lost is dispatched again. A broker
that lost all its messages recovers in the same way.
"""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.ports.database import StalledDream
from shared.services.dreams.send import resend_dream
from shared.settings import Settings

_BATCH = 100


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.reconcile_seconds)


def find(ports: Ports) -> list[StalledDream]:
    """Return dreams that no worker is working on."""
    return ports.db.sweeps.find_stalled_dreams(_BATCH, ports.settings.reconcile_seconds)


def act(ports: Ports, stalled: StalledDream) -> bool:
    """Dispatch the dream's task again; the claim decides whether there is anything to do."""
    return resend_dream(ports.db, ports.dispatch, stalled)


SWEEP = Sweep(name="stalled_dreams", every=every, find=find, act=act)
