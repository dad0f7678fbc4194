"""Compact: archive durable memories that were not read in 60 days. The phase of compaction dreams.

Reads ids and versions, the stalest first; protected, pinned and exempt memories are left out. May propose COMPACT.
Needs no model. An archived memory keeps a stub (a short cue that searches find), and undo, a review or `restore` brings
it back. A second run on the same state proposes nothing.
"""

from dataclasses import dataclass

from shared.core.dream.operations import Plan
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.upkeep.maintenance import Subject
from shared.services.dreams.start_upkeep import find_unused
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.compact import ENTRY
from workers.phases.compact.plan import plan_compaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The findings of the database."""

    unused: tuple[Subject, ...]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the durable memories that were not read."""
    policy = context.policy.compaction
    unused = tuple(find_unused(context.uow, context.store, policy.max_changes))
    if not unused:
        return NothingToDo(f"no durable memory was without an access for more than {policy.unused_days:g} days")
    return Inputs(unused=unused)


def plan(inputs: Inputs, _answers: Answers, around: Surroundings) -> Plan:
    """Propose the archiving within the loss cap."""
    loss = get_loss_budget(around.live_memories, around.already_retired, around.policy.safety)
    return plan_compaction(inputs.unused, around.policy, loss)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
)
