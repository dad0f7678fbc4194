"""A worker says that it is alive: a key that expires. `inspect ping` costs seconds and leaves keys behind."""

import time

import redis
from redis.exceptions import RedisError

PULSES = "slowwave:worker:"
_TTL_SECONDS = 45
_EVERY_SECONDS = 10.0


class WorkerPulse:
    """Called with every heartbeat of Celery, from the worker's main process: quick, rare, and silent when it fails."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)
        self._next_at = 0.0

    def beat(self, worker: str) -> None:
        """Renew the worker's key, unless that was done a moment ago."""
        if time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + _EVERY_SECONDS
        try:
            self._client.set(PULSES + worker, 1, ex=_TTL_SECONDS)
        except RedisError:
            return  # whoever looks finds no pulse, which is what there is to say
