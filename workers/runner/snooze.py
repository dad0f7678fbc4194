"""Snooze a running dream, or wait a few seconds for a busy agent instead.

A snooze is one fenced transaction that releases phase, lease and epoch, and then the lock. The new epoch refuses the
writes of a redelivered message or a zombie worker. A snoozed dream has no lease: the reconciler sends it at its wake-up
time, and the claim gives it an epoch, a lease and a lock.

An agent's turn is short and an unneeded snooze costs minutes, so a phase first waits briefly for the agent to become idle.
"""

from dataclasses import dataclass

from shared.core.gates import snooze as reasons
from shared.core.gates.snooze import SnoozeTerms, decide_snooze, find_busy_until
from shared.counting import count
from shared.ports.database import UnitOfWork
from workers.phase.work import PhaseWork
from workers.process.running import RUNNING
from workers.process.turns import TURNS

RATE_LIMITED = "rate_limited"
BATCHED = "batched"
AGENT_BUSY = "agent_busy"
_REASONS = {RATE_LIMITED: reasons.RATE_LIMITED, BATCHED: reasons.BATCHED, AGENT_BUSY: reasons.AGENT_BUSY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snooze:
    """The reason and duration of a snooze. `has_progressed`: the dream got a new answer since it woke."""

    why: str  # rate_limited | agent_busy | batched
    seconds: float
    has_progressed: bool = False


class SnoozeWantedError(Exception):
    """The phase cannot continue now, and its dream should be snoozed."""

    def __init__(self, snooze: Snooze) -> None:
        super().__init__(snooze.why)
        self.snooze = snooze


def get_terms(work: PhaseWork) -> SnoozeTerms:
    """Return how often and how long a dream may be snoozed."""
    settings = work.ports.settings
    return SnoozeTerms(max_snoozes=settings.max_snoozes, longest_seconds=settings.longest_snooze_seconds)


def want_snooze(work: PhaseWork, snooze: Snooze) -> None:
    """Raise SnoozeWantedError if the dream may be snoozed again; else return, and the phase continues without."""
    snoozes = 0 if snooze.has_progressed else work.dream.snooze_count
    if decide_snooze(get_terms(work), snoozes=snoozes, wanted_seconds=snooze.seconds) is not None:
        raise SnoozeWantedError(snooze)


def snooze_dream(work: PhaseWork, snooze: Snooze) -> None:
    """Snooze the dream. Raises LostLeaseError if another worker has claimed it."""
    seconds, snoozes = _decide(work, snooze)
    with work.fenced() as uow:
        uow.phases.release_claims(work.dream.id)
        uow.dreams.snooze(work.dream.id, seconds=seconds, reason=_reason(uow, work, snooze), snoozes=snoozes)
    work.ports.lock.release(work.key.tenant_id, work.store.name, f"{work.key.dream_id}:{work.key.epoch}")
    count("slowwave_snoozes_total", why=snooze.why)


def _decide(work: PhaseWork, snooze: Snooze) -> tuple[float, int]:
    """Return the seconds, and the number of snoozes in a row. Waiting for a batch is normal and is not counted."""
    if snooze.why == BATCHED:
        return snooze.seconds, work.dream.snooze_count
    snoozes = 0 if snooze.has_progressed else work.dream.snooze_count
    seconds = decide_snooze(get_terms(work), snoozes=snoozes, wanted_seconds=snooze.seconds)
    assert seconds is not None
    return seconds, snoozes + 1


def _reason(uow: UnitOfWork, work: PhaseWork, snooze: Snooze) -> str:
    """Return the reason to show while the dream is snoozed, with the message of the model's server if that is the cause."""
    said = uow.calls.find_last_problem(work.dream.id) if snooze.why == RATE_LIMITED else ""
    return f"{_REASONS[snooze.why]}{f': {said}' if said else ''}"


def wait_until_idle(work: PhaseWork) -> bool:
    """Poll every few seconds until the store's agent is idle; return whether it is.

    The heartbeat keeps the lease meanwhile. A draining worker stops waiting.
    """
    if work.busy_seconds <= 0:
        return True
    with TURNS.give_up():
        return _poll_until_idle(work)


def _poll_until_idle(work: PhaseWork) -> bool:
    settings = work.ports.settings
    is_busy = True
    for _ in range(settings.busy_polls):
        if work.left.seconds() <= settings.busy_poll_seconds or RUNNING.draining.wait(settings.busy_poll_seconds):
            break
        with work.ports.db.transaction(work.key.tenant_id) as uow:
            store = uow.stores.get(work.dream.store)
            is_busy = find_busy_until(store, store.policy.gates, uow.now()) is not None
        if not is_busy:
            break
    return not is_busy
