"""Maintain: upkeep of a whole store without a model, in SQL.

Reads ids and versions of exact duplicates, of memories that have become durable by their use, of memories whose last
day is over, and of unused ones of the working tier, and the number of memories that began to decay. May propose FOLD, MAKE_DURABLE,
EXPIRE and ARCHIVE_STALE. Exempt categories are not changed, but for what has expired; protected memories are only folded. A second run on the same state proposes nothing.
"""

from dataclasses import dataclass

from shared.core.dream.operations import OperationKind, Plan
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.policy.upkeep import DecayLaw
from shared.core.upkeep.decay import decide_decays
from shared.core.upkeep.maintenance import Expired, Subject, Twin
from shared.ports.memories import DecayedRule, MaintenanceRepository
from shared.services.operations.loss_room import find_loss_room
from workers.phase.shape import Answers, Consumed, EndedPhase, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.maintain import ENTRY
from workers.phases.maintain.due import find_duplicates, find_expired, find_promotable, find_stale
from workers.phases.maintain.plan import UpkeepView, plan_upkeep

_RETIRING = (OperationKind.FOLD, OperationKind.EXPIRE, OperationKind.ARCHIVE_STALE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The findings of the database."""

    duplicates: tuple[tuple[Twin, ...], ...]
    promotable: tuple[Subject, ...]
    expired: tuple[Expired, ...]
    stale: tuple[Subject, ...]
    decayed: int


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the memories that match each rule."""
    queries = context.uow.maintenance(context.store.id)
    policy, limit = context.policy, context.policy.maintain.max_changes
    inputs = Inputs(
        duplicates=tuple(find_duplicates(queries, policy, limit)),
        promotable=tuple(find_promotable(queries, policy, limit)),
        expired=tuple(find_expired(context.uow, context.store.id, context.now, limit)),
        stale=tuple(find_stale(queries, policy, context.now, limit)),
        decayed=_count_decayed(queries, context),
    )
    if inputs == Inputs(duplicates=(), promotable=(), expired=(), stale=(), decayed=0):
        return NothingToDo("nothing to fold, to promote or to archive")
    return inputs


def _count_decayed(queries: MaintenanceRepository, context: PhaseContext) -> int:
    decay = context.policy.decay
    if not decide_decays(decay):
        return 0
    fading = DecayedRule(
        now=context.now,
        since=context.store.last_dream_at,
        grace_days=decay.grace_days,
        by_last_seen=decay.law is DecayLaw.HALF_LIFE,
        only_unused=decay.only_unused,
        floor_importance=decay.floor_importance if decay.law is DecayLaw.HALF_LIFE else 0.0,
    )
    return queries.count_decayed(fading)


def plan(inputs: Inputs, _answers: Answers, around: Surroundings) -> Plan:
    """Apply the loss cap, and pack the remaining changes into few operations."""
    view = UpkeepView(
        duplicates=inputs.duplicates,
        promotable=inputs.promotable,
        expired=inputs.expired,
        stale=inputs.stale,
        decayed=inputs.decayed,
        policy=around.policy,
        loss=get_loss_budget(around.live_memories, around.already_retired, around.policy.safety),
    )
    return plan_upkeep(view)


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Leave to the next dream what it may retire of the changes beyond the loss cap. The others wait for a review, or for days.

    A dream that retired nothing leaves nothing: the next one could do no more.
    """
    counts = ended.run.counts
    waiting = counts.get("skip_loss_cap", 0)
    if not (waiting and any(counts.get(kind) for kind in _RETIRING)):
        return Consumed()
    room = find_loss_room(ended.uow, ended.uow.stores.get(ended.dream.store))
    return Consumed(waiting_changes=min(waiting, room))


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    consume=consume,
)
