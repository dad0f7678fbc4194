"""A store whose agent is never idle is let through once a day: what was written waits for 24 hours at most.

Source: SwarmClaw's forced drain. A verdict remembers since when the gates for idle and queue have kept a store waiting.
"""

from datetime import datetime, timedelta

from shared.core.tenants.store import Store

MAX_BUSY = timedelta(hours=24)
_BUSY_GATES = frozenset({"queue", "idle"})
#: These say that nothing waits for the agent: the store dreamed not long ago, or has too little to dream of.
_NOTHING_WAITS = frozenset({"time", "activity"})


def find_busy_since(store: Store) -> datetime | None:
    """Return since when a store has been kept waiting, by its last verdict; None: it has not, or has dreamed since."""
    since = store.last_verdict.busy_since if store.last_verdict is not None else None
    has_dreamed = since is not None and store.last_dream_at is not None and store.last_dream_at >= since
    return None if has_dreamed else since


def decide_busy_since(store: Store, gate: str, now: datetime) -> datetime | None:
    """Return what a new verdict remembers; `gate` is the one that was shut, empty when all were open.

    An open verdict, and whatever is said while its dream runs, keeps it: the dream is not to wait for the agent again.
    """
    if gate in _NOTHING_WAITS:
        return None
    since = find_busy_since(store)
    return (since or now) if gate in _BUSY_GATES else since


def decide_waited_enough(since: datetime | None, now: datetime) -> bool:
    """Tell whether a store dreams although its agent is busy."""
    return since is not None and now - since >= MAX_BUSY
