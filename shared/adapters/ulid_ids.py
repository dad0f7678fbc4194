"""Ids as ULIDs: by `new_id`, or strictly increasing within a process by `UlidIds`."""

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ulid import ULID


def new_id(prefix: str) -> str:
    """Return an id such as `aud_01J…`; two of one millisecond sort at random."""
    return f"{prefix}_{_ulid()()}"


class UlidIds:
    """Implements `Ids`. Two ULIDs of one millisecond would sort at random, so the next one is counted up instead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self, prefix: str) -> str:
        """Return an id such as `op_01J…`."""
        ulid = _ulid()
        with self._lock:
            self._last = max(self._last + 1, int(ulid()))
            return f"{prefix}_{ulid.from_int(self._last)}"


@cache
def _ulid() -> "type[ULID]":
    from ulid import ULID  # noqa: PLC0415 - reads the metadata of its package, and a command that only reads needs no id

    return ULID
