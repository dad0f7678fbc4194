"""Starting and claiming dreams as a sweep does, for the tests of gates and slots."""

from dataclasses import replace
from typing import Any

from shared.all_ports import Ports
from shared.core.dream.model import Dream, Trigger
from shared.services.dreams.claim import ClaimResult, LeaseTerms, claim_dream
from shared.services.dreams.start import StartResult, start_dream
from workers.phases import get_catalog

TERMS = LeaseTerms(lease_seconds=60, model="scripted")


def start(
    ports: Ports, tenant: str, store: str = "default", *, force: bool = False, trigger: Trigger = Trigger.SWEEP
) -> StartResult:
    return start_dream(ports.db, tenant, store, trigger=trigger, force=force, phases=get_catalog)


def claim(ports: Ports, dream: Dream) -> ClaimResult:
    return claim_dream(ports.db, ports.lock, dream.tenant_id, dream.id, TERMS)


def start_and_claim(ports: Ports, tenant: str, store: str = "default") -> Dream:
    started = start(ports, tenant, store, force=True)
    assert started.dream is not None
    claimed = claim(ports, started.dream)
    assert claimed.dream is not None
    return claimed.dream


def save_tenant(ports: Ports, tenant: str, **settings: Any) -> None:
    with ports.db.transaction(tenant) as uow:
        uow.stores.save_tenant(replace(uow.stores.get_tenant(), **settings))
