"""Tell what each process uses in a key that expires: a scrape of one process then shows all."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import psutil
from redis.exceptions import RedisError

from shared.adapters.redis.connecting import connect
from shared.program import connection_name

PROCESSES = "slowwave:process:"
_TTL_SECONDS = 45
_EVERY_SECONDS = 10.0

#: Connections in use, and how many the pool may have.
PoolUse = tuple[int, int]


class ProcessGauges:
    """Writes what this process uses, at most every 10 s; never raises."""

    def __init__(self, url: str, find_pool_use: Callable[[], PoolUse]) -> None:
        self._client: Any = connect(url, socket_timeout=1, socket_connect_timeout=1)
        self._find_pool_use = find_pool_use
        self._next_at = float("-inf")
        self._has_ended = False
        #: The thread that tells must not write the key again after `end` has deleted it.
        self._turn = threading.Lock()

    def tell(self) -> None:
        """Renew this process's key, unless that was done a moment ago."""
        with self._turn:
            if self._has_ended or time.monotonic() < self._next_at:
                return
            self._next_at = time.monotonic() + _EVERY_SECONDS
            try:
                self._client.set(self._key(), json.dumps(self._measure()), ex=_TTL_SECONDS)
            except (RedisError, psutil.Error):
                return  # the key expires: this process then has no numbers

    def end(self) -> None:
        """Delete the key of a process that ends, and write it no more."""
        with self._turn:
            self._has_ended = True
            if self._next_at > float("-inf"):
                try:
                    self._client.delete(self._key())
                except RedisError:
                    return
            self._client.close()

    def _key(self) -> str:
        return f"{PROCESSES}{connection_name()}/{os.getpid()}"

    def _measure(self) -> dict[str, float]:
        in_use, size = self._find_pool_use()
        process = psutil.Process()
        with process.oneshot():
            times = process.cpu_times()
            return {
                "slowwave_process_resident_bytes": process.memory_info().rss,
                "slowwave_process_cpu_seconds": times.user + times.system,
                "slowwave_process_threads": process.num_threads(),
                "slowwave_process_open_files": process.num_fds(),
                "slowwave_pool_connections_in_use": in_use,
                "slowwave_pool_connections_max": size,
            }


def find_process_gauges(client: Any) -> Mapping[tuple[str, str], float]:  # noqa: ANN401 - redis-py types every answer as awaitable, too
    """Return the numbers of all processes, by metric and process. Raises RedisError."""
    keys = sorted(client.scan_iter(f"{PROCESSES}*", count=1_000))
    told = zip(keys, client.mget(keys), strict=True) if keys else ()
    return {
        (name, key.removeprefix(PROCESSES)): float(value)
        for key, text in told
        if text is not None
        for name, value in json.loads(text).items()
    }
