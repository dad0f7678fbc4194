"""A store of a fresh tenant, and dreams in it, for the contract of every repository."""

from collections.abc import Callable

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, Trigger
from shared.core.tenants.store import Store
from tests.support.builders import a_store


@pytest.fixture
def store(ports: Ports, tenant: str) -> Store:
    return a_store(ports, tenant)


@pytest.fixture
def queue_dream(ports: Ports, tenant: str) -> Callable[..., Dream]:
    """Insert a queued dream into a store."""

    def queue(name: str = "default") -> Dream:
        found = a_store(ports, tenant, name)
        with ports.db.transaction(tenant) as uow:
            return uow.dreams.add(found.id, trigger=Trigger.API, force=True, dry_run=False)

    return queue


@pytest.fixture
def start_running(ports: Ports, tenant: str, queue_dream: Callable[..., Dream]) -> Callable[..., Dream]:
    """Insert a dream and claim it; a negative lease has lapsed already."""

    def start(name: str = "default", lease_seconds: float = 60) -> Dream:
        dream = queue_dream(name)
        with ports.db.transaction(tenant) as uow:
            claimed = uow.dreams.claim(dream.id, budget_seconds=300, lease_seconds=lease_seconds, model="scripted")
        assert claimed is not None
        return claimed

    return start
