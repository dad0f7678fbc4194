"""Small ports of a process: the dream lock, ids, the rate limit of requests, and the sessions of browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

#: The holder of a lock that cannot be read: such a lock counts as held.
UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockHolder:
    """The token that holds a lock, and the seconds until it expires; None: it does not."""

    token: str
    seconds_left: float | None = None

    @property
    def is_unknown(self) -> bool:
        """Tell whether the server did not answer, so that the lock counts as held."""
        return self.token == UNREADABLE


class DreamLock(Protocol):
    """Allows one dream per store, by a key that expires. It is a gate before the claim; the database's fence has the last word.

    No method raises.
    """

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store, None if it is free, UNREADABLE if the server does not answer."""

    def take(self, tenant_id: str, store: str, token: str) -> LockHolder | None:
        """Set the token if the lock is free; return its other holder, or None if the lock is ours."""

    def acquire(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`; return whether the lock is ours."""

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if it is still ours; return False when it is not, or when the server does not answer."""

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Delete the lock if it is ours."""

    def delete_tenant_keys(self, tenant_id: str) -> int | None:
        """Delete every key of a deleted tenant; return their number, None when the server does not answer."""


class Ids(Protocol):
    """Makes unique ids: a prefix for the kind of thing, and a part that sorts by time."""

    def new(self, prefix: str) -> str:
        """Return an id such as `op_01J…`; ids made later by one process sort later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateVerdict:
    """The verdict of a rate limit; for a refused request, the seconds until a retry."""

    is_allowed: bool
    remaining: int
    retry_after_seconds: float = 0.0


class RateLimit(Protocol):
    """Token buckets that bound the requests of a key, over all processes.

    Never raises: a request that cannot be counted is allowed, because the limit protects no data.
    """

    def acquire_held(self, name: str) -> RateVerdict | None:
        """Take a token from this process's reserve of a bucket, or refuse if the bucket was just found empty.

        None: only the server knows. Never waits for it.
        """

    def acquire(self, name: str, *, per_minute: int) -> RateVerdict:
        """Take a token from a bucket that contains a minute's worth and refills within a minute."""


class KeptTexts(Protocol):
    """Texts that all processes share until they expire; one that is gone is made again.

    Raises ServiceUnavailableError when the server is down.
    """

    def put(self, tenant_id: str, name: str, text: str, *, seconds: int) -> None:
        """Store a text for a number of seconds, replacing what the name had before."""

    def get(self, tenant_id: str, name: str) -> str | None:
        """Return the text, or None when it has expired."""


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
