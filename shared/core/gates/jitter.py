"""Spread due times, so that stores that become due together do not stay together. Drawn from the store's id only."""

import hashlib
from datetime import datetime, timedelta

_SHARE = 0.1
#: What a spread time may add at most: enough to level a herd of quiet hours that end at six, little beside 12 hours.
MAX_JITTER = timedelta(minutes=15)


def draw_share(store_id: str) -> float:
    """Return a number of [0, 1) that is always the same for a store and even over all stores."""
    drawn = hashlib.blake2b(f"spread {store_id}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "big") / 2**64


def wait_with_jitter(store_id: str, wait: timedelta) -> timedelta:
    """Return a wait that is longer by up to a tenth, at most by `MAX_JITTER`. Never shorter: gates open in time."""
    return wait + min(max(wait, timedelta(0)) * _SHARE, MAX_JITTER) * draw_share(store_id)


def with_jitter(store_id: str, due_at: datetime, now: datetime) -> datetime:
    """Return a due time that is later by up to a tenth of what is left until then."""
    return now + wait_with_jitter(store_id, due_at - now)
