"""Report the progress of a dream, for the command line and the API: its age, its worker, and the end of its lease."""

from dataclasses import dataclass
from datetime import UTC, datetime

from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import redis_url
from shared.core.dream.model import Dream, DreamState
from shared.core.errors import ServiceUnavailableError
from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamProgress:
    """The progress of a dream, now or when it ended.

    Attributes:
        age_seconds: the seconds since it began (or was queued, if no worker has begun it), until now or its end.
        worker: the worker that runs it now, as of its last heartbeat.
        lease_until: when its lease expires unless the heartbeat renews it.
        has_lost_worker: its lease has expired, and no other worker has claimed it yet.
        rescues: how often it was taken over from a lost worker.
        wakes_at: when its snooze ends.
    """

    age_seconds: float
    worker: str | None
    lease_until: datetime | None
    has_lost_worker: bool
    rescues: int
    wakes_at: datetime | None


def find_progress(dream: Dream, worker: str | None, now: datetime | None = None) -> DreamProgress:
    """Return the progress of a dream."""
    now = now or datetime.now(UTC)
    ended = dream.finished_at or now
    return DreamProgress(
        age_seconds=max(0.0, (ended - (dream.started_at or dream.created_at)).total_seconds()),
        worker=worker,
        lease_until=dream.lease_until,
        has_lost_worker=dream.has_lost_worker(now),
        rescues=dream.rescue_count,
        wakes_at=dream.next_attempt_at,
    )


def find_worker(settings: Settings, dream: Dream) -> str | None:
    """Return the name of the worker that runs a dream now, as of its last heartbeat; None when no worker reports it."""
    if dream.state is not DreamState.RUNNING:
        return None
    try:
        seen = find_workers(redis_url(settings))
    except ServiceUnavailableError:
        return None
    return next((worker.name for worker in seen if dream.id in worker.facts.dreams), None)
