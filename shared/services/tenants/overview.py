"""The state of a tenant and its stores, with statistics of the last days."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.core.dream.model import ACTIVE_STATES, Dream
from shared.core.gates.deferral import Installation
from shared.core.gates.gates import GateVerdict, decide_gates
from shared.core.tenants.store import Store, Tenant
from shared.ports.database import Database, UnitOfWork
from shared.ports.tenants import CountsNow, Day
from shared.services.dreams.gate_facts import get_gate_facts


class StoreCondition(StrEnum):
    """A condition that keeps a store from dreaming until a person acts."""

    QUARANTINED = "quarantined"
    PAUSED = "paused"


_CONDITIONS: Mapping[StoreCondition | None, Callable[[Store], bool]] = {
    None: lambda _: True,
    StoreCondition.QUARANTINED: lambda store: store.is_quarantined,
    StoreCondition.PAUSED: lambda store: store.paused_at is not None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLine:
    """A store, the verdict of its gates now, and the number of its memories."""

    store: Store
    verdict: GateVerdict
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantLine:
    """A tenant, its state, and statistics of its last days."""

    tenant: Tenant
    counts: CountsNow
    days: tuple[Day, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantOverview:
    """A tenant: its totals, its last days, its running dreams and its last ones."""

    line: TenantLine
    installation: Installation
    now: datetime
    active: tuple[Dream, ...]
    recent: tuple[Dream, ...]


def get_tenant_overview(db: Database, tenant_id: str, *, days: int, recent: int) -> TenantOverview:
    """Return the state of a tenant. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return TenantOverview(
            line=_line(uow, days),
            installation=uow.stores.get_installation(),
            now=uow.now(),
            active=tuple(uow.dreams.find_recent(states=ACTIVE_STATES, limit=recent)),
            recent=tuple(uow.dreams.find_recent(limit=recent)),
        )


def find_store_lines(
    db: Database, tenant_id: str, *, after: str, limit: int, only: StoreCondition | None = None
) -> list[StoreLine]:
    """Return stores after a name, each with the verdict of its gates now; nothing is recorded."""
    with db.transaction(tenant_id) as uow:
        tenant, memories = uow.stores.get_tenant(), uow.statistics.count_memories()
        wanted = _CONDITIONS[only]
        stores = [store for store in uow.stores.find_all() if store.name > after and wanted(store)][:limit]
        return [
            StoreLine(store=store, verdict=_verdict(uow, tenant, store), memories=memories.get(store.name, 0))
            for store in stores
        ]


def _verdict(uow: UnitOfWork, tenant: Tenant, store: Store) -> GateVerdict:
    return decide_gates(get_gate_facts(uow, tenant, store), store.policy.gates, uow.now(), force=False)


def _line(uow: UnitOfWork, days: int) -> TenantLine:
    counts = uow.statistics.count_now()
    found = uow.statistics.find_days(days, live=counts.memories)
    return TenantLine(tenant=uow.stores.get_tenant(), counts=counts, days=tuple(found))
