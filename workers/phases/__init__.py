"""The phases of each kind of dream, in order. The order is the design: read it here."""

from shared.core.dream.model import Trigger
from workers.phase.shape import Phase
from workers.phases.compact import phase as compact
from workers.phases.consolidate import phase as consolidate
from workers.phases.digest import phase as digest
from workers.phases.find_skill_gaps import phase as find_skill_gaps
from workers.phases.gather import phase as gather
from workers.phases.index import phase as index
from workers.phases.infer_preferences import phase as infer_preferences
from workers.phases.learn_from_workflows import phase as learn_from_workflows
from workers.phases.maintain import phase as maintain
from workers.phases.merge_skills import phase as merge_skills
from workers.phases.orient import phase as orient
from workers.phases.prune import phase as prune
from workers.phases.recall_guard import phase as recall_guard
from workers.phases.repair_skills import phase as repair_skills
from workers.phases.synthesize import phase as synthesize

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
