"""Tokens that a process takes out of a shared bucket ahead of the requests that use them.

A key with occasional requests takes one token at a time. One with constant requests takes twice as many each time it has
used up the last ones, at most a second's worth. Tokens that are not used within a second are lost, so several processes
together allow no more requests than the bucket holds, and the end of a burst wastes at most a second's worth. A bucket that is
empty is asked once a second, so that a flood of refused requests costs little.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

HOLD_SECONDS = 1.0
MOST = 32
_MAX_NAMES = 10_000


@dataclass(slots=True)
class _Held:
    tokens: int
    left: int  # in the bucket, when these were taken
    size: int
    until: float


class HeldTokens:
    """The held tokens by key. Thread-safe; never waits for a server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[str, _Held] = {}
        self._empty: dict[str, tuple[float, float]] = {}  # look again at, has a token at
        self._lock = threading.Lock()

    def acquire(self, name: str) -> int | None:
        """Take one and return how many are left, here and in the bucket; None when none is held."""
        with self._lock:
            held = self._find(name)
            if held is None or held.tokens < 1:
                return None
            held.tokens -= 1
            return held.left + held.tokens

    def wait_of(self, name: str) -> float:
        """Return in how many seconds an empty bucket has a token; 0 when the bucket must be asked."""
        now = self._clock()
        with self._lock:
            look_at, filled_at = self._empty.get(name, (0.0, 0.0))
            return filled_at - now if now < look_at else 0.0

    def note_empty(self, name: str, seconds: float) -> None:
        """Remember that the bucket has no token for so long, but for a moment at most: its rate may be raised."""
        now = self._clock()
        with self._lock:
            if len(self._empty) >= _MAX_NAMES:
                self._empty.clear()
            self._empty[name] = (now + min(seconds, HOLD_SECONDS), now + seconds)

    def next_size(self, name: str, per_minute: int) -> int:
        """Return how many tokens to ask the bucket for."""
        with self._lock:
            held = self._find(name)
            size = 1 if held is None else 2 * held.size
            return max(1, min(size, MOST, per_minute // 60))

    def keep(self, name: str, tokens: int, *, left: int, size: int) -> None:
        """Hold tokens from the bucket for coming requests; `left` are still in it."""
        with self._lock:
            held = self._find(name)
            if len(self._held) >= _MAX_NAMES:
                self._held.clear()
            tokens += held.tokens if held is not None else 0
            self._held[name] = _Held(tokens, left, size, self._clock() + HOLD_SECONDS)

    def _find(self, name: str) -> _Held | None:
        held = self._held.get(name)
        return held if held is not None and self._clock() < held.until else None
