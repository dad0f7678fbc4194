"""Build beat's schedule: one entry per sweep, never one per tenant. Two beats may run, since every sweep is safe to run twice."""

from typing import Any

from scheduler.sweeps import SWEEPS
from shared.adapters.celery import names
from shared.settings import Settings


def build_schedule(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return Celery's beat schedule. Messages expire after two intervals."""
    return {
        sweep.name: {
            "task": names.SWEEP,
            "schedule": sweep.every(settings),
            "kwargs": {"name": sweep.name},
            "options": {"expires": 2 * sweep.every(settings).total_seconds(), "queue": names.CONTROL_QUEUE},
        }
        for sweep in SWEEPS
    }
