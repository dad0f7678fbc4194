"""Graceful shutdown of a worker on the threads pool, on SIGTERM or `slowwave workers drain`.

The worker takes no new messages. Its running dreams are finished or released: a phase that waits for its model stores the
answer and releases the dream; phases that do not return in time are released as they are. The worker then exits with 0.
Celery's own soft shutdown would sleep for its whole timeout, and cannot stop threads.
"""

import os
import re
import signal
from contextlib import suppress
from typing import Any

from celery import bootsteps
from celery.worker import state
from celery.worker.control import control_command

from shared.adapters.postgres.revisions import find_newest
from shared.adapters.redis.worker_pulse import WorkerFacts
from shared.logger import get_logger
from shared.settings import load_settings
from workers.process.running import RUNNING
from workers.process.watchdog import Watchdog

_log = get_logger()
_DREAM = re.compile(r"drm_\w+")
_WATCHDOGS: list[Watchdog] = []
_CONCURRENCY: list[int] = []


def remember_concurrency(limit: int) -> None:
    """Make the pulse report the concurrency of `-c`."""
    _CONCURRENCY[:] = [limit]


def watch_threads(consumer: Any) -> None:  # noqa: ANN401 - Celery's consumer has no type
    """Start the watchdog, and have SIGTERM drain this worker, whatever REMAP_SIGTERM says. Call on the main thread."""

    def leave_broker() -> None:
        with suppress(Exception):  # the process exits next, and a half-open connection may raise
            consumer.connection.close()

    watchdog = Watchdog(RUNNING, consumer.pool.limit, leave_broker=leave_broker)
    watchdog.start()
    _WATCHDOGS.append(watchdog)
    signal.signal(signal.SIGTERM, lambda *_: drain("SIGTERM"))


def drain(why: str) -> float:
    """Start draining; return the maximum number of seconds until the worker exits."""
    seconds = load_settings().drain_seconds
    _log.warning("worker_draining", reason=why, within_seconds=seconds, phases=len(RUNNING.find_all()))
    for watchdog in _WATCHDOGS:
        watchdog.drain_within(seconds)
    vars(state)["should_stop"] = 0  # Celery's warm shutdown, exit code 0
    return seconds


class DrainStep(bootsteps.StartStopStep):
    """Drains the worker whenever it stops, before Celery waits for the pool without a timeout.

    An error of the broker's connection, such as a Redis restart under a running task, stops a worker as well.
    """

    requires = ("celery.worker.components:Pool",)

    def stop(self, _worker: Any) -> None:  # noqa: ANN401 - the same
        """Begin to drain, unless the worker does already."""
        for watchdog in _WATCHDOGS:
            watchdog.drain_within(load_settings().drain_seconds)


def tell_facts() -> WorkerFacts:
    """Return the facts that this worker sends with its pulse; on prefork, the main process does this, since it sees every request."""
    settings = load_settings()
    ids = {found for request in list(state.active_requests) for found in _DREAM.findall(str(request.kwargsrepr))}
    return WorkerFacts(
        pid=os.getpid(),
        pool=settings.worker_pool,
        concurrency=_CONCURRENCY[0] if _CONCURRENCY else settings.worker_concurrency,
        dreams=tuple(sorted(ids)),
        is_draining=RUNNING.draining.is_set(),
        schema=find_newest(),
    )


@control_command(name="drain")
def _drain(_state: Any, **_: object) -> dict[str, float]:  # noqa: ANN401 - Celery's shape
    """Let this worker finish or release its dreams, and exit."""
    return {"gone_within_seconds": drain("drain")}
