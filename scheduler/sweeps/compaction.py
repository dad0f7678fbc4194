"""Sweep for compaction: stores with durable memories that are never read."""

from scheduler.due_upkeep import make_sweep
from shared.core.dream.model import Trigger

SWEEP = make_sweep("compaction", Trigger.COMPACTION)
