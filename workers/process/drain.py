"""How a worker on threads leaves: SIGTERM, or `slowwave workers drain`. It ends with 0 and owes nobody anything.

It takes no new message; a phase that waits for its model stores the answer and hands the dream over; what does not come
back in time is handed over as it is. Celery's own soft shutdown would sleep its whole timeout and cannot stop threads.
"""

import os
import re
import signal
from contextlib import suppress
from typing import Any

import structlog
from celery import bootsteps
from celery.worker import state
from celery.worker.control import control_command

from shared.adapters.redis.worker_pulse import WorkerFacts
from shared.settings import load_settings
from workers.process.running import RUNNING
from workers.process.watchdog import Watchdog

_log = structlog.get_logger()
_DREAM = re.compile(r"drm_\w+")
_WATCHDOGS: list[Watchdog] = []
_CONCURRENCY: list[int] = []


def remember_concurrency(limit: int) -> None:
    """Have the pulse tell what `-c` said."""
    _CONCURRENCY[:] = [limit]


def watch_threads(consumer: Any) -> None:  # noqa: ANN401 - Celery's consumer has no type
    """Start the watchdog, and have SIGTERM drain this worker, whatever REMAP_SIGTERM says. Call on the main thread."""

    def leave_broker() -> None:
        with suppress(Exception):  # the process ends next, whatever a half-open connection says
            consumer.connection.close()

    watchdog = Watchdog(RUNNING, consumer.pool.limit, leave_broker=leave_broker)
    watchdog.start()
    _WATCHDOGS.append(watchdog)
    signal.signal(signal.SIGTERM, lambda *_: leave("SIGTERM"))


def leave(why: str) -> float:
    """Begin to leave; return within how many seconds the worker is gone."""
    seconds = load_settings().drain_seconds
    _log.warning("worker_leaves", reason=why, within_seconds=seconds, phases=len(RUNNING.find_all()))
    for watchdog in _WATCHDOGS:
        watchdog.leave_within(seconds)
    vars(state)["should_stop"] = 0  # Celery's warm shutdown, exit code 0
    return seconds


class LeaveStep(bootsteps.StartStopStep):
    """Runs whenever the worker stops, for whatever reason, before Celery waits for the pool without any bound.

    An error of the broker's connection, such as that of a Redis restart under a running task, stops a worker as well.
    """

    requires = ("celery.worker.components:Pool",)

    def stop(self, _worker: Any) -> None:  # noqa: ANN401 - the same
        """Begin to leave, unless that was done before."""
        for watchdog in _WATCHDOGS:
            watchdog.leave_within(load_settings().drain_seconds)


def tell_facts() -> WorkerFacts:
    """Return what this worker's pulse says of it; on prefork, from its main process, which sees every request."""
    settings = load_settings()
    ids = {found for request in list(state.active_requests) for found in _DREAM.findall(str(request.kwargsrepr))}
    return WorkerFacts(
        pid=os.getpid(),
        pool=settings.worker_pool,
        concurrency=_CONCURRENCY[0] if _CONCURRENCY else settings.worker_concurrency,
        dreams=tuple(sorted(ids)),
        is_leaving=RUNNING.is_leaving.is_set(),
    )


@control_command(name="drain")
def _drain(_state: Any, **_: object) -> dict[str, float]:  # noqa: ANN401 - Celery's shape
    """Let this worker finish or hand over what it runs, and end."""
    return {"gone_within_seconds": leave("drain")}
