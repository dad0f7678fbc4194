"""Snoozing: a dream that cannot continue now sleeps in the database without a worker, and is woken at a set time.

`deadline_at` limits the time that a dream is awake: a snooze stops that clock, and the claim that wakes the dream extends the
deadline by the time it slept. The number of snoozes limits the total time: after `max_snoozes` in a row without a new answer the
dream continues with the answers it has and ends `partial` or `error`. A snooze is neither a rescue nor a stall; meanwhile the
dream keeps its store and its tenant's slot.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.dream.model import Dream
from shared.core.gates.busy_agent import decide_waited_enough, find_busy_since
from shared.core.policy.policy import GatePolicy
from shared.core.tenants.store import Store

#: The wait for an agent with pending tasks, which give no time at which it will be free.
_QUEUE_WAIT = timedelta(minutes=5)
_SHORTEST_SECONDS = 5.0
#: The reasons in the log of a dream that sleeps, for people: its agent is busy, its questions are out in a Message Batch,
#: the model's server or a limit rejects calls.
AGENT_BUSY = "Sleeps while its agent is busy"
BATCHED = "Sleeps until its Message Batch has ended"
RATE_LIMITED = "Sleeps until the model takes calls again"
#: RockBot's backoff for a live turn, 195 minutes in all.
BUSY_BACKOFF_MINUTES = (5.0, 10.0, 20.0, 40.0, 60.0, 60.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnoozeTerms:
    """The number of snoozes in a row and the longest one. Zero snoozes switch snoozing off."""

    max_snoozes: int = 6
    longest_seconds: float = 3600.0


def decide_snooze(terms: SnoozeTerms, *, snoozes: int, wanted_seconds: float) -> float | None:
    """Return the length of the next snooze in seconds; None when the limit in a row is reached."""
    if snoozes >= terms.max_snoozes:
        return None
    return min(max(wanted_seconds, _SHORTEST_SECONDS), terms.longest_seconds)


def decide_busy_wait(*, snoozes: int) -> float:
    """Return the snooze in seconds for a busy agent, by the number of snoozes in a row."""
    return 60 * BUSY_BACKOFF_MINUTES[min(snoozes, len(BUSY_BACKOFF_MINUTES) - 1)]


def decide_wake(dream: Dream, idle_seconds: float, now: datetime, *, is_busy: bool) -> datetime | None:
    """Return the new wake-up time of a dream snoozed for its agent, now that a turn has ended or begun; None: no change.

    The end of a turn wakes it once the store has been quiet for the idle window. A turn that begins before restores the
    former time, so that short turns do not use up its snoozes.
    """
    at = dream.next_attempt_at
    if at is None or dream.snoozed_at is None or dream.reason != AGENT_BUSY:
        return None
    if not is_busy:
        return min(at, now + timedelta(seconds=idle_seconds))
    wanted = decide_busy_wait(snoozes=max(0, dream.snooze_count - 1))
    return max(at, dream.snoozed_at + timedelta(seconds=wanted))


def describe_wake(dream: Dream) -> str | None:
    """Return the event that may wake a snoozed dream before its wake-up time; None if only the time does."""
    return "when its Message Batch has ended, usually within an hour" if dream.reason == BATCHED else None


def find_busy_until(store: Store, policy: GatePolicy, now: datetime) -> datetime | None:
    """Return when to check a store's busy agent again; None if it is free, or has been busy for a day."""
    if decide_waited_enough(find_busy_since(store), now):
        return None
    if store.active_until is not None and store.active_until > now:
        return store.active_until
    if policy.require_empty_queue and store.pending_tasks > 0:
        return now + _QUEUE_WAIT
    return None
