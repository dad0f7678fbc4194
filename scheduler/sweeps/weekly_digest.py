"""Sweep for weekly digests: put the last week into the outbox of the endpoints that want it, once the week is over for the tenant."""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.services.insight.weekly_digest import send_weekly_digest
from shared.settings import Settings

_BATCH = 100


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.reconcile_seconds)


def find(ports: Ports) -> list[str]:
    """Return tenants with an endpoint whose digest is due."""
    return ports.db.delivery_queue.find_due_digests(_BATCH)


def act(ports: Ports, tenant_id: str) -> bool:
    """Queue the digest, which finds out again what is due."""
    return send_weekly_digest(ports.db, tenant_id)


SWEEP = Sweep(name="weekly_digest", every=every, find=find, act=act)
