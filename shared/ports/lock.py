"""The cheap gate in front of the database: one dream per store, by a key that expires."""

from typing import Protocol

#: The holder of a lock that cannot be read. What cannot be read is held, not free.
UNREADABLE = "unreadable"


class DreamLock(Protocol):
    """A lease, not mutual exclusion: truth is the fence in the database. No method raises."""

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store, None when it is free, UNREADABLE when that cannot be told."""

    def take(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`; tell whether it is ours now."""

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if it is still ours; False when it is not or cannot be told."""

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Give the lock back if it is ours."""

    def forget_tenant(self, tenant_id: str) -> int | None:
        """Remove every key of a deleted tenant; return how many there were, None when that cannot be told."""
