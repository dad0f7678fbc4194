"""Refusals are counted by surface and status: whoever operates sees wrong keys, full rates and broken clients.

A flood of them costs no more than a message to Redis each second.
"""

import threading
import time
from collections import Counter

from shared.counting import count

_EVERY_SECONDS = 1.0
_SURFACES = ("api", "v1", "console")


class Refusals:
    """Counts in this process, and sends what it has counted at most once a second."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._counted: Counter[tuple[str, str]] = Counter()
        self._sent_at = float("-inf")

    def note(self, path: str, status: int) -> None:
        """Count one refusal; redirections are none."""
        if status < 400:
            return
        first = path.split("/", 2)[1] if path.startswith("/") else ""
        with self._turn:
            self._counted[first if first in _SURFACES else "other", str(status)] += 1
            is_due = time.monotonic() - self._sent_at >= _EVERY_SECONDS
        if is_due:
            self.send()

    def send(self) -> None:
        """Send what has been counted since the last time."""
        with self._turn:
            counted, self._counted = self._counted, Counter()
            self._sent_at = time.monotonic()
        for (surface, status), number in counted.items():
            count("slowwave_api_refusals_total", number, surface=surface, status=status)
