"""Take one operation back: whole or not at all, and never over a later edit unless forced.

An operation that holds many changes which stand alone gives back all but those that something is in the way of; they
stay with it, so that they can be taken back later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.core.dream import OperationState
from shared.core.effect import Effect, decide_undo_conflict, decide_undo_impossible, loses_text, plan_restore
from shared.core.memory import Memory, MemoryState
from shared.core.operation import BULK_KINDS, SuggestMerge
from shared.ports.database import UnitOfWork
from shared.ports.dream_book import RecordedOperation
from shared.ports.memory_store import MemoryWrite, keeps_text


def undo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> str | None:
    """Restore what an applied operation changed; return the conflict that prevents it, or None when it is done."""
    memories = uow.memories(recorded.store_id)
    current = memories.lock([effect.after.id for effect in recorded.effects])
    conflicts = _find_conflicts(uow, recorded, current, force=force)
    if conflicts and recorded.operation.kind not in BULK_KINDS:
        return next(iter(conflicts.values()))
    held = {_group_of(effect) for effect in recorded.effects if effect.after.id in conflicts}
    free = [effect for effect in recorded.effects if _group_of(effect) not in held and effect.after.id in current]
    memories.write([_restoring(effect, current[effect.after.id], recorded) for effect in free])
    if held:
        return _keep(uow, recorded, [e for e in recorded.effects if _group_of(e) in held], conflicts)
    _withdraw_suggestions(uow, recorded)
    return None


def redo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> str | None:
    """Do again what was taken back; return the conflict that prevents it, or None when it is done.

    What was taken back lies as it was before, so doing it again is taking that back; its effects hold as they are.
    """
    turned = [Effect(before=e.after, after=e.before) for e in recorded.effects if e.before is not None]
    if recorded.state is not OperationState.UNDONE or len(turned) < len(recorded.effects):
        return f"{recorded.id} cannot be done again"
    if any(e.is_before_redacted or e.is_after_redacted for e in recorded.effects):
        return f"what {recorded.id} was about has been redacted"
    return undo_operation(uow, replace(recorded, effects=tuple(turned)), force=force)


def _group_of(effect: Effect) -> str:
    """Return what an effect is taken back with: the keeper of its duplicates, or itself."""
    return effect.after.superseded_by or effect.after.id


def _keep(uow: UnitOfWork, recorded: RecordedOperation, held: Sequence[Effect], conflicts: Mapping[str, str]) -> str:
    """Leave an operation with what could not be taken back, and return why."""
    uow.operations.decide(recorded.id, state=OperationState.APPLIED, review=recorded.review, by="undo", effects=held)
    first = next(iter(conflicts.values()))
    return f"{first} ({len(held)} of {len(recorded.effects)} memories left as they are)"


def _restoring(effect: Effect, current: Memory, recorded: RecordedOperation) -> MemoryWrite:
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
    """Return what is in the way of each memory's restoration, by its id; `force` goes over a later edit only."""
    found = {
        effect.after.id: conflict
        for effect in recorded.effects
        if not force and (conflict := decide_undo_conflict(effect, current.get(effect.after.id)))
    }
    impossible = {e.after.id: why for e in recorded.effects if (why := decide_undo_impossible(e))}
    merged = _find_merged_since(uow, recorded, current)
    return {**_find_taken_paths(uow, recorded, current), **merged, **found, **impossible}


def _find_merged_since(uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory]) -> dict[str, str]:
    """Return the memories that stand for what was merged into them since: taken back, its text would be nowhere."""
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
    """Return the memories that would come back to a path although another live one has it by now."""
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
