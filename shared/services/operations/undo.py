"""Undo a dream, or one of its operations, in one transaction: newest operation first, never over a later edit.

Later edits are left alone and reported; force overwrites them. An operation is undone as a whole or not at all, except
a bulk operation of independent changes: it keeps the changes that are in conflict, so that they can be undone later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from shared.core.dream.effects import Effect, decide_undo_conflict, decide_undo_impossible, loses_text, plan_restore
from shared.core.dream.model import UNDOABLE_STATES, WHOLE_TRIGGERS, Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operations import KINDS, SuggestMerge
from shared.core.errors import ConflictError, NotFoundError
from shared.core.memory.model import Memory, MemoryState
from shared.core.sessions.model import Window
from shared.core.tenants.store import PendingMerge
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryRepository, MemoryWrite, keeps_text


def undo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> str | None:
    """Undo an applied operation; return the conflict that prevents it, or None on success."""
    memories = uow.memories(recorded.store_id)
    current = memories.lock([effect.after.id for effect in recorded.effects])
    conflicts = _find_conflicts(uow, recorded, current, force=force)
    if conflicts and not KINDS[recorded.operation.kind].is_bulk:
        return next(iter(conflicts.values()))
    held = {_group_of(effect) for effect in recorded.effects if effect.after.id in conflicts}
    free = [effect for effect in recorded.effects if _group_of(effect) not in held and effect.after.id in current]
    memories.write([_restore_write(effect, current[effect.after.id], recorded) for effect in free])
    if held:
        return _keep_conflicting(uow, recorded, [e for e in recorded.effects if _group_of(e) in held], conflicts)
    _withdraw_suggestions(uow, recorded)
    return None


def redo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> str | None:
    """Redo an undone operation; return the conflict that prevents it, or None on success.

    The memories are as they were before the operation, so its effects are still valid: redoing is undoing the undo.
    """
    turned = [Effect(before=e.after, after=e.before) for e in recorded.effects if e.before is not None]
    if recorded.state is not OperationState.UNDONE or len(turned) < len(recorded.effects):
        return f"{recorded.id} cannot be done again"
    if any(e.is_before_redacted or e.is_after_redacted for e in recorded.effects):
        return f"what {recorded.id} was about has been redacted"
    return undo_operation(uow, replace(recorded, effects=tuple(turned)), force=force)


def _group_of(effect: Effect) -> str:
    """Return the key of the effects that are undone together: the keeper of duplicates, or the memory itself."""
    return effect.after.superseded_by or effect.after.id


def _keep_conflicting(
    uow: UnitOfWork, recorded: RecordedOperation, held: Sequence[Effect], conflicts: Mapping[str, str]
) -> str:
    """Keep an operation as applied with the effects that could not be undone, and return the reason."""
    uow.operations.decide(recorded.id, state=OperationState.APPLIED, review=recorded.review, by="undo", effects=held)
    first = next(iter(conflicts.values()))
    return f"{first} ({len(held)} of {len(recorded.effects)} memories left as they are)"


def _restore_write(effect: Effect, current: Memory, recorded: RecordedOperation) -> MemoryWrite:
    restored = plan_restore(effect, current)
    return MemoryWrite(
        memory=restored,
        change="remove" if effect.before is None else "restore",
        dream_id=recorded.dream_id,
        operation_id=recorded.id,
        keeps_text=keeps_text(current, restored),
    )


def _find_conflicts(
    uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory], *, force: bool
) -> dict[str, str]:
    """Return the conflicts by memory id; `force` ignores those with a later edit only."""
    found = {
        effect.after.id: conflict
        for effect in recorded.effects
        if not force and (conflict := decide_undo_conflict(effect, current.get(effect.after.id)))
    }
    impossible = {e.after.id: why for e in recorded.effects if (why := decide_undo_impossible(e))}
    merged = _find_merged_since(uow, recorded, current)
    return {**_find_taken_paths(uow, recorded, current), **merged, **found, **impossible}


def _find_merged_since(uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory]) -> dict[str, str]:
    """Return the memories into which another one was merged since: undoing them would lose its text."""
    written = {
        effect.after.id: (effect.after.version, recorded.id)
        for effect in recorded.effects
        if effect.after.id in current and loses_text(effect)
    }
    found = uow.catalog(recorded.store_id).find_merged_since(written)
    return {
        memory_id: f"{path} was merged into it after the dream; take that back first"
        for memory_id, path in found.items()
    }


def _find_taken_paths(uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory]) -> dict[str, str]:
    """Return the memories whose path is taken by another live memory."""
    mine = {effect.after.id for effect in recorded.effects}
    coming = {
        effect.before.path: effect.after.id
        for effect in recorded.effects
        if effect.before is not None and effect.before.state is MemoryState.LIVE and effect.after.id in current
    }
    holders = uow.memories(recorded.store_id).find_by_paths(coming) if coming else {}
    return {
        coming[path]: f"{path} was written anew after the dream"
        for path, holder in holders.items()
        if holder.id not in mine
    }


def _withdraw_suggestions(uow: UnitOfWork, recorded: RecordedOperation) -> None:
    suggested = {(c.source_path, c.target_path) for c in recorded.operation.changes if isinstance(c, SuggestMerge)}
    if suggested:
        merges = uow.merges(recorded.store_id)
        open_merges = [m for m in merges.find_open() if m.suggested_by == recorded.dream_id]
        merges.remove([m for m in open_merges if (m.source_path, m.target_path) in suggested])


_WINDOWS: TypeAdapter[list[Window]] = TypeAdapter(list[Window])
_HINTS: TypeAdapter[list[PendingMerge]] = TypeAdapter(list[PendingMerge])
#: Recent dreams that are searched for one that was no dry run.
_MAX_RECENT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoReport:
    """The result of an undo."""

    dream_id: str
    undone: int
    conflicts: tuple[str, ...]


def undo_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str, force: bool = False) -> UndoReport:
    """Restore content, paths, signals, pending merges, counters and the time of the last dream.

    Args:
        db: the database.
        tenant_id: the tenant.
        dream_id: a completed or partial dream; with `force` also an undone one with remaining conflicts.
        actor: the author, for the audit log.
        force: overwrite edits that were made after the dream.

    Raises:
        ConflictError: the dream cannot be undone in its state, or another dream of the store is running.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream can begin meanwhile
        dream = uow.dreams.get(dream_id, lock=True)
        uow.memories(dream.store_id).lock(())  # lock first: reviews of these operations have to wait
        operations = uow.operations.find_all(dream_id)
        left = [op for op in operations if op.state is OperationState.APPLIED]
        check_undoable(uow, dream, has_conflicts=force and bool(left))
        conflicts = _undo_newest_first(uow, left, actor, force=force)
        for recorded in operations:
            if recorded.state is OperationState.PROPOSED:
                _mark(uow, recorded.id, OperationState.REJECTED, actor)
        if dream.state is not DreamState.UNDONE:
            _end(uow, dream, actor)
        undone = len(left) - len(conflicts)
        uow.record_audit(actor, "dream.undo", dream_id=dream_id, undone=undone, conflicts=conflicts, force=force)
        return UndoReport(dream_id=dream_id, undone=undone, conflicts=tuple(conflicts))


def _undo_newest_first(uow: UnitOfWork, left: list[RecordedOperation], actor: str, *, force: bool) -> list[str]:
    """Undo operations, and return the conflicts of those that stay."""
    conflicts: list[str] = []
    held: set[str] = set()  # memories that were last changed by an operation that stays
    for recorded in reversed(left):
        conflict = undo_operation(uow, recorded, force=force)
        if conflict is None:
            _mark(uow, recorded.id, OperationState.UNDONE, actor)
            continue
        ids = {effect.after.id for effect in recorded.effects}
        conflict += ", or by an operation of it that stays" * bool(ids & held)
        held |= ids
        conflicts.append(f"{recorded.operation.kind}: {conflict}")
        note = f"not undone: {conflict}"
        uow.operations.decide(recorded.id, state=OperationState.APPLIED, review=recorded.review, by=actor, note=note)
    return conflicts


def find_last_undoable(db: Database, tenant_id: str, store_name: str) -> Dream:
    """Return the store's most recent whole dream for an undo. Older dreams and upkeep are undone by id only.

    Raises:
        ConflictError: `No dream to undo`, or the most recent one is undone already.
    """
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        states = UNDOABLE_STATES | {DreamState.UNDONE}
        found = uow.dreams.find_recent(store_id=store.id, states=states, triggers=WHOLE_TRIGGERS, limit=_MAX_RECENT)
        last = next((dream for dream in found if not dream.is_dry_run and _has_changed(uow, dream)), None)
    if last is None:
        raise ConflictError("No dream to undo")
    if last.state is DreamState.UNDONE:
        raise ConflictError(f"Dream already undone: {last.id}")
    return last


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
    running = uow.dreams.find_recent(store_id=dream.store_id, states=[DreamState.RUNNING], limit=1)
    if running:
        msg = f"Another dream is running ({running[0].id}); undo when it has ended"
        raise ConflictError(msg)


def _mark(uow: UnitOfWork, operation_id: str, state: OperationState, actor: str) -> None:
    uow.operations.decide(operation_id, state=state, review=ReviewState.REJECTED, by=actor)


def _end(uow: UnitOfWork, dream: Dream, actor: str) -> None:
    if not dream.is_upkeep and dream.state is not DreamState.ERROR:  # those two change none of this
        _restore_changed_set(uow, dream)
        _restore_hints(uow, dream)
        _restore_bookkeeping(uow, dream)  # lock the store's row last, as writes of agents do
    uow.dreams.finish(dream.id, DreamState.UNDONE, reason=f"undone by {actor}")
    count("slowwave_dreams_ended_total", state=str(DreamState.UNDONE))


def _restore_bookkeeping(uow: UnitOfWork, dream: Dream) -> None:
    """Restore what the end of the dream changed: cursors, signals, counters, the time of the last dream."""
    before = dream.before
    uow.gathering(dream.store_id).restore(_WINDOWS.validate_python(before.get("gathered") or []))
    uow.feedback(dream.store_id).restore(dream.id)
    uow.workflows(dream.store_id).restore(dream.id)
    uow.asked(dream.store_id).restore(dream.id)
    curations, sessions = _int(before, "curations"), _int(before, "sessions")
    uow.activity.consume(dream.store_id, curations=-curations, sessions=-sessions)
    store = uow.stores.get(dream.store, lock=True)
    changed = replace(store, total_dreams=max(0, store.total_dreams - 1))
    if store.last_dream_id == dream.id:
        at, last_id = _find_dream_before(uow, dream)
        changed = replace(changed, last_dream_at=at, last_dream_id=last_id)
    if store.next_check_at is None and (store.curations or store.sessions):
        # With a pause: an undone dream should not be repeated at once.
        pause = timedelta(hours=store.policy.gates.min_hours)
        changed = replace(changed, next_check_at=uow.now() + pause)
    uow.stores.save(changed)


def _restore_hints(uow: UnitOfWork, dream: Dream) -> None:
    hints = _HINTS.validate_python(dream.before.get("hints") or [])
    uow.merges(dream.store_id).add([hint for hint in hints if not _is_undone(uow, hint.suggested_by)])


def _restore_changed_set(uow: UnitOfWork, dream: Dream) -> None:
    """Mark memories as changed again that the dream unmarked, if their text is the one it read."""
    cleaned = dream.before.get("cleaned")
    if not isinstance(cleaned, list):
        return
    memories = uow.memories(dream.store_id)
    versions = {head.id: head.version for head in memories.find_heads()}
    unmoved = [(i, v) for i, v in cleaned if versions.get(i) == v]
    moved = {i: v for i, v in cleaned if i in versions and versions[i] != v}
    restored = [
        (memory.id, memory.version)
        for memory in memories.find_live(moved)
        if _find_text(memories, memory.id, moved[memory.id]) == memory.content
    ]
    memories.set_dirty(unmoved + restored, is_dirty=True)


def _find_text(memories: MemoryRepository, memory_id: str, version: int) -> str | None:
    history = memories.find_history(memory_id)
    return next((entry.content for entry in history if entry.version == version), None)


def _find_dream_before(uow: UnitOfWork, dream: Dream) -> tuple[datetime | None, str | None]:
    """Return the time and id of the store's dream before this one, skipping dreams that were undone."""
    at, last_id = dream.before.get("last_dream_at"), dream.before.get("last_dream_id")
    if last_id:
        last = _find(uow, str(last_id))
        if last is not None and last.state is DreamState.UNDONE:
            return _find_dream_before(uow, last)
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


def _int(values: dict[str, object], name: str) -> int:
    value = values.get(name, 0)
    return value if isinstance(value, int) else 0
