"""The watchdog of a worker on threads, where Celery's time limits do nothing.

A phase that overran its hard bound, stuck in C code or on a dead socket, loses its dream to whoever claims it next; its
thread cannot be stopped, so when every thread is stuck the process ends and its supervisor starts it again. When even
this thread does not get to run, because something holds the interpreter's lock, faulthandler's own clock ends the process.
"""

import faulthandler
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable

import structlog

from workers.process.hand_over import give_up, hand_over
from workers.process.running import RunningPhase, RunningPhases

_log = structlog.get_logger()
_LOOK_SECONDS = 0.5
#: So long may the interpreter stand still before the process is ended from outside of it.
_FROZEN_SECONDS = 120.0
#: Closing waits for a pending BRPOP, which kombu bounds by a second.
_BROKER_SECONDS = 5.0
EXIT_STUCK = os.EX_SOFTWARE
_STDERR = 2  # Celery puts a logger in the place of sys.stderr, which has no file


class Watchdog:
    """Looks at the running phases twice a second, on a thread of its own."""

    def __init__(
        self,
        running: RunningPhases,
        threads: int,
        *,
        end: Callable[[int], None] = os._exit,
        leave_broker: Callable[[], None] = lambda: None,
    ) -> None:
        """Watch `running` in a process of so many task threads.

        `end` leaves the process at once; `leave_broker` gives back what the broker handed out, so that a message that
        is sent afterwards reaches another worker.
        """
        self._leave_broker = leave_broker
        self._running = running
        self._threads = threads
        self._end = end
        self._leave_at: float | None = None
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def leave_within(self, seconds: float) -> None:
        """Have running phases stop between two steps; what still runs after so many seconds is handed over as it is."""
        if self._leave_at is None:
            self._leave_at = time.monotonic() + seconds
            self._running.is_leaving.set()

    def look(self) -> None:
        """Give up what is stuck; end the process when nothing else is left, or when its time to leave is over."""
        now = time.monotonic()
        phases = self._running.find_all()
        for phase in phases:
            if not phase.is_given_up and now >= phase.ends_at:
                _give_up(phase)
        stuck = sum(phase.is_given_up for phase in phases)
        if stuck >= self._threads:
            _log.critical(
                "worker_stuck", threads=self._threads, reason="every thread is stuck; the process ends itself"
            )
            self._end(EXIT_STUCK)
        elif self._leave_at is not None and now >= self._leave_at:
            _in_time(self._leave_broker)
            self._hand_over_all(phases)
            self._end(os.EX_OK)

    def _hand_over_all(self, phases: list[RunningPhase]) -> None:
        for phase in phases:
            if not phase.is_given_up:
                phase.heartbeat.is_lost.set()
                hand_over(phase.ports, phase.key, phase.store)

    def _run(self) -> None:
        while True:
            faulthandler.dump_traceback_later(_FROZEN_SECONDS, exit=True, file=_STDERR)
            try:
                self.look()
            except Exception:  # noqa: BLE001 - it must go on looking, whatever one look met
                _log.exception("watchdog_failed")
            time.sleep(_LOOK_SECONDS)


def _in_time(action: Callable[[], None]) -> None:
    """Do something that may hang, on a thread that is left behind then."""
    thread = threading.Thread(target=action, name="leave-broker", daemon=True)
    thread.start()
    thread.join(_BROKER_SECONDS)


def _give_up(phase: RunningPhase) -> None:
    """Take the dream from a stuck phase. The stack is lines of code, never a text."""
    phase.is_given_up = True
    phase.heartbeat.is_lost.set()
    frame = sys._current_frames().get(phase.thread_id)  # noqa: SLF001 - the documented way to see another thread
    where = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_stack(frame)[-8:]] if frame else []
    key = phase.key
    _log.error(
        "phase_stuck",
        tenant_id=key.tenant_id,
        store=phase.store,
        dream_id=key.dream_id,
        phase=key.phase,
        epoch=key.epoch,
        where=where,
    )
    give_up(phase.ports, key, phase.store)
