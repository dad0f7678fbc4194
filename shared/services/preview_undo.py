"""What an undo would do, found out by doing it and taking it back: the preview cannot say anything else than the undo.

Doing it holds the store meanwhile, some milliseconds an operation. A dream with very many is looked at instead.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from shared.core.dream import Dream, OperationState
from shared.core.errors import ConflictError
from shared.ports.database import Database, UnitOfWork
from shared.ports.dream_book import RecordedOperation
from shared.services.hold_operation import hold_operation
from shared.services.look_at_undo import find_undo_conflicts
from shared.services.undo_dream import check_undoable
from shared.services.undo_operation import undo_operation

#: So many operations are tried, which takes a second or two; of more it is only looked at what they have left.
MOST_TRIED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoStep:
    """One operation that would be taken back; `conflict` names the later edit for which it would be left alone."""

    recorded: RecordedOperation
    conflict: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPreview:
    """What an undo of a dream would do: steps in their order, proposals it would drop, or why it cannot be done."""

    dream: Dream
    steps: tuple[UndoStep, ...] = ()
    dropped: tuple[RecordedOperation, ...] = ()
    refusal: str = ""
    is_tried: bool = True

    @property
    def conflicts(self) -> tuple[UndoStep, ...]:
        """Return the steps that would be left alone."""
        return tuple(step for step in self.steps if step.conflict)


def preview_undo(db: Database, tenant_id: str, dream_id: str, *, force: bool = False) -> UndoPreview:
    """Return what `undo_dream` would do now. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())
        operations = uow.operations.find_all(dream_id)
        left = [op for op in operations if op.state is OperationState.APPLIED]
        try:
            check_undoable(uow, dream, has_conflicts=bool(left))
        except ConflictError as error:
            return UndoPreview(dream=dream, refusal=str(error))
        is_tried = len(left) <= MOST_TRIED
        steps = _try_all(uow, left, force=force) if is_tried else _look_at(uow, left)
        dropped = tuple(op for op in operations if op.state is OperationState.PROPOSED)
        return UndoPreview(dream=dream, steps=steps, dropped=dropped, is_tried=is_tried)


def preview_rejection(db: Database, tenant_id: str, operation_id: str) -> UndoStep:
    """Return what `reject_operation` would run into now. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        recorded = hold_operation(uow, operation_id)
        if recorded.state is not OperationState.APPLIED:
            return UndoStep(recorded=recorded, conflict=None)
        with _taken_back(uow):
            return _try(uow, recorded, force=False)


def _try_all(uow: UnitOfWork, left: list[RecordedOperation], *, force: bool) -> tuple[UndoStep, ...]:
    steps: list[UndoStep] = []
    with _taken_back(uow):
        steps += [_try(uow, recorded, force=force) for recorded in reversed(left)]
    return tuple(steps)


def _look_at(uow: UnitOfWork, left: list[RecordedOperation]) -> tuple[UndoStep, ...]:
    conflicts = find_undo_conflicts(uow, left[0].store_id, left)
    steps = [UndoStep(recorded=one, conflict=why) for one, why in zip(left, conflicts, strict=True)]
    return tuple(reversed(steps))


def _try(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> UndoStep:
    return UndoStep(recorded=recorded, conflict=undo_operation(uow, recorded, force=force))


class _TakeBack(Exception):  # noqa: N818 - it is no error: it ends a savepoint
    """Rolls a savepoint back."""


@contextmanager
def _taken_back(uow: UnitOfWork) -> Iterator[None]:
    with suppress(_TakeBack), uow.savepoint():
        yield
        raise _TakeBack
