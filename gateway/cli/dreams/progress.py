"""Describe an active dream in words: its age, its worker, and the end of its lease."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from gateway.cli.console.output import ago
from gateway.dream_progress import find_progress
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState
from shared.core.gates.snooze import describe_wake
from shared.tracing import trace_id_of


def progress_line(dream: Dream, worker: str | None, now: datetime | None = None) -> str | None:
    """Return one line for people, with what to do about a stalled dream; None if the dream has ended."""
    now = now or datetime.now(UTC)
    if dream.state not in ACTIVE_STATES:
        return None
    if dream.state is DreamState.QUEUED:
        return (
            f"Queued {ago(dream.created_at, now)}; no worker has claimed it. To see the workers: slowwave workers list"
        )
    began = f"Began {ago(dream.started_at, now)}"
    if dream.next_attempt_at is not None:
        return f"{began}; snoozed, goes on {describe_wake(dream) or ago(max(dream.next_attempt_at, now), now)}"
    rescued = f"; taken over {dream.rescue_count} times" if dream.rescue_count else ""
    if dream.has_lost_worker(now):
        lost = f"its lease expired {ago(dream.lease_until, now)}: its worker is gone"
        return f"{began}; {lost}{rescued}. To send it to another worker now: slowwave reconcile"
    lease = f", lease expires {ago(dream.lease_until, now)}" if dream.lease_until else ""
    return f"{began}; {worker or 'between two workers'}{lease}{rescued}"


def progress_json(dream: Dream, worker: str | None, now: datetime | None = None) -> dict[str, Any]:
    """Return the same for programs."""
    return asdict(find_progress(dream, worker, now)) | {"trace_id": trace_id_of(dream.id)}
