"""The phases of a dream, in order. The order is the design: read it here."""

from workers.phase import Phase
from workers.phases import (
    consolidate,
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
