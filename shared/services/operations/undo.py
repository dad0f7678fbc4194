"""Undo a dream in one transaction: newest operation first, without losing later edits.

Each operation is undone by the rules of `take_back`. Operations with a conflict stay applied, are reported, and can be
undone later.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from shared.core.dream.model import UNDOABLE_STATES, WHOLE_TRIGGERS, Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError, NotFoundError
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryRepository
from shared.services.operations.follow_up import follow_up, withdraw_follow_ups
from shared.services.operations.kept_edits import propose_edits
from shared.services.operations.take_back import TakeBackResult, list_merged, tell_conflicts, undo_operation
from shared.services.operations.undo_journal import (
    UndoJournal,
    begin_journal,
    read_hints,
    read_int,
    read_windows,
    write_journal,
)

#: Recent dreams that are searched for one that was not a dry run.
_MAX_RECENT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoReport:
    """The result of an undo.

    Attributes:
        dream_id: the dream.
        undone: the number of operations that were fully undone.
        conflicts: why the others stay, wholly or in part.
        merged: paths of memories in which a later edit was merged with the restored text.
        proposals: ids of operations that propose edits again which force overwrote.
    """

    dream_id: str
    undone: int
    conflicts: tuple[str, ...]
    merged: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()


def undo_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str, force: bool = False) -> UndoReport:
    """Restore content, paths, signals, pending merges, counters and the time of the last dream.

    Args:
        db: the database.
        tenant_id: the tenant.
        dream_id: a completed or partial dream, or an undone one with remaining conflicts.
        actor: the author, for the audit log.
        force: restore over edits that were made after the dream; each is proposed again.

    Raises:
        ConflictError: the dream cannot be undone in its state, or another dream of the store is running.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream can begin meanwhile
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())  # lock first: reviews of these operations have to wait
        operations = uow.operations.find_all(dream_id)
        left = find_left(operations)
        check_undoable(uow, dream, has_conflicts=bool(left))
        marks = _find_marks(uow, dream, operations)
        done = list(undo_newest_first(uow, left, force=force))
        for recorded, taken in done:
            _mark_taken(uow, recorded, taken, actor)
        proposals = propose_edits(uow, dream, [memory for _, taken in done for memory in taken.overwritten])
        for recorded in operations:
            if recorded.state is OperationState.PROPOSED and recorded.operation.kind is not OperationKind.RESTORE_EDIT:
                _mark(uow, recorded.id, OperationState.REJECTED, actor)
        if dream.state is not DreamState.UNDONE:
            _end(uow, dream, begin_journal(dream, operations, marks), actor)
        report = _report(dream, done, proposals)
        told = {name: value for name, value in asdict(report).items() if name != "dream_id"}
        uow.record_audit(actor, "dream.undo", dream_id=dream_id, force=force, **told)
        return report


def _report(
    dream: Dream, done: Sequence[tuple[RecordedOperation, TakeBackResult]], proposals: tuple[str, ...]
) -> UndoReport:
    conflicts = tell_conflicts(done)
    return UndoReport(
        dream_id=dream.id,
        undone=len(done) - len(conflicts),
        conflicts=conflicts,
        merged=list_merged(done),
        proposals=proposals,
    )


def find_left(operations: Sequence[RecordedOperation]) -> list[RecordedOperation]:
    """Return the operations of a dream that an undo reverts; a person's edit that was restored is not one of them."""
    return [
        one
        for one in operations
        if one.state is OperationState.APPLIED and one.operation.kind is not OperationKind.RESTORE_EDIT
    ]


def undo_newest_first(
    uow: UnitOfWork, left: Sequence[RecordedOperation], *, force: bool
) -> Iterator[tuple[RecordedOperation, TakeBackResult]]:
    """Undo operations one by one. If one of them leaves a memory as it is, older ones leave that memory, too."""
    held: set[str] = set()
    followed = withdraw_follow_ups(uow, left)
    for recorded in reversed(left):
        taken = undo_operation(uow, recorded, force=force, held=held)
        held |= taken.held
        yield recorded, taken
    follow_up(uow, left, followed)


def _mark_taken(uow: UnitOfWork, recorded: RecordedOperation, taken: TakeBackResult, actor: str) -> None:
    """Record the outcome for an operation, and what a redo has to revert."""
    undone = (*recorded.undone, *taken.undone)
    if taken.conflict is None:
        state, review, note = OperationState.UNDONE, ReviewState.REJECTED, None
    else:
        state, review, note = OperationState.APPLIED, recorded.review, f"not undone: {taken.conflict}"
    uow.operations.decide(recorded.id, state=state, review=review, by=actor, undone=undone, note=note)


def find_last_undoable(db: Database, tenant_id: str, store_name: str) -> Dream:
    """Return the store's most recent whole dream for an undo. Older dreams and upkeep are undone by id only.

    Raises:
        ConflictError: `No dream to undo`, or the most recent one is undone already.
    """
    with db.transaction(tenant_id) as uow:
        last = find_last_whole(uow, store_name)
    if last is None:
        raise ConflictError(f"No dream to undo: no dream has changed {tenant_id}/{store_name}")
    if last.state is DreamState.UNDONE:
        raise ConflictError(
            f"Dream already undone: {last.id}; to take the undo back, `--redo`; to undo an older dream, name its id"
        )
    return last


def find_last_whole(uow: UnitOfWork, store_name: str) -> Dream | None:
    """Return the store's most recent whole dream that may have changed it, or None."""
    store = uow.stores.get(store_name)
    states = UNDOABLE_STATES | {DreamState.UNDONE}
    found = uow.dreams.find_recent(store_id=store.id, states=states, triggers=WHOLE_TRIGGERS, limit=_MAX_RECENT)
    return next((dream for dream in found if not dream.is_dry_run and _has_changed(uow, dream)), None)


def _has_changed(uow: UnitOfWork, dream: Dream) -> bool:
    """Tell whether a dream may have changed its store: one that ended in error did if it applied an operation."""
    return dream.state is not DreamState.ERROR or any(
        recorded.state is OperationState.APPLIED for recorded in uow.operations.find_all(dream.id)
    )


def check_undoable(uow: UnitOfWork, dream: Dream, *, has_conflicts: bool) -> None:
    """Raise ConflictError when a dream cannot be undone now. An undone one can while it has conflicts left."""
    if dream.state is DreamState.UNDONE and not has_conflicts:
        msg = f"Dream already undone: {dream.id}"
        raise ConflictError(msg)
    if dream.state not in UNDOABLE_STATES | {DreamState.UNDONE} or not _has_changed(uow, dream):
        msg = f"Cannot undo dream with status: {dream.state}"
        raise ConflictError(msg)
    if dream.is_dry_run:
        raise ConflictError(f"Nothing to undo: {dream.id} was a dry run")
    check_none_running(uow, dream, "undo")


def check_none_running(uow: UnitOfWork, dream: Dream, wanted: str) -> None:
    """Raise ConflictError while another dream of the store is running."""
    running = uow.dreams.find_recent(store_id=dream.store_id, states=[DreamState.RUNNING], limit=1)
    if running:
        msg = f"Another dream is running ({running[0].id}); {wanted} when it has ended"
        raise ConflictError(msg)


def _mark(uow: UnitOfWork, operation_id: str, state: OperationState, actor: str) -> None:
    uow.operations.decide(operation_id, state=state, review=ReviewState.REJECTED, by=actor)


def _end(uow: UnitOfWork, dream: Dream, journal: UndoJournal, actor: str) -> None:
    if has_books(dream.state, dream):
        _restore_changed_set(uow, dream)
        _restore_hints(uow, dream)
        journal = _restore_bookkeeping(uow, dream, journal)  # lock the store's row last, as writes of agents do
    before = write_journal(dream.before, journal)
    uow.dreams.finish(dream.id, DreamState.UNDONE, reason=f"undone by {actor}", before=before)
    count("slowwave_dreams_ended_total", state=str(DreamState.UNDONE))


def has_books(state: DreamState, dream: Dream) -> bool:
    """Tell whether a dream that ended in this state has changed the bookkeeping of its store."""
    return not dream.is_upkeep and state is not DreamState.ERROR


def _restore_bookkeeping(uow: UnitOfWork, dream: Dream, journal: UndoJournal) -> UndoJournal:
    """Restore what the end of the dream changed: cursors, signals, counters, the time of the last dream."""
    before = dream.before
    uow.gathering(dream.store_id).restore(read_windows(before))
    feedback = uow.feedback(dream.store_id).restore(dream.id)
    workflows = uow.workflows(dream.store_id).restore(dream.id)
    uow.asked(dream.store_id).restore(dream.id)
    curations, sessions = read_int(before, "curations"), read_int(before, "sessions")
    uow.activity.consume(dream.store_id, curations=-curations, sessions=-sessions)
    store = uow.stores.get(dream.store, lock=True)
    changed = replace(store, total_dreams=max(0, store.total_dreams - 1))
    if store.last_dream_id == dream.id:
        at, last_id = find_dream_before(uow, dream)
        changed = replace(changed, last_dream_at=at, last_dream_id=last_id)
    if store.curations or store.sessions:
        # With a pause: an undone dream should not be repeated at once. What it gave back does not wait for a timer.
        resumes_at = uow.now() + timedelta(hours=store.policy.gates.min_hours)
        changed = replace(changed, next_check_at=min(store.next_check_at or resumes_at, resumes_at))
    uow.stores.save(changed)
    last_dream_at = store.last_dream_at if store.last_dream_id == dream.id else None
    return replace(
        journal,
        feedback=feedback,
        workflows=workflows,
        was_last=store.last_dream_id == dream.id,
        last_dream_at=last_dream_at,
    )


def _restore_hints(uow: UnitOfWork, dream: Dream) -> None:
    hints = read_hints(dream.before)
    uow.merges(dream.store_id).add([hint for hint in hints if not _is_undone(uow, hint.suggested_by)])


def _restore_changed_set(uow: UnitOfWork, dream: Dream) -> None:
    """Mark memories as changed again that the dream unmarked, if their text is still the one it read."""
    cleaned = dream.before.get("cleaned")
    if not isinstance(cleaned, list):
        return
    memories = uow.memories(dream.store_id)
    memories.set_dirty(find_same_texts(memories, dict(cleaned)), is_dirty=True)


def find_same_texts(memories: MemoryRepository, versions: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return, with their versions now, the live memories whose text is that of an earlier version."""
    heads = {head.id: head.version for head in memories.find_heads()}
    unmoved = [(i, v) for i, v in versions.items() if heads.get(i) == v]
    moved = {i: v for i, v in versions.items() if i in heads and heads[i] != v}
    restored = [
        (memory.id, memory.version)
        for memory in (memories.find_live(moved) if moved else ())
        if _find_text(memories, memory.id, moved[memory.id]) == memory.content
    ]
    return unmoved + restored


def _find_marks(uow: UnitOfWork, dream: Dream, operations: Sequence[RecordedOperation]) -> dict[str, tuple[int, bool]]:
    """Return the current version and changed mark of each memory that the dream read or wrote."""
    cleaned = dream.before.get("cleaned")
    ids = {i for i, _ in cleaned} if isinstance(cleaned, list) else set()
    ids |= {effect.after.id for one in operations for effect in one.effects}
    heads = uow.memories(dream.store_id).find_heads()
    return {head.id: (head.version, head.is_dirty) for head in heads if head.id in ids}


def _find_text(memories: MemoryRepository, memory_id: str, version: int) -> str | None:
    history = memories.find_history(memory_id)
    return next((entry.content for entry in history if entry.version == version), None)


def find_dream_before(uow: UnitOfWork, dream: Dream) -> tuple[datetime | None, str | None]:
    """Return the time and id of the store's dream before this one, skipping dreams that were undone."""
    at, last_id = dream.before.get("last_dream_at"), dream.before.get("last_dream_id")
    if last_id:
        last = _find(uow, str(last_id))
        if last is not None and last.state is DreamState.UNDONE:
            return find_dream_before(uow, last)
    return (datetime.fromisoformat(str(at)) if at else None), (str(last_id) if last_id else None)


def _is_undone(uow: UnitOfWork, dream_id: str) -> bool:
    dream = _find(uow, dream_id)
    return dream is not None and dream.state is DreamState.UNDONE


def _find(uow: UnitOfWork, dream_id: str) -> Dream | None:
    """Return a dream; None when retention has purged it."""
    try:
        return uow.dreams.get(dream_id)
    except NotFoundError:
        return None
