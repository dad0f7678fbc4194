"""From a bearer token to a key. A verified one is remembered for a moment, so that a burst asks the database once."""

import hashlib
import threading
import time
from collections.abc import Callable

from shared.core.api_key import ApiKey, decide_key_valid, split_token
from shared.ports.database import Database

#: A key that was revoked in another process works for at most so long.
REMEMBER_SECONDS = 2.0
_MAX_REMEMBERED = 10_000


class Authenticator:
    """Finds keys. What is remembered goes by the hash of the whole token, so that only whoever has it gains time."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._remembered: dict[bytes, tuple[float, ApiKey]] = {}
        self._use_noted: dict[str, float] = {}
        self._lock = threading.Lock()

    def find(self, token: str) -> ApiKey | None:
        """Return the key that a token opens now, or None."""
        parts = split_token(token)
        if parts is None:
            return None
        mark = hashlib.sha256(token.encode()).digest()
        known = self._find_remembered(mark)
        if known is not None:
            return known
        key_id, secret = parts
        found = self._db.find_key(key_id)
        if not decide_key_valid(found.key, secret, found.now) or found.key is None:
            return None
        with self._lock:
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[mark] = (self._clock() + REMEMBER_SECONDS, found.key)
        return found.key

    def find_remembered(self, token: str) -> ApiKey | None:
        """Return the key that a token opened a moment ago; None when the database must be asked. Never waits."""
        return self._find_remembered(hashlib.sha256(token.encode()).digest())

    def is_use_due(self, key_id: str) -> bool:
        """Tell whether to note now that a key is used: not again while what is remembered of it is from before."""
        now = self._clock()
        with self._lock:
            noted = self._use_noted.get(key_id)
            if noted is not None and now - noted < REMEMBER_SECONDS:
                return False
            if len(self._use_noted) >= _MAX_REMEMBERED:
                self._use_noted.clear()
            self._use_noted[key_id] = now
            return True

    def forget(self) -> None:
        """Ask the database about every key again: one was changed here."""
        with self._lock:
            self._remembered.clear()

    def _find_remembered(self, mark: bytes) -> ApiKey | None:
        known = self._remembered.get(mark)
        return known[1] if known is not None and known[0] > self._clock() else None
