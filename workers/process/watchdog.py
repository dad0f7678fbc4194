"""Watchdog of a worker on the threads pool, where Celery's time limits have no effect.

A phase that overruns its hard limit, in C code or on a dead socket, is stuck: its dream is released, so that another
worker can claim it. The thread cannot be stopped, so when every thread is stuck the process exits and its supervisor
restarts it. If the watchdog's own thread does not run either, because something holds the GIL, faulthandler's timer ends
the process.
"""

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Callable

from shared.logger import get_logger
from shared.telemetry import where_is
from workers.process.hand_over import release_dream
from workers.process.running import RunningPhase, RunningPhases

_log = get_logger()
_LOOK_SECONDS = 0.5
#: The process is ended when the watchdog's thread has not run for this long.
_FROZEN_SECONDS = 120.0
#: Closing waits for a pending BRPOP, which kombu bounds by a second.
_BROKER_SECONDS = 5.0
_STACK_LINES = 8
EXIT_STUCK = os.EX_SOFTWARE
_STDERR = 2  # Celery puts a logger in the place of sys.stderr, which has no file


class Watchdog:
    """Checks the running phases twice a second, on a thread of its own."""

    def __init__(
        self,
        running: RunningPhases,
        threads: int,
        *,
        end: Callable[[int], None] = os._exit,
        leave_broker: Callable[[], None] = lambda: None,
    ) -> None:
        """Watch `running` in a process with the given number of task threads.

        `end` exits the process at once. `leave_broker` closes the broker's connection first, so that a message that is
        sent afterwards reaches another worker.
        """
        self._leave_broker = leave_broker
        self._running = running
        self._threads = threads
        self._end = end
        self._drain_until: float | None = None
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start the watchdog's thread."""
        self._thread.start()

    def drain_within(self, seconds: float) -> None:
        """Stop running phases between two steps; release the dreams of those that still run after `seconds`."""
        if self._drain_until is None:
            self._drain_until = time.monotonic() + seconds
            self._running.draining.set()

    def look(self) -> None:
        """Release stuck phases; exit when every thread is stuck, or when the time to drain is over."""
        now = time.monotonic()
        phases = self._running.find_all()
        for phase in phases:
            if not phase.is_released and now >= phase.ends_at:
                _release_stuck(phase)
        stuck = sum(phase.is_released for phase in phases)
        if stuck >= self._threads:
            _log.critical(
                "worker_stuck", threads=self._threads, reason="every thread is stuck; the process ends itself"
            )
            self._end(EXIT_STUCK)
        elif self._drain_until is not None and now >= self._drain_until:
            _in_time(self._leave_broker)
            self._release_all(phases)
            self._end(os.EX_OK)

    def _release_all(self, phases: list[RunningPhase]) -> None:
        for phase in phases:
            if not phase.is_released:
                phase.heartbeat.is_lost.set()
                release_dream(phase.ports, phase.key, phase.store, planned=True)

    def _run(self) -> None:
        while True:
            faulthandler.dump_traceback_later(_FROZEN_SECONDS, exit=True, file=_STDERR)
            try:
                self.look()
            except Exception:  # noqa: BLE001 - one failed check must not stop the watchdog
                _log.exception("watchdog_failed")
            time.sleep(_LOOK_SECONDS)


def _in_time(action: Callable[[], None]) -> None:
    """Run an action that may hang, on a thread that is abandoned after a few seconds."""
    thread = threading.Thread(target=action, name="leave-broker", daemon=True)
    thread.start()
    thread.join(_BROKER_SECONDS)


def _release_stuck(phase: RunningPhase) -> None:
    """Release the dream of a stuck phase. The logged stack holds lines of code, never memory text."""
    phase.is_released = True
    phase.heartbeat.is_lost.set()
    frame = sys._current_frames().get(phase.thread_id)  # noqa: SLF001 - the documented way to see another thread
    key = phase.key
    _log.error(
        "phase_stuck",
        tenant_id=key.tenant_id,
        store=phase.store,
        dream_id=key.dream_id,
        phase=key.phase,
        epoch=key.epoch,
        where=where_is(frame, limit=_STACK_LINES),
    )
    release_dream(phase.ports, key, phase.store, planned=False)
