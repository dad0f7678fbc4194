"""Sweep for due deliveries: claim due webhooks and dispatch an attempt of each to a worker.

The claim limits the attempts in progress, in total and per tenant. A worker claims more as soon as it has finished one; this
sweep finds deliveries that become due while none is in progress, and those of dead workers.
"""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.ports.webhooks import ClaimedDelivery
from shared.services.webhooks.deliver import claim_deliveries
from shared.settings import Settings


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.webhooks.sweep_seconds)


def find(ports: Ports) -> list[ClaimedDelivery]:
    """Claim due deliveries while there are free slots; the backlog stays in the database."""
    return claim_deliveries(ports)


def act(ports: Ports, claimed: ClaimedDelivery) -> bool:
    """Dispatch the attempt to a worker."""
    ports.dispatch.send_delivery(claimed)
    return True


SWEEP = Sweep(name="due_deliveries", every=every, find=find, act=act)
