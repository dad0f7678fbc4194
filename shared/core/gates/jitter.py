"""Jitter for due times, so that stores that become due together spread out. It depends on the store's id only."""

import hashlib
from datetime import datetime, timedelta

_SHARE = 0.1
#: The longest jitter: enough to spread a herd whose quiet hours end at six, little compared with 12 hours.
MAX_JITTER = timedelta(minutes=15)


def draw_share(store_id: str) -> float:
    """Return a number in [0, 1) that is stable for a store and uniform over all stores."""
    drawn = hashlib.blake2b(f"spread {store_id}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "big") / 2**64


def wait_with_jitter(store_id: str, wait: timedelta) -> timedelta:
    """Return a wait with jitter: up to a tenth and at most `MAX_JITTER` longer, never shorter."""
    return wait + min(max(wait, timedelta(0)) * _SHARE, MAX_JITTER) * draw_share(store_id)


def with_jitter(store_id: str, due_at: datetime, now: datetime) -> datetime:
    """Return a due time with jitter: later by up to a tenth of the time until then."""
    return now + wait_with_jitter(store_id, due_at - now)
