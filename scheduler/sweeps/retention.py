"""Retention: each tenant once a day, so many tenants a pass, and of each what has aged beyond its policy."""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.ports.ports import Ports
from shared.services.tenants.purge import purge_expired
from shared.settings import Settings

_BATCH = 1_000
_DAY_SECONDS = 86_400.0


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.retention_seconds)


def find(ports: Ports) -> list[str]:
    """Claim the tenants whose last pass is a day ago, longest ago first."""
    return ports.db.sweeps.claim_tenants_to_purge(_BATCH, _DAY_SECONDS)


def act(ports: Ports, tenant_id: str) -> bool:
    """Purge what has aged."""
    return any(purge_expired(ports.db, tenant_id, ports.settings.retention).values())


SWEEP = Sweep(name="retention", every=every, find=find, act=act)
