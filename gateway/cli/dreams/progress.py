"""How an active dream stands: since when, which worker has it, and until when its lease runs."""

from datetime import UTC, datetime
from typing import Any

from gateway.cli.console.output import ago
from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import redis_url
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState
from shared.core.errors import ServiceUnavailableError
from shared.core.gates.snooze import describe_wake
from shared.settings import Settings
from shared.tracing import trace_id_of


def find_worker(settings: Settings, dream: Dream) -> str | None:
    """Return the name of the worker that runs a dream now, as of its last heartbeat; None when none says so."""
    if dream.state is not DreamState.RUNNING:
        return None
    try:
        seen = find_workers(redis_url(settings))
    except ServiceUnavailableError:
        return None
    return next((worker.name for worker in seen if dream.id in worker.facts.dreams), None)


def progress_line(dream: Dream, worker: str | None, now: datetime | None = None) -> str | None:
    """Return one line for a person, with what to do about a dream that stands still; None for one that has ended."""
    now = now or datetime.now(UTC)
    if dream.state not in ACTIVE_STATES:
        return None
    if dream.state is DreamState.QUEUED:
        return f"Queued {ago(dream.created_at, now)}; no worker has taken it. Who works: slowwave workers list"
    began = f"Began {ago(dream.started_at, now)}"
    if dream.next_attempt_at is not None:
        return f"{began}; snoozed, goes on {describe_wake(dream) or ago(dream.next_attempt_at, now)}"
    rescued = f"; taken over {dream.rescue_count} times" if dream.rescue_count else ""
    if dream.has_lost_worker(now):
        lost = f"its lease ended {ago(dream.lease_until, now)}: its worker is gone"
        return f"{began}; {lost}{rescued}. Send it to another one now: slowwave reconcile"
    lease = f", lease ends {ago(dream.lease_until, now)}" if dream.lease_until else ""
    return f"{began}; {worker or 'between two workers'}{lease}{rescued}"


def progress_json(dream: Dream, worker: str | None, now: datetime | None = None) -> dict[str, Any]:
    """Return the same for programs."""
    now = now or datetime.now(UTC)
    ended = dream.finished_at or now
    return {
        "age_seconds": (ended - (dream.started_at or dream.created_at)).total_seconds(),
        "worker": worker,
        "lease_until": dream.lease_until,
        "has_lost_worker": dream.has_lost_worker(now),
        "rescues": dream.rescue_count,
        "trace_id": trace_id_of(dream.id),
    }
