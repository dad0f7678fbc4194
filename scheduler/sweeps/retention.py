"""Sweep for retention: purge aged data of each tenant once a day, a limited number of tenants per pass."""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.services.tenants.purge import purge_expired
from shared.settings import Settings

_BATCH = 1_000
_DAY_SECONDS = 86_400.0


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.retention_seconds)


def find(ports: Ports) -> list[str]:
    """Claim tenants whose last pass was at least a day ago, longest ago first."""
    return ports.db.sweeps.claim_tenants_to_purge(_BATCH, _DAY_SECONDS)


def act(ports: Ports, tenant_id: str) -> bool:
    """Purge the aged data of a tenant."""
    return any(purge_expired(ports.db, tenant_id, ports.settings.retention).values())


SWEEP = Sweep(name="retention", every=every, find=find, act=act)
