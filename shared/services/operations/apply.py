"""Apply one operation, or record it as a proposal. Dreams write memories only here and in undo.

Autonomy decides between applying and proposing; a safety rule (`propose_only`, or what the operation's kind may do) always
overrides autonomy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shared.core.dream.allowed_changes import find_excess, find_guarded
from shared.core.dream.effects import Effect, plan_effects, touched_ids, without_moved
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operations import (
    KINDS,
    Change,
    Create,
    Edit,
    Flag,
    Operation,
    OperationKind,
    PutBack,
    Rewrite,
    SuggestMerge,
)
from shared.core.dream.replan import keep_up
from shared.core.dream.verdicts import BY_DREAM, operation_fingerprint
from shared.core.errors import ConflictError
from shared.core.forgetting.words import MARK
from shared.core.memory.model import Memory, MemoryState
from shared.core.policy.policy import Autonomy, Policy
from shared.core.tenants.store import PendingMerge
from shared.core.trust.held_orders import find_held_order
from shared.core.trust.outranked import find_outranked
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import FOLLOW_UP, MemoryWrite, keeps_text
from shared.ports.runtime import Ids
from shared.services.left_out import leave_out
from shared.services.masking import mask_memory
from shared.services.operations.take_back import undo_operation
from shared.services.operations.waiting import end_equals, settle_questions

#: What these write was found in sessions.
_FROM_SESSIONS = frozenset({OperationKind.GATHER, OperationKind.CORRECT, OperationKind.INFER})
DRY_RUN_NOTE = "dry run: nothing was applied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disposition:
    """The state in which an operation is recorded, and whether it waits for a review."""

    state: OperationState
    review: ReviewState
    note: str = ""


def decide_disposition(operation: Operation, autonomy: Autonomy, *, dry_run: bool) -> Disposition:
    """Return whether an operation is applied, proposed or only recorded."""
    kind = KINDS[operation.kind]
    if dry_run:
        return Disposition(state=OperationState.SKIPPED, review=ReviewState.NONE, note=DRY_RUN_NOTE)
    if operation.propose_only is not None:
        note = f"proposed only: {operation.propose_only}"
        return Disposition(state=OperationState.PROPOSED, review=ReviewState.PENDING, note=note)
    if autonomy is Autonomy.PROPOSE and kind.needs_approval:
        return Disposition(state=OperationState.PROPOSED, review=ReviewState.PENDING)
    is_flagged = (autonomy is Autonomy.FLAG and operation.needs_review) or kind.waits_for_review
    review = ReviewState.PENDING if is_flagged else ReviewState.NONE
    return Disposition(state=OperationState.APPLIED, review=review)


def apply_operation(
    uow: UnitOfWork,
    ids: Ids,
    dream: Dream,
    operation: Operation,
    position: int,
    autonomy: Autonomy,
) -> RecordedOperation:
    """Apply or propose one operation and record it, in the caller's transaction.

    It is `skipped`, with the reason as its note, if a memory was edited since, or a person rejected the same operation.
    """
    operation_id, fingerprint, operation = ids.new("op"), "", mask_operation(uow, dream.store_id, operation)
    try:
        with uow.savepoint():
            effects = get_effects(uow, ids, dream.store_id, operation)
            fingerprint = fingerprint_of(uow, dream.store_id, operation, effects)
            _check_verdict(uow, dream.store_id, fingerprint)
            wanted = decide_disposition(_held(operation, effects), autonomy, dry_run=dream.is_dry_run)
            if wanted.state is OperationState.APPLIED:
                write_effects(uow, dream.store_id, effects, dream_id=dream.id, operation_id=operation_id)
                add_suggestions(uow, dream, operation)
                _put_back(uow, operation)
    except ConflictError as error:
        effects, wanted = (), Disposition(state=OperationState.SKIPPED, review=ReviewState.NONE, note=str(error))
    recorded = RecordedOperation(
        id=operation_id,
        dream_id=dream.id,
        store_id=dream.store_id,
        position=position,
        operation=operation,
        state=wanted.state,
        review=wanted.review,
        effects=effects,
        note=wanted.note,
        fingerprint=fingerprint,
    )
    return _record(uow, recorded)


def _record(uow: UnitOfWork, recorded: RecordedOperation) -> RecordedOperation:
    """Record an operation, and end what it leaves nothing of to decide."""
    uow.operations.record(recorded)
    end_equals(uow, recorded, "replaced by a newer proposal:", by=BY_DREAM)
    if recorded.state is OperationState.APPLIED:
        settle_by(uow, recorded, by=BY_DREAM)
    return recorded


def settle_by(uow: UnitOfWork, recorded: RecordedOperation, *, by: str) -> None:
    """End the questions that an operation has settled; a new one may be settled by what its dream did before."""
    written = {
        effect.after.id
        for effect in recorded.effects
        if effect.before is not None
        and not (keeps_text(effect.before, effect.after) and effect.before.state is effect.after.state)
    }
    flags = (change for change in recorded.operation.changes if isinstance(change, Flag))
    asked = {stated.memory_id for flag in flags for stated in flag.statements}
    settle_questions(uow, recorded.store_id, written | asked, by=by, operation_id="" if asked else recorded.id)


def mask_operation(uow: UnitOfWork, store_id: str, operation: Operation) -> Operation:
    """Return an operation with what the store keeps out masked in what it would write, and without what was forgotten."""
    writes = any(isinstance(change, Create | Rewrite) for change in operation.changes)
    policy = uow.policy_of(store_id) if writes else Policy()

    def masked(text: str) -> str:
        text = mask_memory(uow, policy, text)
        return uow.mask(text) if operation.kind is OperationKind.INDEX else text  # an index repeats what others say

    def kept(change: Change) -> Change:
        if not isinstance(change, Create | Rewrite):
            return change
        change = replace(change, content=leave_out(uow, store_id, masked(change.content)))
        if not isinstance(change, Create):
            return change
        return replace(change, path=leave_out(uow, store_id, change.path).replace(MARK, "forgotten"))

    reason = leave_out(uow, store_id, operation.reason)
    return replace(operation, reason=reason, changes=tuple(map(kept, operation.changes)))


def fingerprint_of(uow: UnitOfWork, store_id: str, operation: Operation, effects: tuple[Effect, ...]) -> str:
    """Return the fingerprint of an operation and the texts that it is about, also of those that it only names."""
    suggested = [one for one in operation.changes if isinstance(one, SuggestMerge)]
    paths = {path for one in suggested for path in (one.source_path, one.target_path)}
    hinted = uow.memories(store_id).find_by_paths(paths) if paths else {}
    return operation_fingerprint(operation, effects, list(hinted.values()))


def _check_verdict(uow: UnitOfWork, store_id: str, fingerprint: str) -> None:
    """Raise ConflictError if a person rejected the same operation on the same texts, or it still waits for a review."""
    verdict = uow.verdicts(store_id).find(fingerprint) if fingerprint else None
    if verdict is not None:
        raise ConflictError(verdict.describe())


def _held(operation: Operation, effects: tuple[Effect, ...]) -> Operation:
    """Return the operation, turned into a proposal if its effects exceed those of its kind, change a guarded page, replace what a more trusted writer said, or bring an order that needs a person."""
    if operation.propose_only is not None:
        return operation
    if (excess := find_excess(operation.kind, effects)) is not None:
        return replace(operation, propose_only=f"{excess}, which is more than an operation of its kind may do")
    changes = [(one.before, one.after) for one in effects]
    guarded = find_guarded(operation.kind, effects) or find_outranked(changes)
    # Upkeep changes hundreds of memories and no text: none of them is read for orders.
    is_written = any(before is None or before.content != after.content for before, after in changes)
    orders = find_held_order(changes if is_written else (), is_from_sessions=operation.kind in _FROM_SESSIONS)
    held = guarded or orders
    return operation if held is None else replace(operation, propose_only=held)


def get_effects(
    uow: UnitOfWork, ids: Ids, store_id: str, operation: Operation, planned: Mapping[str, Memory] | None = None
) -> tuple[Effect, ...]:
    """Return the effects of an operation on its memories now, and lock these.

    Args:
        uow: a transaction of the tenant.
        ids: makes the ids of new memories.
        store_id: the store of the memories.
        operation: what was planned.
        planned: the memories that it was planned on, by id; None: those of the versions that it names.

    Raises:
        ConflictError: the text of one of them has changed, or it is gone.
    """
    current = uow.memories(store_id).lock(touched_ids(operation))
    planned = _find_planned(uow, store_id, operation, current) if planned is None else planned
    standing = without_moved(keep_up(operation, planned, current), current)
    if operation.changes and not standing.changes:
        msg = f"All {len(operation.changes)} memories have changed since this was planned"
        raise ConflictError(msg)
    return plan_effects(standing, current, uow.now(), lambda: ids.new("mem"))


def _find_planned(
    uow: UnitOfWork, store_id: str, operation: Operation, current: Mapping[str, Memory]
) -> dict[str, Memory]:
    """Return the memories with a later version as they were when the operation was planned, by id.

    Counts are those of now, as accesses are counted without a version. What archives for its clock is left out, because a
    later version says that the memory was of use.
    """
    found: dict[str, Memory] = {}
    for change in () if KINDS[operation.kind].is_archiving else operation.changes:
        now = current.get(change.memory_id) if isinstance(change, Edit) else None
        if not isinstance(change, Edit) or now is None or now.version == change.version:
            continue
        for was in uow.memories(store_id).find_history(now.id, below=change.version + 1, limit=1):
            signals = replace(
                now.signals, maturity=was.signals.maturity, tier=was.signals.tier, pinned=was.signals.pinned
            )
            since = uow.memories(store_id).find_history(now.id, limit=max(0, now.version - change.version))
            has_followed = bool(since) and all(
                one.change == FOLLOW_UP for one in since
            )  # which makes no plan of an index stale
            content = now.content if has_followed else was.content
            found[now.id] = replace(now, path=was.path, content=content, state=was.state, signals=signals)
    return found


def write_effects(
    uow: UnitOfWork, store_id: str, effects: tuple[Effect, ...], *, dream_id: str, operation_id: str
) -> None:
    """Write the effects of an operation. Raises ConflictError when a path is taken."""
    writes = [
        MemoryWrite(
            memory=e.after,
            change=_change_of(e),
            dream_id=dream_id,
            operation_id=operation_id,
            keeps_text=e.before is not None and keeps_text(e.before, e.after),
        )
        for e in effects
    ]
    uow.memories(store_id).write(writes)


def add_suggestions(uow: UnitOfWork, dream: Dream, operation: Operation) -> None:
    """Store an operation's merge suggestions for the next dream."""
    suggested = [
        PendingMerge(source_path=c.source_path, target_path=c.target_path, reason=c.reason, suggested_by=dream.id)
        for c in operation.changes
        if isinstance(c, SuggestMerge)
    ]
    if suggested:
        uow.merges(dream.store_id).add(suggested)


def _change_of(effect: Effect) -> str:
    if effect.before is None:
        return "create"
    if effect.after.state is MemoryState.ARCHIVED:
        return "archive"
    if effect.after.state is MemoryState.SUPERSEDED:
        return "supersede"
    return "keep" if effect.after.content == effect.before.content else "update"


def _put_back(uow: UnitOfWork, operation: Operation) -> None:
    """Undo the operations that this one puts back. Raises ConflictError when a memory was edited meanwhile."""
    for change in operation.changes:
        if not isinstance(change, PutBack):
            continue
        recorded = uow.operations.get(change.operation_id, lock=True)
        if recorded.state is not OperationState.APPLIED:
            msg = f"{change.operation_id} is {recorded.state} already"
            raise ConflictError(msg)
        conflict = undo_operation(uow, recorded, force=False).conflict
        if conflict is not None:
            raise ConflictError(f"not put back: {conflict}")
        uow.operations.decide(
            recorded.id,
            state=OperationState.UNDONE,
            review=ReviewState.REJECTED,
            by=BY_DREAM,
            note=operation.reason,
        )
