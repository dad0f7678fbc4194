"""The sweeps, in one list."""

from scheduler.sweep import Sweep
from scheduler.sweeps import compaction, daily_digest, due_deliveries, due_stores, retention, stalled_dreams

SWEEPS: tuple[Sweep, ...] = (
    due_stores.SWEEP,
    daily_digest.SWEEP,
    compaction.SWEEP,
    stalled_dreams.SWEEP,
    retention.SWEEP,
    due_deliveries.SWEEP,
)
