"""Counts buffered in the process and sent every second: a dream counts fifty times, each of which was a message before.

The thread starts with the first count, so that a process without counts has none and a fork starts its own. Counts that
are not sent yet are lost when the process is killed or the server is down.
"""

import time
from collections.abc import Callable, Mapping
from threading import Event, Lock, Thread

from shared.counting import CountSink, Series

FLUSH_SECONDS = 1.0


class BufferedCounts:
    """Implements `CountSink`; any number of threads may add."""

    def __init__(
        self, sink: CountSink, *, flush_seconds: float = FLUSH_SECONDS, tell: Callable[[], None] = lambda: None
    ) -> None:
        """Send to this sink at this interval; `tell` is called as often, to tell what this process uses."""
        self._sink = sink
        self._tell = tell
        self._flush_seconds = flush_seconds
        self._lock, self._flushing = Lock(), Lock()
        self._sums: dict[Series, float] = {}
        self._is_closed = Event()
        self._thread: Thread | None = None

    def add(self, series: Mapping[Series, float]) -> None:
        """Add amounts, to be sent within the interval; at once after `close`."""
        with self._lock:
            for one, amount in series.items():
                self._sums[one] = self._sums.get(one, 0.0) + amount
            if self._thread is None:
                self._thread = Thread(target=self._run, name="counts", daemon=True)
                self._thread.start()
        if self._is_closed.is_set():
            self.flush()

    def flush(self) -> None:
        """Send everything that was added so far."""
        with self._flushing:
            with self._lock:
                sums, self._sums = self._sums, {}
            if sums:
                self._sink.add(sums)

    def close(self) -> None:
        """Send what is left."""
        self._is_closed.set()
        self.flush()

    def _run(self) -> None:
        while not self._is_closed.is_set():
            self.flush()
            self._tell()
            time.sleep(self._flush_seconds)
