"""Views for operators across tenants: stores in quarantine with the reason, and the current alerts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from shared.core.alerts import Alert, decide_alerts
from shared.ports.database import Database
from shared.services.budgets.use import find_highest_share


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantinedStore:
    """A store in quarantine, and what its last check said."""

    tenant_id: str
    store: str
    reason: str
    last_dream_id: str | None
    last_dream_at: datetime | None


def find_quarantined_stores(db: Database, *, start_after: tuple[str, str], limit: int) -> list[QuarantinedStore]:
    """Return stores in quarantine, in the order of their tenants and names, with one transaction for each tenant."""
    found: list[QuarantinedStore] = []
    for tenant_id, group in groupby(
        db.operators.find_quarantined(start_after=start_after, limit=limit), key=lambda one: one[0]
    ):
        wanted = [store for _, store in group]
        with db.transaction(tenant_id) as uow:
            stores = {store.name: store for store in uow.stores.find_all()}
        for store in (stores[name] for name in wanted if name in stores):
            verdict = store.last_verdict
            found.append(
                QuarantinedStore(
                    tenant_id=tenant_id,
                    store=store.name,
                    reason=verdict.reason if verdict is not None else "",
                    last_dream_id=store.last_dream_id,
                    last_dream_at=store.last_dream_at,
                )
            )
    return found


def find_alerts(db: Database, gauges: Mapping[tuple[str, str], float], now: datetime) -> list[Alert]:
    """Return the current alerts; `gauges` are those of the database and the broker."""
    shares = {("slowwave_budget_share_used", ""): find_highest_share(db)}
    return decide_alerts({**gauges, **shares, **db.operators.measure_recent()}, now.timestamp())
