"""The phases of each kind of dream, in order. The order is the design: read it here."""

from shared.core.dream import Trigger
from workers.phase import Phase
from workers.phases import (
    compact,
    consolidate,
    digest,
    find_skill_gaps,
    gather,
    index,
    infer_preferences,
    learn_from_workflows,
    maintain,
    merge_skills,
    orient,
    prune,
    recall_guard,
    repair_skills,
    synthesize,
)

PHASES: tuple[Phase, ...] = (
    orient.PHASE,
    gather.PHASE,
    maintain.PHASE,
    consolidate.PHASE,
    synthesize.PHASE,
    prune.PHASE,
    find_skill_gaps.PHASE,
    merge_skills.PHASE,
    repair_skills.PHASE,
    infer_preferences.PHASE,
    learn_from_workflows.PHASE,
    recall_guard.PHASE,
    index.PHASE,
)

#: What upkeep does instead: a short chain for each kind. The survey tells the loss cap how much there is.
UPKEEP: dict[Trigger, tuple[Phase, ...]] = {
    Trigger.DIGEST: (orient.PHASE, digest.PHASE, index.PHASE),
    Trigger.COMPACTION: (orient.PHASE, compact.PHASE, index.PHASE),
}
#: Every phase once.
ALL_PHASES: tuple[Phase, ...] = tuple(dict.fromkeys([*PHASES, *(one for chain in UPKEEP.values() for one in chain)]))


def get_chain(trigger: Trigger) -> tuple[Phase, ...]:
    """Return the phases of a dream by what asked for it."""
    return UPKEEP.get(trigger, PHASES)
