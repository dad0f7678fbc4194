"""Tell from the heads of a store whether time or use alone has left a dream something to do. No model is asked."""

from datetime import datetime, timedelta

from shared.core.gates.gates import GateFacts, decide_wake_due
from shared.core.learning.preferences import is_tentative
from shared.core.memory.model import MemoryHead
from shared.core.policy.policy import Policy
from shared.core.tenants.store import Store
from shared.core.upkeep.stale import is_stale
from shared.ports.database import UnitOfWork


def needs_due_change(facts: GateFacts, store: Store, now: datetime) -> bool:
    """Tell whether the verdict on a store depends on what is due: it is quiet, or its timer has run out."""
    return facts.is_quiet or decide_wake_due(facts, store.policy.gates, now)


def find_due_change(uow: UnitOfWork, store: Store, now: datetime) -> bool:
    """Tell whether a dream of a quiet store would find something to fold, to promote, to archive or to look at."""
    counts = uow.statistics.count_store(store.id)
    if not (store.curations or store.sessions) and (counts.changed or uow.merges(store.id).find_open()):
        return True  # such as what an undo has brought back
    return _maintains(uow, store, now) or _has_aged(uow, store, now)


def _maintains(uow: UnitOfWork, store: Store, now: datetime) -> bool:
    """Tell whether the rules without a model have something to do."""
    policy, queries = store.policy, uow.maintenance(store.id)
    rules = policy.maintain
    if not policy.phases.get("maintain", True):
        return False
    if rules.archive_after_days is not None and queries.find_stale_working(
        before=now - timedelta(days=rules.archive_after_days),
        protected_importance=policy.safety.protected_importance,
        limit=1,
    ):
        return True
    if rules.promote_accesses is not None and queries.find_promotable(
        accesses=rules.promote_accesses, reinforcements=rules.promote_reinforcements, limit=1
    ):
        return True
    return rules.fold_duplicates and bool(queries.find_duplicates(1))


def _has_aged(uow: UnitOfWork, store: Store, now: datetime) -> bool:
    """Tell whether a memory has become stale, or a preference that was never recalled too old, since the last dream."""
    before, policy = store.last_dream_at, store.policy
    heads = uow.memories(store.id).find_heads()
    return any(
        _is_over_age(head, policy, now) and (before is None or not _is_over_age(head, policy, before)) for head in heads
    )


def _is_over_age(head: MemoryHead, policy: Policy, now: datetime) -> bool:
    unratified = now - head.touched_at > timedelta(days=policy.preferences.tentative_days)
    return is_stale(head, policy, now) or (unratified and is_tentative(head.path, head.author, head.signals))
