"""The watchdog: a phase that overran its bound loses its dream at once; a worker whose threads are all stuck ends."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import LostLeaseError
from tests.support.builders import get_dream, write
from workers.dream.begin import begin_dream
from workers.phase.heartbeat import Heartbeat
from workers.phase.work import PhaseKey, PhaseWork, claim_phase
from workers.phases import PHASES
from workers.process.running import DrainingError, RunningPhases
from workers.process.watchdog import EXIT_STUCK, Watchdog

_NOTES = {"api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key.\n"}


@dataclass
class Exits:
    """The exit codes with which the watchdog would have ended the process."""

    codes: list[int] = field(default_factory=list)

    def end(self, code: int) -> None:
        self.codes.append(code)


@dataclass
class Stuck:
    """A phase that hangs on a thread of its own until the block ends."""

    work: PhaseWork
    heartbeat: Heartbeat


@contextmanager
def a_stuck_phase(ports: Ports, tenant: str, running: RunningPhases) -> Iterator[Stuck]:
    write(ports, tenant, _NOTES)
    dream_id = begin_dream(ports, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase="orient")
    work = claim_phase(ports, PHASES[0], key, "run_stuck")
    assert work is not None
    heartbeat = Heartbeat(ports, key, "run_stuck", "default")
    is_in, release = threading.Event(), threading.Event()

    def hang() -> None:
        with running.watching(work, heartbeat):
            is_in.set()
            release.wait()

    thread = threading.Thread(target=hang, daemon=True)
    thread.start()
    assert is_in.wait(10)
    try:
        yield Stuck(work=work, heartbeat=heartbeat)
    finally:
        release.set()
        thread.join(10)


def _overrun(running: RunningPhases) -> None:
    """Let the bound of every phase be over."""
    for phase in running.find_all():
        phase.ends_at = time.monotonic() - 1


def test_a_phase_within_its_bound_is_left_alone(ports: Ports, tenant: str) -> None:
    running, exits = RunningPhases(), Exits()
    with a_stuck_phase(ports, tenant, running) as stuck:
        Watchdog(running, 1, end=exits.end).look()
        assert not stuck.heartbeat.is_lost.is_set()
        assert get_dream(ports, tenant, stuck.work.key.dream_id).epoch == 1
    assert exits.codes == []


def test_a_stuck_phase_loses_its_dream_at_once_and_writes_nothing_more(
    ports: Ports, dispatch: RecordingDispatch, tenant: str
) -> None:
    running, exits = RunningPhases(), Exits()
    with a_stuck_phase(ports, tenant, running) as stuck:
        dream_id = stuck.work.key.dream_id
        _overrun(running)
        Watchdog(running, 2, end=exits.end).look()
        assert stuck.heartbeat.is_lost.is_set()
        assert dispatch.dreams[-1] == (tenant, "default", dream_id)
        with pytest.raises(LostLeaseError), stuck.work.fenced():
            pytest.fail("a stuck thread that wakes up before anybody else took over writes nothing either")
        assert begin_dream(ports, tenant, "default", force=True, dream_id=dream_id) == dream_id
        rescued = get_dream(ports, tenant, dream_id)
        assert (rescued.state, rescued.rescue_count) == (DreamState.RUNNING, 1)
    assert exits.codes == [], "the other thread still works"


def test_a_worker_whose_threads_are_all_stuck_ends_so_that_it_is_started_again(ports: Ports, tenant: str) -> None:
    running, exits = RunningPhases(), Exits()
    with a_stuck_phase(ports, tenant, running):
        _overrun(running)
        Watchdog(running, 1, end=exits.end).look()
    assert exits.codes == [EXIT_STUCK]


def test_a_thread_that_woke_up_again_counts_as_free(ports: Ports, tenant: str) -> None:
    running, exits = RunningPhases(), Exits()
    watchdog = Watchdog(running, 2, end=exits.end)
    with a_stuck_phase(ports, tenant, running):
        _overrun(running)
        watchdog.look()
    with a_stuck_phase(ports, f"{tenant}b", running):
        _overrun(running)
        watchdog.look()
    assert exits.codes == []


def test_a_worker_that_leaves_hands_over_what_still_runs_when_its_time_is_over(
    ports: Ports, dispatch: RecordingDispatch, tenant: str
) -> None:
    running, exits, left = RunningPhases(), Exits(), []
    watchdog = Watchdog(running, 2, end=exits.end, leave_broker=lambda: left.append(len(dispatch.dreams)))
    with a_stuck_phase(ports, tenant, running) as stuck:
        sent_before = len(dispatch.dreams)
        watchdog.drain_within(0)
        watchdog.look()
        dream_id = stuck.work.key.dream_id
        assert begin_dream(ports, tenant, "default", force=True, dream_id=dream_id) == dream_id
        assert get_dream(ports, tenant, dream_id).rescue_count == 0, "a drained worker is not a lost one"
    assert exits.codes == [0]
    assert left == [sent_before], "the broker is left before the dream is sent, so that another worker gets it"


def test_a_worker_that_leaves_begins_no_phase(ports: Ports, tenant: str) -> None:
    running = RunningPhases()
    running.draining.set()
    with pytest.raises(DrainingError), a_stuck_phase_is_entered(ports, tenant, running):
        pytest.fail("a phase was begun")


@contextmanager
def a_stuck_phase_is_entered(ports: Ports, tenant: str, running: RunningPhases) -> Iterator[None]:
    write(ports, tenant, _NOTES)
    dream_id = begin_dream(replace(ports), tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase="orient")
    work = claim_phase(ports, PHASES[0], key, "run_late")
    assert work is not None
    with running.watching(work, Heartbeat(ports, key, "run_late", "default")):
        yield
