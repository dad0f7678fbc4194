"""Let a store dream at least once a day even if its agent is never idle, so that new knowledge waits at most 24 hours.

Source: SwarmClaw's forced drain. A verdict records since when the idle and queue gates have delayed a store.
"""

from datetime import datetime, timedelta

from shared.core.tenants.store import Store

MAX_BUSY = timedelta(hours=24)
_BUSY_GATES = frozenset({"queue", "idle"})
#: Gates that mean that no dream waits for the agent: the last one is recent, or there is too little activity.
_NOTHING_WAITS = frozenset({"time", "activity"})


def find_busy_since(store: Store) -> datetime | None:
    """Return since when a busy agent has delayed a store, according to its last verdict; None after a dream."""
    since = store.last_verdict.busy_since if store.last_verdict is not None else None
    has_dreamed = since is not None and store.last_dream_at is not None and store.last_dream_at >= since
    return None if has_dreamed else since


def decide_busy_since(store: Store, gate: str, now: datetime) -> datetime | None:
    """Return `busy_since` for a new verdict; `gate` is the closed one, empty when all are open.

    An open verdict, and any during its dream, keeps the value, so that the dream does not wait for the agent again.
    """
    if gate in _NOTHING_WAITS:
        return None
    since = find_busy_since(store)
    return (since or now) if gate in _BUSY_GATES else since


def decide_waited_enough(since: datetime | None, now: datetime) -> bool:
    """Tell whether a store dreams even though its agent is busy."""
    return since is not None and now - since >= MAX_BUSY
