"""Find memories to fold, promote or archive, for a run and to decide whether a quiet store has anything due."""

from datetime import datetime, timedelta

from shared.core.policy.policy import Policy
from shared.core.upkeep.due import local_date
from shared.core.upkeep.maintenance import Expired, Subject, Twin
from shared.ports.database import UnitOfWork
from shared.ports.memories import MaintenanceRepository
from shared.services.dreams.due_change import QuietStore
from shared.services.operations.loss_room import find_loss_room


def find_due(quiet: QuietStore) -> bool:
    """Tell whether there is a memory to promote, or one to fold or archive and the loss cap leaves room for it."""
    queries, policy = quiet.uow.maintenance(quiet.store.id), quiet.policy
    if find_promotable(queries, policy, limit=1):
        return True
    is_due = bool(
        find_expired(quiet.uow, quiet.store.id, quiet.now, limit=1)
        or find_stale(queries, policy, quiet.now, limit=1)
        or find_duplicates(queries, policy, policy.maintain.max_changes)  # some are of a series
    )
    return is_due and find_loss_room(quiet.uow, quiet.store) > 0


def find_duplicates(queries: MaintenanceRepository, policy: Policy, limit: int) -> list[tuple[Twin, ...]]:
    """Return groups of live memories, each a file with its copies of the same text."""
    return queries.find_duplicates(limit) if policy.maintain.fold_duplicates else []


def find_promotable(queries: MaintenanceRepository, policy: Policy, limit: int) -> list[Subject]:
    """Return the memories that have become durable by their use."""
    rules = policy.maintain
    if rules.promote_accesses is None:
        return []
    return queries.find_promotable(
        accesses=rules.promote_accesses, reinforcements=rules.promote_reinforcements, limit=limit
    )


def find_expired(uow: UnitOfWork, store_id: str, now: datetime, limit: int) -> list[Expired]:
    """Return the memories whose last day is over in the tenant's time zone."""
    today = local_date(now, uow.stores.get_tenant().time_zone)
    return uow.maintenance(store_id).find_expired(today=today, limit=limit)


def find_stale(queries: MaintenanceRepository, policy: Policy, now: datetime, limit: int) -> list[Subject]:
    """Return the memories of the working tier that have been unused for too long."""
    rules = policy.maintain
    if rules.archive_after_days is None:
        return []
    return queries.find_stale_working(
        before=now - timedelta(days=rules.archive_after_days),
        protected_importance=policy.safety.protected_importance,
        limit=limit,
    )
