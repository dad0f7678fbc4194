"""Due deliveries: claim the webhooks whose time has come, and have each attempted by a worker.

The claim bounds how many attempts are under way, of all tenants and of one. A worker that is through with one looks for
more at once; this pass finds what comes up when nothing is under way, and what a worker died with.
"""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.ports.ports import Ports
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
    """Have a worker attempt it."""
    ports.dispatch.send_delivery(claimed)
    return True


SWEEP = Sweep(name="due_deliveries", every=every, find=find, act=act)
