"""Snoozing: a dream that cannot go on now sleeps in the database, holds no worker, and is woken when its time has come.

How it plays with the deadline: `deadline_at` bounds the time that a dream is awake. A snooze stops that clock, and the
claim that wakes the dream moves the deadline on by the time it slept. What bounds a snoozed dream as a whole is the
number of its snoozes: after `max_snoozes` in a row without a new answer it goes on with what it has and ends `partial`
or `error`, so no dream lasts longer than its budget and `max_snoozes` times the longest snooze for each round of
answers. A snooze is neither a rescue nor a stall; meanwhile the dream keeps its store and its tenant's slot.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.dream.model import Dream
from shared.core.gates.busy_agent import decide_waited_enough, find_busy_since
from shared.core.policy.policy import GatePolicy
from shared.core.tenants.store import Store

#: How long a dream waits for an agent whose queue has tasks: there is no mark that says until when.
_QUEUE_WAIT = timedelta(minutes=5)
_SHORTEST_SECONDS = 5.0
#: Why a dream sleeps whose agent is busy, as its log says it.
AGENT_BUSY = "Snoozed (agent_busy)"
#: RockBot's: a live turn is asked again in ever longer intervals, 195 minutes in all.
BUSY_BACKOFF_MINUTES = (5.0, 10.0, 20.0, 40.0, 60.0, 60.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnoozeTerms:
    """How often in a row and how long a dream may sleep. Zero snoozes switch it off."""

    max_snoozes: int = 6
    longest_seconds: float = 3600.0


def decide_snooze(terms: SnoozeTerms, *, snoozes: int, wanted_seconds: float) -> float | None:
    """Return for how many seconds a dream sleeps that has slept so often in a row; None: not again."""
    if snoozes >= terms.max_snoozes:
        return None
    return min(max(wanted_seconds, _SHORTEST_SECONDS), terms.longest_seconds)


def decide_busy_wait(*, snoozes: int) -> float:
    """Return for how many seconds a dream sleeps whose agent is busy, having slept so often in a row."""
    return 60 * BUSY_BACKOFF_MINUTES[min(snoozes, len(BUSY_BACKOFF_MINUTES) - 1)]


def decide_wake(dream: Dream, idle_seconds: float, now: datetime, *, is_busy: bool) -> datetime | None:
    """Return when a dream goes on that sleeps because its agent was busy, now that a turn has ended or begun.

    The end of a turn wakes it once the store has been quiet for the idle window. A turn that begins sooner takes that
    back: the dream sleeps as long as it was to, so that short turns do not use up its snoozes. None: no other time.
    """
    at = dream.next_attempt_at
    if at is None or dream.snoozed_at is None or dream.reason != AGENT_BUSY:
        return None
    if not is_busy:
        return min(at, now + timedelta(seconds=idle_seconds))
    wanted = decide_busy_wait(snoozes=max(0, dream.snooze_count - 1))
    return max(at, dream.snoozed_at + timedelta(seconds=wanted))


def find_busy_until(store: Store, policy: GatePolicy, now: datetime) -> datetime | None:
    """Return when it is worth asking a store's agent again whether it is free; None: it is free, or was busy for a day."""
    if decide_waited_enough(find_busy_since(store), now):
        return None
    if store.active_until is not None and store.active_until > now:
        return store.active_until
    if policy.require_empty_queue and store.pending_tasks > 0:
        return now + _QUEUE_WAIT
    return None
