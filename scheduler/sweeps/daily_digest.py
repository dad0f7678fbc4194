"""Daily digest: stores with enough new memories get a digest of them, at most one a day by the tenant's own clock."""

from scheduler.due_upkeep import make_sweep
from shared.core.dream.model import Trigger

SWEEP = make_sweep("daily_digest", Trigger.DIGEST)
