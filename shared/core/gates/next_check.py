"""Decide when a store is checked next: after a check with a shut gate, and when its timer wakes it."""

from datetime import datetime, timedelta

from shared.core.gates.gates import GateVerdict
from shared.core.gates.jitter import with_jitter
from shared.core.tenants.store import Store

#: A store is looked at once its agent has been quiet for this long; every write of a burst would be too often.
QUIET = timedelta(seconds=120)
#: Unread activity is checked again after this long, whatever the gate decided.
_RECHECK_WAIT = timedelta(hours=1)
#: A check that ends at one of these gates has counted no activity, so it must not extend the scan throttle.
PRE_SCAN_GATES = frozenset({"paused", "quarantine", "budget", "defer", "quiet", "time", "throttle"})


def has_rest(store: Store) -> bool:
    """Tell whether there is unread activity, or work that the last dream left."""
    return bool(store.curations or store.sessions or store.waiting_sessions or store.waiting_changes)


def is_timer(store: Store) -> bool:
    """Tell whether nothing but a timer has set the next check: the store is quiet, or had too little activity.

    New activity brings such a check forward. PostgreSQL decides the same for itself (shared/adapters/postgres/tenants/activity.py).
    """
    is_short = store.last_verdict is not None and store.last_verdict.gate == "activity"
    return is_short or not has_rest(store)


def decide_wake_at(store: Store, now: datetime) -> datetime | None:
    """Return when a store's timer wakes it: some hours after its last dream, or after now; None: never."""
    hours = store.policy.gates.wake_hours
    if hours is None or not store.policy.gates.enabled or store.last_dream_at is None:
        return None
    wake_at = store.last_dream_at + timedelta(hours=hours)
    return wake_at if wake_at > now else now + timedelta(hours=hours)


def decide_next_check(store: Store, verdict: GateVerdict, now: datetime) -> datetime | None:
    """Return the time of the next check, with jitter; None: the next write schedules one."""
    if verdict.is_open:
        return None
    if verdict.gate == "activity" or not has_rest(store):
        wake_at = decide_wake_at(store, now)
        return None if wake_at is None else with_jitter(store.id, max(wake_at, verdict.retry_at or now), now)
    return with_jitter(store.id, verdict.retry_at or now + _RECHECK_WAIT, now)
