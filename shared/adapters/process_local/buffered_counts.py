"""Counts collected in the process and sent every second: a dream counts fifty times, and each was a message of its own.

A thread begins with the first count, so that a process which counts nothing has none and a fork starts its own. What a
process that is killed had not sent yet is lost, as it is when the server is away.
"""

import time
from collections.abc import Mapping
from threading import Event, Lock, Thread

from shared.counting import CountSink, Series

FLUSH_SECONDS = 1.0


class BufferedCounts:
    """Implements `CountSink`; any number of threads may add."""

    def __init__(self, sink: CountSink, *, flush_seconds: float = FLUSH_SECONDS) -> None:
        """Send to this sink every so many seconds."""
        self._sink = sink
        self._flush_seconds = flush_seconds
        self._lock, self._flushing = Lock(), Lock()
        self._sums: dict[Series, float] = {}
        self._is_closed = Event()
        self._thread: Thread | None = None

    def add(self, series: Mapping[Series, float]) -> None:
        """Add amounts, to be sent soon; at once when this is closed."""
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
            time.sleep(self._flush_seconds)
