"""The dream lock within one process: for tests, and as the simplest definition of a dream lock."""

import threading
import time
from collections.abc import Callable

from shared.ports.runtime import UNREADABLE, LockHolder


class InMemoryDreamLock:
    """Implements `DreamLock`. While `is_reachable` is False it behaves like a lock whose server is down."""

    def __init__(self, *, ttl_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._mutex = threading.Lock()
        self._held: dict[tuple[str, str], tuple[str, float]] = {}
        self.is_reachable = True

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store, None if it is free, UNREADABLE if the lock does not answer."""
        with self._mutex:
            return self._find((tenant_id, store)) if self.is_reachable else UNREADABLE

    def take(self, tenant_id: str, store: str, token: str) -> LockHolder | None:
        """Set the token if the lock is free; return its other holder, or None if the lock is ours."""
        with self._mutex:
            if not self.is_reachable:
                return LockHolder(token=UNREADABLE)
            now = self._clock()
            holder, until = self._held.get((tenant_id, store), ("", now))
            if now < until and holder != token:
                return LockHolder(token=holder, seconds_left=until - now)
            self._held[tenant_id, store] = (token, now + self._ttl_seconds)
            return None

    def acquire(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`."""
        return self._set_if(lambda holder: holder in {None, token, instead_of}, (tenant_id, store), token)

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if this token still holds it."""
        return self._set_if(lambda holder: holder == token, (tenant_id, store), token)

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Release the lock if this token holds it."""
        with self._mutex:
            if self.is_reachable and self._find((tenant_id, store)) == token:
                del self._held[tenant_id, store]

    def delete_tenant_keys(self, tenant_id: str) -> int | None:
        """Remove every key of a deleted tenant; return their number, None if the lock does not answer."""
        with self._mutex:
            if not self.is_reachable:
                return None
            found = [key for key in self._held if key[0] == tenant_id]
            for key in found:
                del self._held[key]
            return len(found)

    def _set_if(self, is_allowed: Callable[[str | None], bool], key: tuple[str, str], token: str) -> bool:
        with self._mutex:
            if not self.is_reachable or not is_allowed(self._find(key)):
                return False
            self._held[key] = (token, self._clock() + self._ttl_seconds)
            return True

    def _find(self, key: tuple[str, str]) -> str | None:
        token, until = self._held.get(key, ("", 0.0))
        return token if token and self._clock() < until else None
