"""Compaction: durable memories that nobody ever read go to the archive."""

from scheduler.due_upkeep import make_sweep
from shared.core.dream.model import Trigger

SWEEP = make_sweep("compaction", Trigger.COMPACTION)
