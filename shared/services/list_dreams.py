"""Lists of dreams, and how far one has come."""

from collections.abc import Collection

from shared.core.dream import Dream, DreamState, PhaseRun, Trigger
from shared.core.period import ALWAYS, Period
from shared.ports.database import Database


def find_dreams(  # noqa: PLR0913 - what a list can be narrowed by, each by name
    db: Database,
    tenant_id: str,
    *,
    limit: int,
    store: str | None = None,
    state: DreamState | None = None,
    triggers: Collection[Trigger] = (),
    before: str | None = None,
    period: Period = ALWAYS,
) -> list[Dream]:
    """Return a tenant's dreams of a period, newest first; those behind `before`, if it is given. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store).id if store else None
        states = [state] if state else ()
        return uow.dreams.find_recent(
            store_id=store_id, states=states, triggers=triggers, limit=limit, before=before, period=period
        )


def get_dream_progress(db: Database, tenant_id: str, dream_id: str) -> tuple[Dream, list[PhaseRun]]:
    """Return a dream and the phases that have begun. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.dreams.get(dream_id), uow.phases.find_all(dream_id)
