"""Take one operation back, or do it again, in the caller's transaction; never at the cost of a later edit.

An edit of other lines is merged with what comes back. Where both changed the same lines, the memory stays as it is and the
operation stays in force for that memory alone: the others come back. Force restores over an edit; the caller then
proposes the edit again (`propose_edits`), so that it is neither lost nor in force.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.dream.effects import (
    Effect,
    decide_undo_conflict,
    decide_undo_impossible,
    find_restored_text,
    loses_text,
    plan_restore,
)
from shared.core.dream.model import OperationState
from shared.core.dream.operations import SuggestMerge
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryWrite, keeps_text


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """The result of taking one operation back.

    Attributes:
        conflict: why some of its memories, or all, stay as they are; None when all of it was taken back.
        held: the ids of those memories.
        merged: the paths of memories whose later edit was merged with what came back.
        overwritten: memories as they were edited, that force restored over.
    """

    conflict: str | None = None
    held: frozenset[str] = frozenset()
    merged: tuple[str, ...] = ()
    overwritten: tuple[Memory, ...] = field(default=())


def undo_operation(
    uow: UnitOfWork, recorded: RecordedOperation, *, force: bool, held: Collection[str] = ()
) -> TakenBack:
    """Undo an applied operation, except for memories in conflict; those stay with it, to be undone later.

    Args:
        uow: a transaction that holds the tenant, the dream and the store's lock.
        recorded: the operation.
        force: restore over later edits, too.
        held: memories that a later operation of the same dream keeps.
    """
    current = uow.memories(recorded.store_id).lock([effect.after.id for effect in recorded.effects])
    conflicts = _find_conflicts(uow, recorded, current, force=force)
    for effect in recorded.effects:
        if effect.after.id in held:
            conflicts.setdefault(effect.after.id, f"{effect.after.path} was changed by an operation of it that stays")
    return _take_back(uow, recorded, current, conflicts)


def _take_back(
    uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory], conflicts: Mapping[str, str]
) -> TakenBack:
    staying = find_staying(recorded.effects, conflicts)
    free = [e for e in recorded.effects if e.after.id not in staying and e.after.id in current]
    writes = [_restore_write(effect, current[effect.after.id], recorded) for effect in free]
    uow.memories(recorded.store_id).write(writes)
    done = TakenBack(
        conflict=describe_staying(recorded.effects, conflicts),
        held=frozenset(staying),
        merged=tuple(e.after.path for e in free if _is_merged(e, current[e.after.id])),
        overwritten=tuple(
            current[e.after.id] for e in free if _is_overwritten(uow, recorded.store_id, e, current[e.after.id])
        ),
    )
    if staying:
        kept = [effect for effect in recorded.effects if effect.after.id in staying]
        uow.operations.decide(
            recorded.id, state=OperationState.APPLIED, review=recorded.review, by="undo", effects=kept
        )
    else:
        _withdraw_suggestions(uow, recorded)
    return done


def redo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> TakenBack:
    """Redo an undone operation as a whole, or not at all; the conflict says why not.

    The memories are as they were before the operation, so its effects are still valid: redoing is undoing the undo.
    """
    if recorded.state is not OperationState.UNDONE:
        return TakenBack(conflict=f"{recorded.id} is {recorded.state}")
    if any(e.is_before_redacted or e.is_after_redacted for e in recorded.effects):
        return TakenBack(conflict=f"what {recorded.id} was about has been redacted")
    turned = replace(recorded, effects=tuple(_turn(effect) for effect in recorded.effects))
    current = uow.memories(recorded.store_id).lock([effect.after.id for effect in turned.effects])
    conflicts = _find_conflicts(uow, turned, current, force=force)
    if conflicts:
        return TakenBack(conflict=next(iter(conflicts.values())), held=frozenset(conflicts))
    return _take_back(uow, turned, current, {})


def _turn(effect: Effect) -> Effect:
    """Return the effect of taking an effect back."""
    undone = effect.before or replace(effect.after, state=MemoryState.REMOVED)
    return Effect(before=effect.after, after=undone)


def find_staying(effects: Sequence[Effect], conflicts: Collection[str]) -> set[str]:
    """Return the ids of an operation's memories that stay as they are.

    What stands in the place of a memory that cannot come back stays with it: no text would be live otherwise.
    """
    staying = {effect.after.id for effect in effects if effect.after.id in conflicts}
    return staying | {
        effect.after.superseded_by for effect in effects if effect.after.id in staying and effect.after.superseded_by
    } & {effect.after.id for effect in effects}


def describe_staying(effects: Sequence[Effect], conflicts: Mapping[str, str]) -> str | None:
    """Return why an operation stays in part or as a whole, or None."""
    staying = find_staying(effects, conflicts)
    if not staying:
        return None
    first = next(conflicts[effect.after.id] for effect in effects if effect.after.id in conflicts)
    return first if len(effects) == 1 else f"{first} ({len(staying)} of {len(effects)} memories left as they are)"


def _restore_write(effect: Effect, current: Memory, recorded: RecordedOperation) -> MemoryWrite:
    restored = plan_restore(effect, current)
    return MemoryWrite(
        memory=restored,
        change="remove" if restored.state is MemoryState.REMOVED else "restore",
        dream_id=recorded.dream_id,
        operation_id=recorded.id,
        keeps_text=keeps_text(current, restored),
    )


def _is_merged(effect: Effect, current: Memory) -> bool:
    """Tell whether a memory holds a later edit and is restored all the same."""
    return current.content != effect.after.content and bool(find_restored_text(effect, current))


def _is_overwritten(uow: UnitOfWork, store_id: str, effect: Effect, current: Memory) -> bool:
    """Tell whether restoring a memory goes over what an agent or a person wrote since."""
    if current.content == effect.after.content or find_restored_text(effect, current) is not None:
        return False
    history = uow.memories(store_id).find_history(current.id)
    return any(one.dream_id is None and one.version > effect.after.version for one in history)


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
