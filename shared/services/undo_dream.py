"""Undo a dream in one transaction: newest operation first, later edits left alone and reported."""

from dataclasses import dataclass, replace
from datetime import datetime

from shared.core.dream import UNDOABLE_STATES, Dream, DreamState, OperationState, ReviewState
from shared.core.errors import ConflictError
from shared.core.store import PendingMerge
from shared.ports.database import Database, UnitOfWork
from shared.services.undo_operation import undo_operation


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoReport:
    """What an undo did."""

    dream_id: str
    undone: int
    conflicts: tuple[str, ...]


def undo_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str, force: bool = False) -> UndoReport:
    """Restore content, paths, signals, pending merges, counters and the time of the last dream.

    Args:
        db: the database.
        tenant_id: whose dream.
        dream_id: a completed or partial dream; with `force` also an undone one whose conflicts remain.
        actor: who asks, for the audit log.
        force: restore memories over edits that were made after the dream.

    Raises:
        ConflictError: the dream cannot be undone in its state, or another dream of the store is running.
    """
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id, lock=True)
        operations = uow.operations.find_all(dream_id)
        left = [op for op in operations if op.state is OperationState.APPLIED]
        _check_undoable(uow, dream, has_conflicts=force and bool(left))
        conflicts: list[str] = []
        for recorded in reversed(left):
            conflict = undo_operation(uow, recorded, force=force)
            if conflict is not None:
                conflicts.append(f"{recorded.operation.kind}: {conflict}")
                note = f"not undone: {conflict}"
                uow.operations.decide(
                    recorded.id, state=OperationState.APPLIED, review=recorded.review, by=actor, note=note
                )
                continue
            _mark(uow, recorded.id, OperationState.UNDONE, actor)
        for recorded in operations:
            if recorded.state is OperationState.PROPOSED:
                _mark(uow, recorded.id, OperationState.REJECTED, actor)
        if dream.state is not DreamState.UNDONE:
            _restore_bookkeeping(uow, dream)
            uow.dreams.finish(dream_id, DreamState.UNDONE, reason=f"undone by {actor}")
        undone = len(left) - len(conflicts)
        uow.record_audit(actor, "dream.undo", dream_id=dream_id, undone=undone, conflicts=conflicts, force=force)
        return UndoReport(dream_id=dream_id, undone=undone, conflicts=tuple(conflicts))


def find_last_undoable(db: Database, tenant_id: str, store_name: str) -> Dream:
    """Return the newest dream of a store that can be undone. Raises ConflictError: `No dream to undo`."""
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        found = uow.dreams.find_recent(store_id=store.id, states=UNDOABLE_STATES, limit=1)
        applied = [dream for dream in found if not dream.is_dry_run]
        if applied:
            return applied[0]
        last = uow.dreams.find_recent(store_id=store.id, states=[DreamState.UNDONE], limit=1)
    msg = f"Dream already undone: {last[0].id}" if last else "No dream to undo"
    raise ConflictError(msg)


def _check_undoable(uow: UnitOfWork, dream: Dream, *, has_conflicts: bool) -> None:
    if dream.state is DreamState.UNDONE and not has_conflicts:
        msg = f"Dream already undone: {dream.id}"
        raise ConflictError(msg)
    if dream.state not in UNDOABLE_STATES | {DreamState.UNDONE}:
        msg = f"Cannot undo dream with status: {dream.state}"
        raise ConflictError(msg)
    running = uow.dreams.find_recent(store_id=dream.store_id, states=[DreamState.RUNNING], limit=1)
    if running:
        msg = f"Another dream is running ({running[0].id}); undo when it has ended"
        raise ConflictError(msg)


def _mark(uow: UnitOfWork, operation_id: str, state: OperationState, actor: str) -> None:
    uow.operations.decide(operation_id, state=state, review=ReviewState.REJECTED, by=actor)


def _restore_bookkeeping(uow: UnitOfWork, dream: Dream) -> None:
    """Put back what `finish` moved: counters, the time of the last dream, hints, the changed set."""
    before = dream.before
    store = uow.stores.get(dream.store, lock=True)
    uow.activity.consume(store.id, curations=-_int(before, "curations"), sessions=-_int(before, "sessions"))
    changed = replace(store, total_dreams=max(0, store.total_dreams - 1))
    if store.last_dream_id == dream.id:
        last_at = before.get("last_dream_at")
        last_id = before.get("last_dream_id")
        changed = replace(
            changed,
            last_dream_at=datetime.fromisoformat(str(last_at)) if last_at else None,
            last_dream_id=str(last_id) if last_id else None,
        )
    uow.stores.save(changed)
    hints = before.get("hints")
    if isinstance(hints, list):
        uow.merges(store.id).add([PendingMerge(**hint) for hint in hints])
    cleaned = before.get("cleaned")
    if isinstance(cleaned, list):
        uow.memories(store.id).set_dirty([(str(i), int(v)) for i, v in cleaned], is_dirty=True)


def _int(values: dict[str, object], name: str) -> int:
    value = values.get(name, 0)
    return value if isinstance(value, int) else 0
