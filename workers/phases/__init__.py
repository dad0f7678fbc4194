"""The phases of a dream, in order. The order is the design: read it here."""

from workers.phase import Phase
from workers.phases import consolidate, gather, index, orient, prune, recall_guard, synthesize

PHASES: tuple[Phase, ...] = (
    orient.PHASE,
    gather.PHASE,
    consolidate.PHASE,
    synthesize.PHASE,
    prune.PHASE,
    recall_guard.PHASE,
    index.PHASE,
)
