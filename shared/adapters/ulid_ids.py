"""Ids as ULIDs, strictly increasing within a process."""

import threading

from ulid import ULID


class UlidIds:
    """Implements `Ids`. Two ULIDs of one millisecond would sort at random, so the next one is counted up instead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self, prefix: str) -> str:
        """Return an id such as `op_01J…`."""
        with self._lock:
            self._last = max(self._last + 1, int(ULID()))
            return f"{prefix}_{ULID.from_int(self._last)}"
