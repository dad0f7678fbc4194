"""Undo or redo one operation in the caller's transaction, without losing a later edit.

An edit of other lines is merged with the restored text. If both changed the same lines, that memory stays as it is and the
operation stays applied to it alone; its other memories are restored. Force overwrites an edit; the caller then proposes the
edit again (`propose_edits`), so that it is not lost.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.dream.effects import (
    Effect,
    Undone,
    decide_undo_conflict,
    decide_undo_impossible,
    find_restored_text,
    loses_text,
    plan_restore,
)
from shared.core.dream.model import OperationState
from shared.core.dream.operations import SuggestMerge, say_deed
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryWrite, VersionToTakeBack, keeps_text
from shared.services.left_out import leave_out
from shared.services.masking import mask_memory
from shared.services.operations.waiting import settle_questions

#: What a version is called that hides a memory; every other one restores it.
_CHANGES = {MemoryState.REMOVED: "remove", MemoryState.ARCHIVED: "archive", MemoryState.SUPERSEDED: "supersede"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackResult:
    """The result of undoing or redoing one operation.

    Attributes:
        conflict: why some or all of its memories stay as they are; None if there was no conflict.
        held: the ids of those memories.
        merged: the paths of memories whose later edit was merged with the restored text.
        overwritten: edited memories that force overwrote, as they were.
        undone: each effect that was reverted, and what that did.
    """

    conflict: str | None = None
    held: frozenset[str] = frozenset()
    merged: tuple[str, ...] = ()
    overwritten: tuple[Memory, ...] = field(default=())
    undone: tuple[Undone, ...] = ()


def tell_conflicts(done: Sequence[tuple[RecordedOperation, TakeBackResult]]) -> tuple[str, ...]:
    """Return a line for each operation with a conflict."""
    return tuple(
        f"{say_deed(recorded.operation.kind, recorded.state).capitalize()}: {taken.conflict}"
        for recorded, taken in done
        if taken.conflict
    )


def list_merged(done: Sequence[tuple[RecordedOperation, TakeBackResult]]) -> tuple[str, ...]:
    """Return the paths of memories whose later edit was merged with the restored text, each once."""
    return tuple(dict.fromkeys(path for _, taken in done for path in taken.merged))


def undo_operation(
    uow: UnitOfWork, recorded: RecordedOperation, *, force: bool, held: Collection[str] = (), since: str = "the dream"
) -> TakeBackResult:
    """Undo an applied operation, except for memories in conflict, which can be undone later.

    Args:
        uow: a transaction that holds the tenant, the dream and the store's lock.
        recorded: the operation.
        force: restore over later edits, too.
        held: memories that a later operation of the same dream keeps.
        since: what brought the operation into force, for the words of a conflict.
    """
    current = uow.memories(recorded.store_id).lock([effect.after.id for effect in recorded.effects])
    conflicts = _find_conflicts(uow, recorded, current, force=force, since=since)
    for effect in recorded.effects:
        if effect.after.id in held:
            conflicts.setdefault(effect.after.id, f"{effect.after.path} was changed by an operation of it that stays")
    return _take_back(uow, recorded, current, conflicts)


def _take_back(
    uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory], conflicts: Mapping[str, str]
) -> TakeBackResult:
    done = _restore(uow, recorded, current, conflicts, find_staying(recorded.effects, conflicts))
    if done.held:
        kept = [effect for effect in recorded.effects if effect.after.id in done.held]
        uow.operations.decide(
            recorded.id, state=OperationState.APPLIED, review=recorded.review, by="undo", effects=kept
        )
    else:
        _withdraw_suggestions(uow, recorded)
    return done


def _restore(
    uow: UnitOfWork,
    recorded: RecordedOperation,
    current: Mapping[str, Memory],
    conflicts: Mapping[str, str],
    staying: Collection[str],
) -> TakeBackResult:
    """Restore every memory of an operation, except those in conflict."""
    free = [e for e in recorded.effects if e.after.id not in staying and e.after.id in current]
    writes = [_restore_write(uow, effect, current[effect.after.id], recorded) for effect in free]
    uow.memories(recorded.store_id).write(writes)
    settle_questions(uow, recorded.store_id, {one.memory.id for one in writes}, by="undo", counts=False)
    return TakeBackResult(
        conflict=describe_staying(recorded.effects, conflicts, staying),
        held=frozenset(staying),
        merged=tuple(e.after.path for e in free if _is_merged(e, current[e.after.id])),
        overwritten=tuple(
            current[e.after.id] for e in free if _is_overwritten(uow, recorded.store_id, e, current[e.after.id])
        ),
        undone=tuple(
            Undone(effect=effect, undo=Effect(before=current[effect.after.id], after=write.memory))
            for effect, write in zip(free, writes, strict=True)
        ),
    )


def find_merged_since_undo(uow: UnitOfWork, recorded: RecordedOperation, since: str = "the undo") -> dict[str, str]:
    """Return the memories of an undone operation into which another one was merged since. Ask before anything is redone."""
    undo = _undo_of(recorded)
    return _find_merged_since(uow, undo, [effect.after.id for effect in undo.effects], since)


def _undo_of(recorded: RecordedOperation) -> RecordedOperation:
    """Return what an undo did to an operation's memories, as an operation that can itself be undone."""
    return replace(recorded, effects=tuple(one.undo for one in recorded.undone))


def redo_undone(
    uow: UnitOfWork,
    recorded: RecordedOperation,
    *,
    force: bool,
    merged: Mapping[str, str],
    held: Collection[str] = (),
    since: str = "the undo",
) -> TakeBackResult:
    """Revert what an undo did to the memories of an operation, by the rules of an undo.

    A retired memory and its replacement are restored together or not at all. The caller marks the operation.

    Args:
        uow: a transaction that holds the tenant, the dream and the store's lock.
        recorded: an operation with effects that an undo took back.
        force: restore over edits since the undo, too.
        merged: what `find_merged_since_undo` found.
        held: memories that an earlier operation of the same dream keeps as the undo left them.
        since: what undid the operation, for the words of a conflict.
    """
    undo = _undo_of(recorded)
    effects = undo.effects
    current = uow.memories(recorded.store_id).lock([effect.after.id for effect in effects])
    conflicts = _find_conflicts(uow, undo, current, force=force, since=since, merged=merged)
    conflicts |= _find_unfit_to_hide(uow, undo, current, since)
    for effect in effects:
        if effect.after.id in held:
            conflicts.setdefault(effect.after.id, f"{effect.after.path} was changed by an operation of it that stays")
    tied = {_keeper_of(effect, effects) for effect in effects if effect.after.id in conflicts}
    staying = {effect.after.id for effect in effects if _keeper_of(effect, effects) in tied}
    return _restore(uow, undo, current, conflicts, staying)


def _keeper_of(effect: Effect, effects: Sequence[Effect]) -> str:
    """Return the memory of the operation that replaces this one after the redo, or this one."""
    keeper = effect.before.superseded_by if effect.before is not None else None
    return keeper if keeper in {one.after.id for one in effects} and keeper is not None else effect.after.id


def _find_unfit_to_hide(
    uow: UnitOfWork, undo: RecordedOperation, current: Mapping[str, Memory], since: str
) -> dict[str, str]:
    """Return the memories that a redo would hide although they were pinned or their replacement is gone."""
    mine = {effect.after.id for effect in undo.effects}
    hiding = [e.before for e in undo.effects if e.before is not None and e.before.state is not MemoryState.LIVE]
    others = {one.superseded_by for one in hiding if one.superseded_by is not None} - mine
    successors = uow.memories(undo.store_id).lock(sorted(others)) if others else {}
    found: dict[str, str] = {}
    for hidden in hiding:
        if hidden.superseded_by in others and not _is_live(successors.get(hidden.superseded_by or "")):
            found[hidden.id] = f"what is to take the place of {hidden.path} is no longer live"
        elif hidden.id in current and current[hidden.id].signals.pinned and not hidden.signals.pinned:
            found[hidden.id] = f"{hidden.path} was pinned after {since}"
    return found


def _is_live(memory: Memory | None) -> bool:
    return memory is not None and memory.state is MemoryState.LIVE


def redo_operation(uow: UnitOfWork, recorded: RecordedOperation, *, force: bool) -> TakeBackResult:
    """Redo an undone operation as a whole, or not at all; the conflict says why not.

    The memories are as they were before the operation, so its effects are still valid: redoing is undoing the undo.
    """
    if recorded.state is not OperationState.UNDONE:
        return TakeBackResult(conflict=f"{recorded.id} is {recorded.state}")
    if any(e.is_before_redacted or e.is_after_redacted for e in recorded.effects):
        return TakeBackResult(conflict=f"what {recorded.id} was about has been redacted")
    turned = replace(recorded, effects=tuple(_turn(effect) for effect in recorded.effects))
    current = uow.memories(recorded.store_id).lock([effect.after.id for effect in turned.effects])
    conflicts = _find_conflicts(uow, turned, current, force=force)
    if conflicts:
        return TakeBackResult(conflict=next(iter(conflicts.values())), held=frozenset(conflicts))
    return _take_back(uow, turned, current, {})


def _turn(effect: Effect) -> Effect:
    """Return the inverse of an effect."""
    undone = effect.before or replace(effect.after, state=MemoryState.REMOVED)
    return Effect(before=effect.after, after=undone)


def find_staying(effects: Sequence[Effect], conflicts: Collection[str]) -> set[str]:
    """Return the ids of an operation's memories that stay as they are.

    The replacement of a memory that cannot be restored stays, too: otherwise neither text would be live.
    """
    staying = {effect.after.id for effect in effects if effect.after.id in conflicts}
    return staying | {
        effect.after.superseded_by for effect in effects if effect.after.id in staying and effect.after.superseded_by
    } & {effect.after.id for effect in effects}


def describe_staying(
    effects: Sequence[Effect], conflicts: Mapping[str, str], staying: Collection[str] | None = None
) -> str | None:
    """Return why an operation stays in part or as a whole, or None."""
    staying = find_staying(effects, conflicts) if staying is None else staying
    if not staying:
        return None
    first = next(conflicts[effect.after.id] for effect in effects if effect.after.id in conflicts)
    return first if len(effects) == 1 else f"{first} ({len(staying)} of {len(effects)} memories left as they are)"


def _restore_write(uow: UnitOfWork, effect: Effect, current: Memory, recorded: RecordedOperation) -> MemoryWrite:
    restored = plan_restore(effect, current)
    policy = uow.policy_of(recorded.store_id)
    content = leave_out(uow, recorded.store_id, mask_memory(uow, policy, restored.content))
    restored = replace(restored, content=content)  # it may be older than the mask
    is_moved = restored.state is not current.state  # what only gets its clock back stays where it is by now
    return MemoryWrite(
        memory=restored,
        change=_CHANGES.get(restored.state, "restore") if is_moved else "restore",
        dream_id=recorded.dream_id,
        operation_id=recorded.id,
        keeps_text=keeps_text(current, restored),
    )


def _is_merged(effect: Effect, current: Memory) -> bool:
    """Tell whether a memory has a later edit that is merged with the restored text."""
    return current.content != effect.after.content and bool(find_restored_text(effect, current))


def _is_overwritten(uow: UnitOfWork, store_id: str, effect: Effect, current: Memory) -> bool:
    """Tell whether restoring a memory overwrites what an agent or a person wrote since."""
    if current.content == effect.after.content or find_restored_text(effect, current) is not None:
        return False
    read = effect.before.version if effect.before is not None else 0
    history = uow.memories(store_id).find_history(current.id)
    return any(one.dream_id is None and one.version > read for one in history)


def _find_conflicts(
    uow: UnitOfWork,
    recorded: RecordedOperation,
    current: Mapping[str, Memory],
    *,
    force: bool,
    since: str = "the dream",
    merged: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the conflicts by memory id; `force` ignores those with a later edit only."""
    found = {
        effect.after.id: conflict
        for effect in recorded.effects
        if not force and (conflict := decide_undo_conflict(effect, current.get(effect.after.id), since=since))
    }
    impossible = {e.after.id: why for e in recorded.effects if (why := decide_undo_impossible(e, since=since))}
    merged = _find_merged_since(uow, recorded, current) if merged is None else merged
    return {**_find_taken_paths(uow, recorded, current, since), **merged, **found, **impossible}


def _find_merged_since(
    uow: UnitOfWork, recorded: RecordedOperation, current: Collection[str], since: str = "the dream"
) -> dict[str, str]:
    """Return the memories into which another one was merged since: undoing them would lose its text."""
    takings = {
        effect.after.id: VersionToTakeBack(
            version=effect.after.version,
            operation=recorded.id,
            restored=effect.before.version if effect.before is not None else 0,
        )
        for effect in recorded.effects
        if effect.after.id in current and loses_text(effect)
    }
    found = uow.catalog(recorded.store_id).find_merged_since(takings)
    return {
        memory_id: f"{path} was merged into it after {since}; take that back first" for memory_id, path in found.items()
    }


def _find_taken_paths(
    uow: UnitOfWork, recorded: RecordedOperation, current: Mapping[str, Memory], since: str
) -> dict[str, str]:
    """Return the memories whose path is taken by another live memory."""
    mine = {effect.after.id for effect in recorded.effects}
    coming = {
        effect.before.path: effect.after.id
        for effect in recorded.effects
        if effect.before is not None and effect.before.state is MemoryState.LIVE and effect.after.id in current
    }
    holders = uow.memories(recorded.store_id).find_by_paths(coming) if coming else {}
    return {
        coming[path]: f"{path} was written again after {since}"
        for path, holder in holders.items()
        if holder.id not in mine
    }


def _withdraw_suggestions(uow: UnitOfWork, recorded: RecordedOperation) -> None:
    suggested = {(c.source_path, c.target_path) for c in recorded.operation.changes if isinstance(c, SuggestMerge)}
    if suggested:
        merges = uow.merges(recorded.store_id)
        open_merges = [m for m in merges.find_open() if m.suggested_by == recorded.dream_id]
        merges.remove([m for m in open_merges if (m.source_path, m.target_path) in suggested])
