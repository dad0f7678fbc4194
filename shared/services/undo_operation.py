"""Take one operation back: whole or not at all, and never over a later edit unless forced."""

from shared.core.effect import Effect, decide_undo_conflict, decide_undo_impossible, plan_restore
from shared.core.memory import Memory, MemoryState
from shared.core.operation import SuggestMerge
from shared.ports.database import UnitOfWork
from shared.ports.dream_book import RecordedOperation
from shared.ports.memory_store import MemoryWrite


def undo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> str | None:
    """Restore what an applied operation changed; return the conflict that prevents it, or None when it is done."""
    memories = uow.memories(recorded.store_id)
    current = memories.lock([effect.after.id for effect in recorded.effects]) if recorded.effects else {}
    conflict = next(filter(None, map(decide_undo_impossible, recorded.effects)), None)
    if not force:
        conflict = conflict or _find_conflict(recorded.effects, current)
    conflict = conflict or _find_taken_path(uow, recorded, current)
    if conflict is not None:
        return conflict
    memories.write(
        [
            _restoring(effect, current[effect.after.id], recorded)
            for effect in recorded.effects
            if effect.after.id in current
        ],
    )
    suggested = {(c.source_path, c.target_path) for c in recorded.operation.changes if isinstance(c, SuggestMerge)}
    if suggested:
        merges = uow.merges(recorded.store_id)
        open_merges = [m for m in merges.find_open() if m.suggested_by == recorded.dream_id]
        merges.remove([m for m in open_merges if (m.source_path, m.target_path) in suggested])
    return None


def _restoring(effect: Effect, current: Memory, recorded: RecordedOperation) -> MemoryWrite:
    return MemoryWrite(
        memory=plan_restore(effect, current),
        change="remove" if effect.before is None else "restore",
        dream_id=recorded.dream_id,
        operation_id=recorded.id,
    )


def _find_conflict(effects: tuple[Effect, ...], current: dict[str, Memory]) -> str | None:
    conflicts = (decide_undo_conflict(effect, current.get(effect.after.id)) for effect in effects)
    return next((conflict for conflict in conflicts if conflict), None)


def _find_taken_path(uow: UnitOfWork, recorded: RecordedOperation, current: dict[str, Memory]) -> str | None:
    """Return the path that a memory would come back to although another live one has it by now."""
    mine = {effect.after.id for effect in recorded.effects}
    for effect in recorded.effects:
        before = effect.before
        if before is None or before.state is not MemoryState.LIVE or effect.after.id not in current:
            continue
        holder = uow.memories(recorded.store_id).find_by_path(before.path)
        if holder is not None and holder.id not in mine:
            return f"{before.path} was written anew after the dream"
    return None
