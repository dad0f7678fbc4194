"""The cheap gate in front of the database: one dream per store, by a key that expires.

New ids: a prefix that says what it is, and a part that sorts by time.

How many requests a key may make: a bucket of tokens that fills evenly.

What browsers that are signed in, or about to be, are remembered by.
"""

from dataclasses import dataclass
from typing import Protocol

#: The holder of a lock that cannot be read. What cannot be read is held, not free.
UNREADABLE = "unreadable"


class DreamLock(Protocol):
    """A lease, not mutual exclusion: truth is the fence in the database. No method raises."""

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store, None when it is free, UNREADABLE when that cannot be told."""

    def acquire(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`; tell whether it is ours now."""

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if it is still ours; False when it is not or cannot be told."""

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Give the lock back if it is ours."""

    def delete_tenant_keys(self, tenant_id: str) -> int | None:
        """Remove every key of a deleted tenant; return how many there were, None when that cannot be told."""


class Ids(Protocol):
    """Makes ids that are never made twice."""

    def new(self, prefix: str) -> str:
        """Return an id such as `op_01J…`; ids made later by one process sort later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateVerdict:
    """Whether a request may go on; if not, when to come back."""

    is_allowed: bool
    remaining: int
    retry_after_seconds: float = 0.0


class RateLimit(Protocol):
    """Counts requests over all processes. Never raises: what cannot be counted is allowed, for it protects no data."""

    def acquire_held(self, name: str) -> RateVerdict | None:
        """Take one of the tokens that this process holds of a bucket; None when `acquire` must ask. Never waits."""

    def acquire(self, name: str, *, per_minute: int) -> RateVerdict:
        """Take one token of a bucket that holds a minute's worth and fills within a minute."""


class ConsoleSessions(Protocol):
    """Texts with an expiry, by the secret token of one browser. Raises ServiceUnavailableError when the server is down."""

    def put(self, token: str, text: str, *, seconds: int) -> None:
        """Store a text for a number of seconds, replacing what the token had before."""

    def get(self, token: str) -> str | None:
        """Return the text, or None when it has expired."""

    def replace(self, token: str, text: str) -> None:
        """Replace a text that has not expired, without extending its time."""

    def remove(self, token: str) -> None:
        """Delete a text."""
