"""Review operations: list those that wait, approve (keep, or apply a proposal) or reject (restore what was there before).

A verdict can be taken back: the operation waits for a review again, as it did before the verdict.
"""

from collections.abc import Collection, Iterable

from shared.core.dream.effects import Undone
from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operation_filter import ALL_OPERATIONS, OperationFilter, PendingCount, PendingOperation
from shared.core.dream.operations import OperationKind, PutBack
from shared.core.dream.verdicts import Comment
from shared.core.errors import BadInputError, ConflictError
from shared.core.listings.one_change import Place, group_waiting
from shared.core.memory.model import Memory
from shared.core.sessions.transcript import clean_text
from shared.core.tenants.audit import as_change, find_changes
from shared.core.trust.hidden import Shown
from shared.core.webhooks.endpoint import Message, WebhookEvent
from shared.core.webhooks.message import build_decided_message
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.runtime import Ids
from shared.services.left_out import leave_out
from shared.services.masking import mask_of
from shared.services.members import find_member
from shared.services.operations.apply import DRY_RUN_NOTE, add_suggestions
from shared.services.operations.follow_up import follow_up, withdraw_follow_ups
from shared.services.operations.kept_edits import propose_edits
from shared.services.operations.lock import lock_operation
from shared.services.operations.proposals import apply_proposal
from shared.services.operations.redo import as_redone
from shared.services.operations.take_back import (
    TakeBackResult,
    find_merged_since_undo,
    redo_operation,
    redo_undone,
    undo_operation,
)
from shared.services.operations.waiting import end_equals
from shared.services.webhooks.announce import announce

_REOPENED_OVER = "was edited after the verdict, which was taken back"


def approve_operation(
    db: Database, ids: Ids, tenant_id: str, operation_id: str, *, actor: str, accepts_change: bool = False
) -> RecordedOperation:
    """Keep an applied operation, or apply a proposed one to the memories as they are now.

    `accepts_change` also applies a proposal whose outcome is another one than was shown, because its memories have changed.

    Raises:
        ConflictError: it was decided before.
        ChangedProposalError: its outcome has changed. It waits again as it would be applied now, so that a person sees that.
        MootError: it has no place any more, and is closed.
    """
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        _check_undecided(recorded)
        followed = withdraw_follow_ups(uow, [recorded]) if recorded.state is OperationState.PROPOSED else None
        refusal = None
        if recorded.state is OperationState.PROPOSED:
            refusal = apply_proposal(uow, ids, recorded, actor=actor, accepts_change=accepts_change)
        else:
            state, review = OperationState.APPLIED, ReviewState.APPROVED
            uow.operations.decide(operation_id, state=state, review=review, by=actor)
        action = "review.approve" if refusal is None else "review.replan"
        done = _finish(uow, recorded, followed, actor, action)
    if refusal is not None:
        raise refusal
    return done


#: A reason is shown in one line of a log.
MAX_WHY = 300


def reject_operation(
    db: Database, tenant_id: str, operation_id: str, *, actor: str, force: bool = False, why: str = ""
) -> RecordedOperation:
    """Restore what an applied operation changed, drop a proposal, or redo what was put back.

    `why` is stored, and shown when a dream wants the same operation on the same texts again.

    Raises:
        ConflictError: it was decided before, or a memory was edited after the dream (`force` restores it anyway, and
            proposes the edit again).
    """
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        _check_undecided(recorded)
        followed = withdraw_follow_ups(uow, [recorded]) if recorded.state is OperationState.APPLIED else None
        undone: tuple[Undone, ...] = ()
        if recorded.state is OperationState.APPLIED:
            is_put_back = recorded.operation.kind is OperationKind.PUT_BACK
            take_back = _redo_put_back if is_put_back else undo_operation
            taken = take_back(uow, recorded, force=force)
            if taken.conflict is not None:
                msg = f"Not rejected: {taken.conflict}. Reject with --force to restore what was there before the dream"
                raise ConflictError(msg)
            propose_edits(uow, uow.dreams.get(recorded.dream_id), taken.overwritten)
            undone = taken.undone
        state, review = OperationState.REJECTED, ReviewState.REJECTED
        uow.operations.decide(operation_id, state=state, review=review, by=actor, undone=undone)
        end_equals(uow, recorded, "rejected as", by=actor)
        if said := " ".join(why.replace("\x00", " ").split())[:MAX_WHY]:
            said = mask_of(uow, uow.policy_of(recorded.store_id))(said)
            uow.verdicts(recorded.store_id).set_why(operation_id, leave_out(uow, recorded.store_id, said))
        return _finish(uow, recorded, followed, actor, "review.reject", force=force)


def reopen_operation(
    db: Database, tenant_id: str, operation_id: str, *, actor: str, force: bool = False
) -> RecordedOperation:
    """Take a verdict back: the operation waits for a review again.

    A rejected operation is applied again, and a proposal is a proposal again: what its approval changed is taken back.

    Raises:
        ConflictError: there is no verdict, its dream was undone (unless an undo left it in force, and it was approved),
            or a memory was edited since the verdict (`force` overwrites the edit, and proposes it again).
    """
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        dream = uow.dreams.get(recorded.dream_id)
        _check_reopenable(recorded, dream)
        changes_texts = recorded.was_proposed == (recorded.review is ReviewState.APPROVED)
        followed = withdraw_follow_ups(uow, [recorded]) if changes_texts else None
        if recorded.decided_why:
            uow.verdicts(recorded.store_id).set_why(operation_id, "")
        if recorded.was_proposed:
            _propose_again(uow, recorded, dream, actor, force=force)
        elif recorded.review is ReviewState.APPROVED:
            uow.operations.decide(operation_id, state=recorded.state, review=ReviewState.PENDING, by=actor)
        else:
            _put_in_force(uow, recorded, dream, actor, force=force)
        return _finish(uow, recorded, followed, actor, "review.reopen", force=force)


def _check_reopenable(recorded: RecordedOperation, dream: Dream) -> None:
    if recorded.review is ReviewState.PENDING:
        raise ConflictError(f"{recorded.id} is already waiting for a review")
    if recorded.review is ReviewState.NONE:
        raise ConflictError(f"{recorded.id} has no verdict to take back: it is {recorded.state}")
    is_edit = recorded.operation.kind is OperationKind.RESTORE_EDIT  # which the undo has made, and no redo brings back
    # An undo leaves what is in conflict in force: to approve that, or to take the approval back, changes no text.
    is_left = recorded.state is OperationState.APPLIED and not recorded.was_proposed
    is_gone = dream.state is DreamState.UNDONE and not is_edit and not is_left
    if is_gone or recorded.state is OperationState.UNDONE:
        raise ConflictError(f"{recorded.id} belongs to {dream.id}, which was undone; redo the dream first")
    if recorded.operation.kind is OperationKind.PUT_BACK and recorded.review is ReviewState.REJECTED:
        raise ConflictError(
            f"{recorded.id} put operations back, and rejecting it applied them again; reject those instead"
        )


def _propose_again(uow: UnitOfWork, recorded: RecordedOperation, dream: Dream, actor: str, *, force: bool) -> None:
    """Make an approved or rejected proposal wait again, without what its approval had changed."""
    if recorded.state is OperationState.APPLIED:
        taken = undo_operation(uow, recorded, force=force, since="the approval")
        if taken.conflict is not None:
            raise ConflictError(
                f"Not reopened: {taken.conflict}. Reopen with --force to restore what was there before it"
            )
        propose_edits(uow, dream, taken.overwritten, why=_REOPENED_OVER)
    state, review = OperationState.PROPOSED, ReviewState.PENDING
    uow.operations.decide(recorded.id, state=state, review=review, by=actor, undone=())


def _put_in_force(uow: UnitOfWork, recorded: RecordedOperation, dream: Dream, actor: str, *, force: bool) -> None:
    """Redo what a rejection undid."""
    since = "the rejection"
    merged = find_merged_since_undo(uow, recorded, since)
    taken = redo_undone(uow, recorded, force=force, merged=merged, since=since)
    if taken.conflict is not None:
        raise ConflictError(
            f"Not reopened: {taken.conflict}. Reopen with --force to overwrite it with the dream's text"
        )
    propose_edits(uow, dream, taken.overwritten, why=_REOPENED_OVER)
    effects = as_redone(recorded, taken) or recorded.effects
    state, review = OperationState.APPLIED, ReviewState.PENDING
    uow.operations.decide(recorded.id, state=state, review=review, by=actor, effects=effects, undone=())
    add_suggestions(uow, dream, recorded.operation)


def _redo_put_back(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> TakeBackResult:
    """Redo the operations that the recall guard put back: rejecting the put-back approves them."""
    overwritten: list[Memory] = []
    for change in recorded.operation.changes:
        if isinstance(change, PutBack):
            original = uow.operations.get(change.operation_id, lock=True)
            taken = redo_operation(uow, original, force=force)
            if taken.conflict is not None:
                return taken
            overwritten += taken.overwritten
            uow.operations.decide(
                original.id,
                state=OperationState.APPLIED,
                review=ReviewState.APPROVED,
                by="review",
                note=f"put back by {recorded.id}, which was rejected",
            )
    return TakeBackResult(overwritten=tuple(overwritten))


_DECIDED = {OperationState.REJECTED, OperationState.UNDONE}
#: How an operation can be decided again after a verdict or an undo.
_WAY_OUT = "; to decide it again, reopen it, or redo its dream if that was undone"


def _check_undecided(recorded: RecordedOperation) -> None:
    if recorded.review is not ReviewState.PENDING and recorded.state is not OperationState.APPLIED:
        why = (
            recorded.note
            if recorded.note == DRY_RUN_NOTE
            else f"it is {recorded.state}{_WAY_OUT if recorded.state in _DECIDED else ''}"
        )
        msg = f"{recorded.id} cannot be reviewed: {why}"
        raise ConflictError(msg)
    if recorded.review is ReviewState.APPROVED:
        msg = f"{recorded.id} was approved already; reopen it to take that back"
        raise ConflictError(msg)


def _finish(
    uow: UnitOfWork,
    before: RecordedOperation,
    followed: set[str] | None,
    actor: str,
    action: str,
    *,
    force: bool = False,
) -> RecordedOperation:
    """Let the indexes follow a verdict, unless it changes no text (`followed` is None), and record it."""
    after = uow.operations.get(before.id)
    if followed is not None:
        follow_up(uow, [before, after], followed)
    if before.review is ReviewState.PENDING and after.review is not ReviewState.PENDING:
        announce(uow, WebhookEvent.REVIEW_DECIDED, before.store, lambda: _tell_decided(uow, before))
    changes = find_changes(before, after, ("state", "review"))
    uow.record_audit(actor, action, operation_id=before.id, dream_id=before.dream_id, force=force, **changes)
    return after


def _tell_decided(uow: UnitOfWork, last: RecordedOperation) -> Message | None:
    """Return the message that a dream's review is done, if nothing of it waits any more; its tenant's lock is held."""
    verdicts = uow.verdicts(last.store_id).count_of_dream(last.dream_id)
    return build_decided_message(uow.dreams.get(last.dream_id), verdicts, uow.now()) if verdicts else None


def find_reviews(
    db: Database,
    tenant_id: str,
    *,
    limit: int | None,
    store: str | None = None,
    dream_id: str | None = None,
    only: OperationFilter = ALL_OPERATIONS,
    after: str | None = None,
) -> Shown[RecordedOperation]:
    """Return a tenant's pending reviews, oldest first, after a given one if set. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store).id if store else None
        return uow.operations.find_pending(store_id=store_id, dream_id=dream_id, only=only, limit=limit, after=after)


#: A comment is a note between people, and no document.
MAX_COMMENT, MAX_COMMENTS = 2_000, 50


def assign_review(db: Database, tenant_id: str, operation_id: str, to: str, *, actor: str) -> RecordedOperation:
    """Ask a member of the tenant to decide an operation; an empty name asks none in particular.

    Args:
        db: the database.
        tenant_id: the tenant.
        operation_id: an operation that waits for a review.
        to: `me`, the id or the name of a key that may review, or a person as the audit log names them.
        actor: who asks.

    Raises:
        ConflictError: it does not wait for a review.
        BadInputError: the tenant has no such member, or two by that name.
    """
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        if recorded.review is not ReviewState.PENDING:
            raise ConflictError(f"{operation_id} does not wait for a review, so that it can be assigned to no person")
        member = find_member(uow, to, actor) if to else ""
        uow.verdicts(recorded.store_id).set_notes(operation_id, assigned_to=member, comments=recorded.comments)
        change = as_change(recorded.assigned_to, member)
        uow.record_audit(
            actor, "review.assign", operation_id=operation_id, dream_id=recorded.dream_id, assigned_to=change
        )
        return uow.operations.get(operation_id)


def comment_review(db: Database, tenant_id: str, operation_id: str, said: str, *, actor: str) -> RecordedOperation:
    """Append a comment to an operation, without secrets and what was forgotten. It decides nothing.

    Raises:
        BadInputError: it is empty, or too long.
        ConflictError: the operation has the maximum number of comments.
    """
    text = clean_text(said).strip()
    if not text or len(text) > MAX_COMMENT:
        raise BadInputError(f"A comment has 1 to {MAX_COMMENT:,} characters; this one has {len(text):,}")
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        if len(recorded.comments) >= MAX_COMMENTS:
            raise ConflictError(f"{operation_id} has {MAX_COMMENTS} comments, which is the most that one can have")
        kept = leave_out(uow, recorded.store_id, mask_of(uow, uow.policy_of(recorded.store_id))(text))
        comments = (*recorded.comments, Comment(by=actor, at=uow.now(), text=kept))
        notes = uow.verdicts(recorded.store_id)
        notes.set_notes(operation_id, assigned_to=recorded.assigned_to, comments=comments)
        uow.record_audit(actor, "review.comment", operation_id=operation_id, dream_id=recorded.dream_id)
        return uow.operations.get(operation_id)


def find_decided(
    db: Database, tenant_id: str, *, by: str | None = None, limit: int, after: str | None = None
) -> list[RecordedOperation]:
    """Return operations with a verdict, of one person or of all, the newest verdict first."""
    with db.transaction(tenant_id) as uow:
        ids = uow.statistics.learned.find_decided(by=by, limit=limit, after=after)
        known = uow.operations.find_by_ids(ids)
        return [known[one] for one in ids]


def find_places(db: Database, tenant_id: str, shown: Iterable[RecordedOperation]) -> dict[str, Place]:
    """Return the places of operations among all of their dreams that wait and touch each other, by id; many have none."""
    dreams = {one.dream_id for one in shown if one.review is ReviewState.PENDING}
    with db.transaction(tenant_id) as uow:
        find = uow.statistics.list_pending
        return group_waiting(
            one for dream in dreams for one in find(ALL_OPERATIONS, store_id=None, dream_id=dream, limit=None)
        )


def list_reviews(
    db: Database,
    tenant_id: str,
    *,
    limit: int | None,
    store: str | None = None,
    dream_id: str | None = None,
    only: OperationFilter = ALL_OPERATIONS,
) -> list[PendingOperation]:
    """Return a tenant's pending reviews in short form, oldest first; with no limit, all of them.

    Raises:
        NotFoundError: there is no such store.
    """
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store).id if store else None
        return uow.statistics.list_pending(only, store_id=store_id, dream_id=dream_id, limit=limit)


def count_reviews_by_facet(db: Database, tenant_id: str) -> list[PendingCount]:
    """Return the number of operations that wait for a review, by kind, phase, store, dream and confidence."""
    with db.transaction(tenant_id) as uow:
        return uow.statistics.count_pending()


def get_operation(db: Database, tenant_id: str, operation_id: str) -> RecordedOperation:
    """Return one operation. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.operations.get(operation_id)


def get_operations(db: Database, tenant_id: str, operation_ids: Collection[str]) -> dict[str, RecordedOperation]:
    """Return the existing ones of these operations, by id."""
    with db.transaction(tenant_id) as uow:
        return uow.operations.find_by_ids(operation_ids)
