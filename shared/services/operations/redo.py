"""Redo an undone dream: revert the undo in one transaction, and keep everything that was written since.

The locks, the three-way merge and the conflicts are those of an undo. What cannot be redone stays as the undo left it, is
reported, and can be redone later. A dream that was redone can be undone again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError
from shared.core.memory.model import MemoryState
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryRepository
from shared.services.operations.apply import add_suggestions
from shared.services.operations.follow_up import follow_up, withdraw_follow_ups
from shared.services.operations.kept_edits import propose_edits
from shared.services.operations.take_back import (
    TakeBackResult,
    find_merged_since_undo,
    list_merged,
    redo_undone,
    tell_conflicts,
)
from shared.services.operations.undo import (
    check_none_running,
    find_dream_before,
    find_last_whole,
    find_same_texts,
    has_books,
)
from shared.services.operations.undo_journal import (
    UndoJournal,
    read_hints,
    read_int,
    read_journal,
    read_windows,
    write_journal,
)

_FORCED_OVER = "was edited after the undo; a forced redo restored the dream's text"
_Done = tuple[RecordedOperation, TakeBackResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoReport:
    """The result of a redo.

    Attributes:
        dream_id: the dream.
        redone: the number of operations that are fully applied again.
        conflicts: why the others stay undone, wholly or in part.
        merged: paths of memories in which an edit since the undo was merged with the restored text.
        proposals: ids of operations that propose edits again which force overwrote.
    """

    dream_id: str
    redone: int
    conflicts: tuple[str, ...]
    merged: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()


def redo_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str, force: bool = False) -> RedoReport:
    """Restore what an undo reverted: memories, proposals, verdicts, cursors, counters, the time of the last dream.

    Args:
        db: the database.
        tenant_id: the tenant.
        dream_id: an undone dream, or one that was redone with remaining conflicts.
        actor: the author, for the audit log.
        force: restore over edits that were made after the undo; each is proposed again.

    Raises:
        ConflictError: the dream was not undone, or another dream of the store is running.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream can begin meanwhile
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())  # lock first: reviews of these operations have to wait
        operations = uow.operations.find_all(dream_id)
        journal = read_journal(dream.before)
        left = find_undone(operations, journal)
        journal = check_redoable(uow, dream, journal, has_conflicts=bool(left))
        done = list(redo_oldest_first(uow, operations, left, force=force))
        for recorded, taken in done:
            _mark_redone(uow, dream, recorded, taken, journal, actor)
        overwritten = [memory for _, taken in done for memory in taken.overwritten]
        proposals = propose_edits(uow, dream, overwritten, why=_FORCED_OVER)
        _reopen_proposals(uow, operations, journal, actor)
        _drop_edits_that_are_back(uow, dream, operations, actor)
        still_undone = {recorded.id for recorded, taken in done if taken.conflict}
        _reinstate(uow, dream, journal, still_undone, actor)
        report = _report(dream, done, proposals)
        told = {name: value for name, value in asdict(report).items() if name != "dream_id"}
        uow.record_audit(actor, "dream.redo", dream_id=dream_id, force=force, **told)
        return report


def find_last_redoable(db: Database, tenant_id: str, store_name: str) -> Dream:
    """Return the store's most recent whole dream, if it is undone. Older dreams and upkeep are redone by id only.

    Raises:
        ConflictError: there is none, or the most recent one is not undone.
    """
    with db.transaction(tenant_id) as uow:
        last = find_last_whole(uow, store_name)
    if last is None:
        raise ConflictError(f"No dream to redo: no dream has changed {tenant_id}/{store_name}")
    if last.state is not DreamState.UNDONE:
        msg = f"{_not_undone(last)}; name an older dream to redo it: `dreams list {last.tenant_id} --state undone` lists them"
        raise ConflictError(msg)
    return last


def find_undone(operations: Sequence[RecordedOperation], journal: UndoJournal | None) -> list[RecordedOperation]:
    """Return the operations that the undo of their dream reverted, wholly or in part, except those that a person rejected."""
    in_force = {i for i, one in journal.operations.items() if one.state is OperationState.APPLIED} if journal else set()
    return [
        one
        for one in operations
        if one.id in in_force
        and (one.state is OperationState.UNDONE or (one.state is OperationState.APPLIED and one.undone))
    ]


def check_redoable(uow: UnitOfWork, dream: Dream, journal: UndoJournal | None, *, has_conflicts: bool) -> UndoJournal:
    """Return the journal of the undo. Raises ConflictError when there is nothing to redo, or not now."""
    if dream.state is not DreamState.UNDONE and not has_conflicts:
        raise ConflictError(_not_undone(dream))
    if journal is None:
        raise ConflictError(f"Cannot redo {dream.id}: its undo did not record what it changed")
    check_none_running(uow, dream, "redo")
    return journal


def _not_undone(dream: Dream) -> str:
    return f"Nothing to redo: {dream.id} is {dream.state}, not undone"


def redo_oldest_first(
    uow: UnitOfWork, operations: Sequence[RecordedOperation], left: Sequence[RecordedOperation], *, force: bool
) -> Iterator[_Done]:
    """Redo operations one by one. If one of them leaves a memory as it is, newer ones leave that memory, too.

    Args:
        uow: a transaction that holds the tenant, the dream and the store's lock.
        operations: all of the dream: an index that it wrote may point to what a person rejected.
        left: those to redo.
        force: restore over edits since the undo, too.
    """
    merged = {recorded.id: find_merged_since_undo(uow, recorded) for recorded in left}
    held: set[str] = set()
    followed = withdraw_follow_ups(uow, left)
    for recorded in left:
        taken = redo_undone(uow, recorded, force=force, merged=merged[recorded.id], held=held)
        held |= taken.held
        yield recorded, taken
    follow_up(uow, operations, followed)


def _mark_redone(
    uow: UnitOfWork, dream: Dream, recorded: RecordedOperation, taken: TakeBackResult, journal: UndoJournal, actor: str
) -> None:
    """Record an operation as applied again, wholly or for the memories that were restored."""
    was = journal.operations[recorded.id]
    back = as_redone(recorded, taken)
    rest = [one for one in recorded.undone if one.undo.after.id in taken.held]
    in_force = recorded.effects if recorded.state is OperationState.APPLIED else ()
    if rest and not back:
        state, review, effects = recorded.state, recorded.review, recorded.effects
    else:
        state, review, effects = OperationState.APPLIED, was.review, (*in_force, *back)
    note = f"not redone: {taken.conflict}" if rest else was.note
    uow.operations.decide(
        recorded.id, state=state, review=review, by=actor, effects=effects or recorded.effects, undone=rest, note=note
    )
    if not rest:
        add_suggestions(uow, dream, recorded.operation)


def as_redone(recorded: RecordedOperation, taken: TakeBackResult) -> list[Effect]:
    """Return the effects that apply again, with the versions that the redo has written."""
    versions = {one.undo.after.id: one.undo.after.version for one in taken.undone}
    effects = (one.effect for one in recorded.undone if one.effect.after.id in versions)
    return [replace(one, after=replace(one.after, version=versions[one.after.id])) for one in effects]


def _reopen_proposals(
    uow: UnitOfWork, operations: Sequence[RecordedOperation], journal: UndoJournal, actor: str
) -> None:
    """Let proposals wait for a review again that the undo dropped."""
    for one in operations:
        was = journal.operations.get(one.id)
        is_dropped = was is not None and was.state is OperationState.PROPOSED and one.state is OperationState.REJECTED
        if was is not None and is_dropped:
            uow.operations.decide(one.id, state=was.state, review=was.review, by=actor, note=was.note)


def _drop_edits_that_are_back(
    uow: UnitOfWork, dream: Dream, operations: Sequence[RecordedOperation], actor: str
) -> None:
    """Drop the proposals of a forced undo whose edit the redo has restored."""
    proposed = [
        one
        for one in operations
        if one.state is OperationState.PROPOSED and one.operation.kind is OperationKind.RESTORE_EDIT and one.effects
    ]
    current = uow.memories(dream.store_id).lock([one.effects[0].after.id for one in proposed]) if proposed else {}
    for one in proposed:
        wanted = one.effects[0].after
        found = current.get(wanted.id)
        if found is not None and found.state is MemoryState.LIVE and found.content == wanted.content:
            note = "a redo of the dream has brought the edit back"
            uow.operations.decide(one.id, state=OperationState.SKIPPED, review=ReviewState.NONE, by=actor, note=note)


def _reinstate(uow: UnitOfWork, dream: Dream, journal: UndoJournal, still_undone: Collection[str], actor: str) -> None:
    """Restore the dream's final state and the store's bookkeeping."""
    if dream.state is not DreamState.UNDONE:
        return
    if has_books(journal.state, dream):
        _consume_again(uow, dream, journal)
    left = {i: one for i, one in journal.operations.items() if i in still_undone}
    journal = replace(journal, operations=left)
    reason = f"{journal.reason}; redone by {actor}" if journal.reason else f"redone by {actor}"
    uow.dreams.finish(dream.id, journal.state, reason=reason, before=write_journal(dream.before, journal))


def _consume_again(uow: UnitOfWork, dream: Dream, journal: UndoJournal) -> None:
    """Mark as consumed again what the dream had consumed, except what another dream has consumed since."""
    before = dream.before
    _mark_as_before(uow.memories(dream.store_id), journal)
    merges = uow.merges(dream.store_id)
    hints = read_hints(before)
    merges.remove([merge for merge in merges.find_open() if merge in hints])
    uow.gathering(dream.store_id).advance(read_windows(before))
    uow.feedback(dream.store_id).consume(journal.feedback, dream.id)
    uow.workflows(dream.store_id).consume(journal.workflows, dream.id)
    uow.activity.consume(dream.store_id, curations=read_int(before, "curations"), sessions=read_int(before, "sessions"))
    store = uow.stores.get(dream.store, lock=True)  # last, as writes of agents do
    changed = replace(store, total_dreams=store.total_dreams + 1)
    if journal.was_last and store.last_dream_id == find_dream_before(uow, dream)[1]:
        changed = replace(changed, last_dream_id=dream.id, last_dream_at=journal.last_dream_at)
    uow.stores.save(changed)


def _mark_as_before(memories: MemoryRepository, journal: UndoJournal) -> None:
    """Restore the changed marks from before the undo, for memories that have the same text again."""
    same = find_same_texts(memories, {memory_id: version for memory_id, (version, _) in journal.marks.items()})
    for is_dirty in (False, True):
        memories.set_dirty([one for one in same if journal.marks[one[0]][1] is is_dirty], is_dirty=is_dirty)


def _report(dream: Dream, done: Sequence[_Done], proposals: tuple[str, ...]) -> RedoReport:
    conflicts = tell_conflicts(done)
    return RedoReport(
        dream_id=dream.id,
        redone=len(done) - len(conflicts),
        conflicts=conflicts,
        merged=list_merged(done),
        proposals=proposals,
    )
