"""The phases of a dream, in order. The order is the design: read it here."""

from workers.phase import Phase
from workers.phases import (
    consolidate,
    gather,
    index,
    infer_preferences,
    learn_from_workflows,
    orient,
    prune,
    recall_guard,
    synthesize,
)

PHASES: tuple[Phase, ...] = (
    orient.PHASE,
    gather.PHASE,
    consolidate.PHASE,
    synthesize.PHASE,
    prune.PHASE,
    infer_preferences.PHASE,
    learn_from_workflows.PHASE,
    recall_guard.PHASE,
    index.PHASE,
)
