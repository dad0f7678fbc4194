"""Preview an undo or a redo by running it and rolling it back, so the preview cannot differ from the real thing.

That locks the store for some milliseconds per operation. For a dream with very many operations the conflicts are
estimated instead: each memory is compared with the result of the dream's last operation on it. Conflicts beyond that,
such as two operations of the dream that block each other or a later merge, show in the undo itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from shared.core.dream.effects import Effect, decide_undo_conflict, decide_undo_impossible
from shared.core.dream.model import Dream, DreamState, OperationState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.errors import ConflictError
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.services.operations.follow_up import find_own_texts, withdraw_follow_ups
from shared.services.operations.lock import lock_operation
from shared.services.operations.redo import check_redoable, find_undone, redo_oldest_first
from shared.services.operations.take_back import TakeBackResult, describe_staying, find_staying, undo_operation
from shared.services.operations.undo import check_undoable, find_left, undo_newest_first
from shared.services.operations.undo_journal import read_journal


def estimate_conflicts(uow: UnitOfWork, store_id: str, operations: Sequence[RecordedOperation]) -> list[str | None]:
    """Return, for each operation, the conflict that would keep it, or None.

    Args:
        uow: a transaction of the tenant.
        store_id: the dream's store.
        operations: the applied operations, oldest first.
    """
    last = {effect.after.id: effect for one in operations for effect in one.effects}
    memories = uow.memories(store_id)
    current = memories.lock(list(last)) if last else {}
    current |= {index.id: replace(index, content=own) for index, own in find_own_texts(uow, operations)}
    conflicts = {
        memory_id: why
        for memory_id, effect in last.items()
        if (why := decide_undo_conflict(effect, current.get(memory_id)))
    }
    conflicts = _find_taken(uow, store_id, operations, current) | conflicts
    return list(reversed([_conflict_of(one.effects, conflicts) for one in reversed(operations)]))


def _find_taken(
    uow: UnitOfWork, store_id: str, operations: Sequence[RecordedOperation], current: Mapping[str, Memory]
) -> dict[str, str]:
    """Return the memories whose path is taken by a memory that the dream did not touch."""
    first: dict[str, Effect] = {}
    for one in operations:
        for effect in one.effects:
            first.setdefault(effect.after.id, effect)
    coming = {
        effect.before.path: memory_id
        for memory_id, effect in first.items()
        if effect.before is not None and effect.before.state is MemoryState.LIVE and memory_id in current
    }
    holders = uow.memories(store_id).find_by_paths(coming) if coming else {}
    return {
        coming[path]: f"{path} was written again after the dream"
        for path, holder in holders.items()
        if holder.id not in first
    }


def _conflict_of(effects: Sequence[Effect], conflicts: dict[str, str]) -> str | None:
    """Return the conflict of one operation, and add what it keeps for older ones."""
    impossible = {e.after.id: why for e in effects if (why := decide_undo_impossible(e))}
    found = conflicts | impossible
    for memory_id in find_staying(effects, found):
        conflicts.setdefault(memory_id, found.get(memory_id, "an operation of it stays"))
    return describe_staying(effects, found)


#: Operations that are tried, which takes a second or two; for more, the conflicts are estimated.
MAX_TRIED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoStep:
    """One operation of an undo; `conflict` names the later edit that would keep it."""

    recorded: RecordedOperation
    conflict: str | None
    merged: tuple[str, ...] = ()  # paths of memories that keep a later edit beside what comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPreview:
    """The preview of an undo: its steps in order, how many proposals it would drop, or the reason why it is refused."""

    dream: Dream
    steps: tuple[UndoStep, ...] = ()
    dropped: int = 0
    refusal: str = ""
    is_tried: bool = True

    @property
    def conflicts(self) -> tuple[UndoStep, ...]:
        """Return the steps with a conflict."""
        return tuple(step for step in self.steps if step.conflict)


def preview_undo(db: Database, tenant_id: str, dream_id: str, *, force: bool = False) -> UndoPreview:
    """Return what `undo_dream` would do now. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())
        # What is only proposed is counted: a long dream's texts are not read for that.
        left = find_left(uow.operations.find_all(dream_id, OperationFilter(state=OperationState.APPLIED)))
        proposed = uow.operations.find_page(
            dream_id, after=None, limit=0, only=OperationFilter(state=OperationState.PROPOSED)
        )
        try:
            check_undoable(uow, dream, has_conflicts=bool(left))
        except ConflictError as error:
            return UndoPreview(dream=dream, refusal=str(error))
        is_tried = len(left) <= MAX_TRIED
        steps = _try_all(uow, left, force=force) if is_tried else _estimate_all(uow, left)
        return UndoPreview(dream=dream, steps=steps, dropped=proposed.total, is_tried=is_tried)


def preview_redo(db: Database, tenant_id: str, dream_id: str) -> UndoPreview:
    """Return what `redo_dream` would do now; it is always run and rolled back, never estimated. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())
        journal = read_journal(dream.before)
        # Without a journal nothing was undone; a long dream's operations are not read to say so.
        is_touched = journal is not None or dream.state is DreamState.UNDONE
        operations = uow.operations.find_all(dream_id) if is_touched else []
        left = find_undone(operations, journal)
        try:
            check_redoable(uow, dream, journal, has_conflicts=bool(left))
        except ConflictError as error:
            return UndoPreview(dream=dream, refusal=str(error))
        steps: list[UndoStep] = []
        with _rolled_back(uow):
            steps += [
                _step(recorded, taken) for recorded, taken in redo_oldest_first(uow, operations, left, force=False)
            ]
        return UndoPreview(dream=dream, steps=tuple(steps))


def preview_rejection(db: Database, tenant_id: str, operation_id: str) -> UndoStep:
    """Return the conflict that `reject_operation` would meet now. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        recorded = lock_operation(uow, operation_id)
        if recorded.state is not OperationState.APPLIED:
            return UndoStep(recorded=recorded, conflict=None)
        with _rolled_back(uow):
            withdraw_follow_ups(uow, [recorded])
            return _step(recorded, undo_operation(uow, recorded, force=False))


def _try_all(uow: UnitOfWork, left: list[RecordedOperation], *, force: bool) -> tuple[UndoStep, ...]:
    steps: list[UndoStep] = []
    with _rolled_back(uow):
        steps += [_step(recorded, taken) for recorded, taken in undo_newest_first(uow, left, force=force)]
    return tuple(steps)


def _estimate_all(uow: UnitOfWork, left: list[RecordedOperation]) -> tuple[UndoStep, ...]:
    conflicts = estimate_conflicts(uow, left[0].store_id, left)
    steps = [UndoStep(recorded=one, conflict=why) for one, why in zip(left, conflicts, strict=True)]
    return tuple(reversed(steps))


def _step(recorded: RecordedOperation, taken: TakeBackResult) -> UndoStep:
    return UndoStep(recorded=recorded, conflict=taken.conflict, merged=taken.merged)


class _Rollback(Exception):  # noqa: N818 - not an error: it ends a savepoint
    """Rolls a savepoint back."""


@contextmanager
def _rolled_back(uow: UnitOfWork) -> Iterator[None]:
    with suppress(_Rollback), uow.savepoint():
        yield
        raise _Rollback
