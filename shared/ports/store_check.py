"""What the gates of many stores are decided from at once, and what is kept of those that stay shut."""

from dataclasses import dataclass, field
from datetime import datetime

from shared.core.quarantine import EndedDream
from shared.core.store import Store, Tenant, Verdict


@dataclass(frozen=True, slots=True)
class DueStore:
    """A store that the sweep found due, and since when."""

    tenant_id: str
    store: str
    due_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """A store and what surrounds it, as of `at`, the database's time. `version` changes with every write of its row.

    The store comes without its last verdict, which no gate looks at.
    """

    store: Store
    tenant: Tenant
    version: str
    at: datetime
    ended: tuple[EndedDream, ...]  # since the store was forgiven, newest first, as many as a policy may look at
    active_dream: str  # the store's queued or running dream, or empty
    tenant_dreams: int  # queued or running, counted up to one more than the tenant's cap
    tokens_today: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutVerdict:
    """What a check found whose gate is shut, to be kept if the store is still as it was when that was decided."""

    tenant_id: str
    store_id: str
    version: str
    verdict: Verdict
    next_check_at: datetime | None
    is_full_check: bool
