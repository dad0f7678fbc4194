"""The state of a tenant and its stores, with statistics of the last days."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
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

#: A person with more stores chooses the one with sessions.
_SEARCHED = 20


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
    """A store, the verdict of its gates now, the number of its memories, and of the operations that wait for a person."""

    store: Store
    verdict: GateVerdict
    memories: int
    to_review: int = 0


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
        wanted = _CONDITIONS[only]
        stores = [store for store in uow.stores.find_all() if store.name > after and wanted(store)][:limit]
        return _lines(uow, stores, _count_reviews(uow))


def find_busiest_lines(db: Database, tenant_id: str, *, limit: int) -> list[StoreLine]:
    """Return the stores in which most waits for a person: quarantined ones, then by reviews, then by what is new."""
    with db.transaction(tenant_id) as uow:
        reviews = _count_reviews(uow)

        def rank(store: Store) -> tuple[bool, int, int, str]:
            new = store.curations + store.sessions
            return not store.is_quarantined, -reviews[store.name], -new, store.name

        return _lines(uow, sorted(uow.stores.find_all(), key=rank)[:limit], reviews)


def rank_stores(db: Database, tenant_id: str, *, by_sessions: bool) -> list[str]:
    """Return the names of a tenant's stores: those with most memories first, or those with sessions."""
    with db.transaction(tenant_id) as uow:
        memories = uow.statistics.count_memories()
        stores = sorted(uow.stores.find_all(), key=lambda one: (-memories.get(one.name, 0), one.name))
        if by_sessions:
            told = {one.id for one in stores[:_SEARCHED] if uow.sessions(one.id).find_recent(1)}
            stores.sort(key=lambda one: one.id not in told)
        return [one.name for one in stores]


def _count_reviews(uow: UnitOfWork) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in uow.statistics.count_pending():
        found[one.store] += one.number
    return found


def _lines(uow: UnitOfWork, stores: Iterable[Store], reviews: Mapping[str, int]) -> list[StoreLine]:
    tenant, memories = uow.stores.get_tenant(), uow.statistics.count_memories()
    return [
        StoreLine(
            store=store,
            verdict=_verdict(uow, tenant, store),
            memories=memories.get(store.name, 0),
            to_review=reviews.get(store.name, 0),
        )
        for store in stores
    ]


def _verdict(uow: UnitOfWork, tenant: Tenant, store: Store) -> GateVerdict:
    return decide_gates(get_gate_facts(uow, tenant, store), store.policy.gates, uow.now(), force=False)


def _line(uow: UnitOfWork, days: int) -> TenantLine:
    counts = uow.statistics.count_now()
    found = uow.statistics.find_days(days, live=counts.memories)
    return TenantLine(tenant=uow.stores.get_tenant(), counts=counts, days=tuple(found))
