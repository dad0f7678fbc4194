"""Heartbeat and status of a worker in a key that expires. Celery's `inspect ping` costs seconds and leaves keys."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from redis.exceptions import RedisError

from shared.adapters.redis.connecting import connect
from shared.core.errors import ServiceUnavailableError

PULSES = "slowwave:worker:"
_TTL_SECONDS = 45
_EVERY_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerFacts:
    """The status of a worker. `dreams` are the ids of the dreams whose phases it runs now."""

    pid: int
    pool: str
    concurrency: int
    dreams: tuple[str, ...] = ()
    is_draining: bool = False
    schema: str = ""  # the newest revision that its code knows; empty: it does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWorker:
    """A worker, and the seconds since its last heartbeat."""

    name: str
    seconds_ago: float
    facts: WorkerFacts


class WorkerPulse:
    """Called with every heartbeat of Celery, from the worker's main process; writes at most every 10 s, never raises."""

    def __init__(self, url: str) -> None:
        self._client = connect(url, socket_timeout=1, socket_connect_timeout=1)
        self._next_at = 0.0
        self._has_ended = False
        #: A heartbeat on another thread must not write the key again after `end` has deleted it.
        self._turn = threading.RLock()

    def beat(self, worker: str, tell: Callable[[], WorkerFacts]) -> None:
        """Renew the worker's key, unless that was done a moment ago."""
        with self._turn:
            if self._has_ended or time.monotonic() < self._next_at:
                return
            self._next_at = time.monotonic() + _EVERY_SECONDS
            try:
                self._client.set(PULSES + worker, json.dumps(asdict(tell())), ex=_TTL_SECONDS)
            except RedisError:
                return  # the key expires, which shows the same

    def end(self, worker: str) -> None:
        """Delete the key of a worker that shuts down, and write it no more."""
        with self._turn:
            self._has_ended = True
            try:
                self._client.delete(PULSES + worker)
            except RedisError:
                return


def find_workers(url: str) -> list[SeenWorker]:
    """Return the workers with a heartbeat in the last 45 s. Raises ServiceUnavailableError."""
    try:
        with connect(url, decode_responses=True, socket_timeout=5, socket_connect_timeout=5) as client:
            found = {key: (client.get(key), client.ttl(key)) for key in client.scan_iter(f"{PULSES}*", count=1_000)}
    except RedisError as error:
        msg = f"Redis does not answer ({error}); start it or check SLOWWAVE_REDIS_URL"
        raise ServiceUnavailableError(msg) from error
    return sorted(
        (
            SeenWorker(
                name=key.removeprefix(PULSES),
                seconds_ago=float(_TTL_SECONDS - max(0, int(left))),
                facts=_facts_from(json.loads(str(told))),
            )
            for key, (told, left) in found.items()
            if told is not None
        ),
        key=lambda worker: worker.name,
    )


def name_others(workers: Sequence[SeenWorker], schema: str) -> list[str]:
    """Return the workers of an older or newer slowwave than one with this newest schema, each with its own."""
    return [f"{one.name} (schema {one.facts.schema})" for one in workers if one.facts.schema not in {"", schema}]


def _facts_from(told: Any) -> WorkerFacts:  # noqa: ANN401 - whatever an older or newer worker wrote
    known = told if isinstance(told, dict) else {}
    return WorkerFacts(
        pid=int(known.get("pid", 0)),
        pool=str(known.get("pool", "unknown")),
        concurrency=int(known.get("concurrency", 0)),
        dreams=tuple(known.get("dreams", ())),
        is_draining=bool(known.get("is_draining", False)),
        schema=str(known.get("schema", "")),
    )
