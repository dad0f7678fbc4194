"""The cheap gate in front of the database: one dream per store, by a key that expires."""

from typing import Protocol


class DreamLock(Protocol):
    """A lease, not mutual exclusion: truth is the fence in the database. What cannot be read is held, not free."""

    def claim(self, tenant_id: str, store: str, token: str) -> str | None:
        """Take the lock, or keep it when it is already ours; return who has it otherwise ("unreadable" on error)."""

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if it is still ours; False when it is not or cannot be told."""

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Give the lock back if it is ours; never raises."""
