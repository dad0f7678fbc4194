"""Apply an approved proposal to the memories as they are now; show it again if that has another outcome, close it if it is moot."""

from dataclasses import replace

from shared.core.dream.effects import Effect, find_said, touched_ids
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.dream.replan import find_unfit, needs_look, replan
from shared.core.errors import ChangedProposalError, ConflictError, MootError
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.runtime import Ids
from shared.services.operations.apply import (
    add_suggestions,
    fingerprint_of,
    get_effects,
    mask_operation,
    settle_by,
    write_effects,
)
from shared.services.operations.waiting import end_equals, lock_with_successors

#: How the note of a proposal begins that waits with another outcome than was shown before.
CHANGED = "changed since it was proposed, because its memories changed; look at it again, then approve it"


def apply_proposal(
    uow: UnitOfWork, ids: Ids, recorded: RecordedOperation, *, actor: str, accepts_change: bool
) -> ConflictError | None:
    """Apply a proposal, or return why it was not; it is then stored as it would be applied now, or closed.

    Args:
        uow: a transaction that holds the tenant, the operation and the store's lock.
        ids: makes the ids of new memories.
        recorded: a proposal.
        actor: who approves it.
        accepts_change: apply it even if its outcome is another one than was shown.
    """
    note = recorded.note.removeprefix(CHANGED).removeprefix("; ")
    try:
        with uow.savepoint():
            again = _plan_now(uow, ids, recorded)
            is_unseen = not accepts_change and needs_look(again.operation, recorded.effects, again.effects)
            if not is_unseen:
                again = replace(again, effects=_mark_news(again.operation.kind, again.effects))
                write_effects(uow, again.store_id, again.effects, dream_id=again.dream_id, operation_id=again.id)
    except ConflictError as error:
        state, review = OperationState.SKIPPED, ReviewState.NONE
        uow.operations.decide(recorded.id, state=state, review=review, by=actor, note=f"moot: {error}")
        return MootError(f"{recorded.id} is moot, and closed: {error}")
    uow.verdicts(recorded.store_id).plan_again(again)
    if is_unseen:
        note = f"{CHANGED}; {note}" if note else CHANGED
        state, review = OperationState.PROPOSED, ReviewState.PENDING
        uow.operations.decide(recorded.id, state=state, review=review, by=actor, note=note)
        return ChangedProposalError(f"{recorded.id} has {CHANGED}")
    state, review = OperationState.APPLIED, ReviewState.APPROVED
    uow.operations.decide(recorded.id, state=state, review=review, by=actor, note=note)
    end_equals(uow, recorded, "approved as", by=actor)
    settle_by(uow, again, by=actor)
    add_suggestions(uow, uow.dreams.get(recorded.dream_id), recorded.operation)
    return None


def _mark_news(kind: OperationKind, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Mark what a proposal writes as changed if it is news: the dream that proposed it has compared the new text with nothing."""
    if not KINDS[kind].is_compared:
        return effects
    return tuple(
        replace(one, after=replace(one.after, is_dirty=True))
        if one.before is None or one.before.content != one.after.content
        else one
        for one in effects
    )


def _plan_now(uow: UnitOfWork, ids: Ids, recorded: RecordedOperation) -> RecordedOperation:
    """Return a proposal as it applies to the memories of now. Raises ConflictError when it applies to none."""
    planned = {one.before.id: one.before for one in recorded.effects if one.before is not None}
    proposed = replace(recorded.operation, said=find_said(recorded.effects))
    operation = mask_operation(
        uow,
        recorded.store_id,
        replan(proposed, planned, lock_with_successors(uow, recorded.store_id, touched_ids(recorded.operation))),
    )
    effects = get_effects(uow, ids, recorded.store_id, operation, planned)
    unfit = find_unfit(operation, recorded.effects, effects)
    if unfit is not None:
        raise MootError(unfit)
    fingerprint = fingerprint_of(uow, recorded.store_id, operation, effects)
    return replace(recorded, operation=operation, effects=effects, fingerprint=fingerprint)
