"""The sweeps, in one list."""

from scheduler.sweep import Sweep
from scheduler.sweeps import due_deliveries, due_stores, retention, stalled_dreams

SWEEPS: tuple[Sweep, ...] = (due_stores.SWEEP, stalled_dreams.SWEEP, retention.SWEEP, due_deliveries.SWEEP)
