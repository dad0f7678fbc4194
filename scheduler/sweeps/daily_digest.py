"""Sweep for daily digests: stores with enough new memories, at most once a day in the tenant's time zone."""

from scheduler.due_upkeep import make_sweep
from shared.core.dream.model import Trigger

SWEEP = make_sweep("daily_digest", Trigger.DIGEST)
