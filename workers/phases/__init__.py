"""The phases of a dream, in order. The order is the design: read it here."""

from workers.phase import Phase
from workers.phases import consolidate, index, orient, prune, synthesize

PHASES: tuple[Phase, ...] = (
    orient.PHASE,
    consolidate.PHASE,
    synthesize.PHASE,
    prune.PHASE,
    index.PHASE,
)
