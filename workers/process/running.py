"""The phases running in this process: the watchdog watches them, and a draining worker releases them."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shared.all_ports import Ports
from workers.phase.heartbeat import Heartbeat
from workers.phase.work import RESERVE_SECONDS, PhaseKey, PhaseWork


class DrainingError(Exception):
    """The worker is draining: the phase stops between two steps and is released. This is no failure, so no SlowwaveError."""


@dataclass(kw_only=True, eq=False)
class RunningPhase:
    """One phase on one thread. `ends_at`, by time.monotonic(), is when it counts as stuck."""

    ports: Ports
    key: PhaseKey
    store: str
    heartbeat: Heartbeat
    thread_id: int
    ends_at: float
    is_released: bool = False


class RunningPhases:
    """All phases of this process, by thread."""

    def __init__(self) -> None:
        self.draining = threading.Event()
        self._phases: set[RunningPhase] = set()
        self._lock = threading.Lock()

    @contextmanager
    def watching(self, work: PhaseWork, heartbeat: Heartbeat) -> Iterator[None]:
        """Watch a phase until the end of the block. Raises DrainingError when the worker drains."""
        if self.draining.is_set():
            raise DrainingError
        seconds = work.left.seconds() + RESERVE_SECONDS + work.ports.settings.phase_overrun_seconds
        phase = RunningPhase(
            ports=work.ports,
            key=work.key,
            store=work.store.name,
            heartbeat=heartbeat,
            thread_id=threading.get_ident(),
            ends_at=time.monotonic() + seconds,
        )
        with self._lock:
            self._phases.add(phase)
        try:
            yield
        finally:
            with self._lock:
                self._phases.discard(phase)

    def find_all(self) -> list[RunningPhase]:
        """Return the running phases, including stuck ones that were released."""
        with self._lock:
            return list(self._phases)


RUNNING = RunningPhases()
