"""Counters of all processes, summed in one hash of the Redis-protocol server.

Prometheus takes a counter that starts at zero again, as after FLUSHALL, for a restart, so that rates stay correct.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE
from shared.adapters.redis.connecting import connect
from shared.adapters.redis.process_gauges import find_process_gauges
from shared.adapters.redis.worker_pulse import PULSES
from shared.core.metrics import METRICS

COUNTERS = "slowwave:counters"
SCRAPED, SCRAPED_SECONDS = "slowwave:scraped", 300
#: After a failure nothing is sent for this long, so that a server that is away does not slow down every step.
_REST_SECONDS = 5.0

#: A process of another version may report other series.
_KNOWN = frozenset(metric.name for metric in METRICS)

Series = tuple[str, tuple[tuple[str, str], ...]]


class RedisCounters:
    """Implements `CountSink`, and reads the sums for a scrape. Connects on first use."""

    def __init__(self, url: str, find_queue_lengths: Callable[[], Mapping[str, int]] | None = None) -> None:
        """Count in this server. With another broker for messages, `find_queue_lengths` asks that one."""
        self._find_queue_lengths = find_queue_lengths or self._lengths_here
        self._client: Any = connect(url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1)
        self._silent_until = 0.0

    def add(self, series: Mapping[Series, float]) -> None:
        """Add amounts in one round trip; amounts that cannot be sent are lost."""
        if time.monotonic() < self._silent_until:
            return
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for (name, labels), amount in series.items():
                    pipeline.hincrbyfloat(COUNTERS, json.dumps([name, dict(labels)]), amount)
                pipeline.execute()
        except RedisError:
            self._silent_until = time.monotonic() + _REST_SECONDS

    def find_all(self) -> dict[Series, float] | None:
        """Return every sum, or None when the server does not answer."""
        try:
            found = self._client.hgetall(COUNTERS)
        except RedisError:
            return None
        return {_series(field): float(value) for field, value in found.items()}

    def find_broker_gauges(self) -> dict[Series, float]:
        """Return the waiting messages, the number of workers and what processes use; empty when the server does not answer."""
        try:
            queues = {name: float(length) for name, length in self._find_queue_lengths().items()}
            workers = sum(1 for _ in self._client.scan_iter(f"{PULSES}*", count=1_000))
            processes = find_process_gauges(self._client)
        except RedisError:
            return {}
        gauges: dict[Series, float] = {
            ("slowwave_queue_messages", (("queue", name),)): waiting for name, waiting in queues.items()
        }
        used = {
            (name, (("process", process),)): value for (name, process), value in processes.items() if name in _KNOWN
        }
        return gauges | used | {("slowwave_workers", ()): float(workers)}

    def record_scrape(self) -> None:
        """Remember for a while that the metrics were read, for `slowwave doctor`."""
        with suppress(RedisError):
            self._client.set(SCRAPED, "1", ex=SCRAPED_SECONDS)

    def _lengths_here(self) -> dict[str, int]:
        return {name: self._client.llen(name) for name in (PHASE_QUEUE, CONTROL_QUEUE)}

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()


def _series(field: str) -> Series:
    name, labels = json.loads(field)
    return name, tuple(sorted(labels.items()))
