"""What an undo of a very long dream would run into, by looking: no memory is written, and the store is held more briefly.

Each memory is compared with what the dream's last operation on it left. What an undo finds beyond that, such as two of
the dream's own operations in each other's way or a text that was merged in since, it reports when it is done.
"""

from collections.abc import Mapping, Sequence

from shared.core.effect import Effect, decide_undo_conflict, decide_undo_impossible
from shared.core.memory import Memory, MemoryState
from shared.ports.database import UnitOfWork
from shared.ports.dream_book import RecordedOperation


def find_undo_conflicts(uow: UnitOfWork, store_id: str, operations: Sequence[RecordedOperation]) -> list[str | None]:
    """Return for each operation why it would be left alone, or None.

    Args:
        uow: a transaction of the tenant.
        store_id: the dream's store.
        operations: what would be taken back, oldest first.
    """
    last = {effect.after.id: effect for one in operations for effect in one.effects}
    memories = uow.memories(store_id)
    current = memories.lock(list(last)) if last else {}
    conflicts = {
        memory_id: why
        for memory_id, effect in last.items()
        if (why := decide_undo_conflict(effect, current.get(memory_id)))
    }
    conflicts = _find_taken(uow, store_id, operations, current) | conflicts
    return [_conflict_of(one.effects, conflicts) for one in operations]


def _find_taken(
    uow: UnitOfWork, store_id: str, operations: Sequence[RecordedOperation], current: Mapping[str, Memory]
) -> dict[str, str]:
    """Return the memories that would come back to a path although one that the dream did not touch has it by now."""
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
        coming[path]: f"{path} was written anew after the dream"
        for path, holder in holders.items()
        if holder.id not in first
    }


def _conflict_of(effects: Sequence[Effect], conflicts: Mapping[str, str]) -> str | None:
    found = (decide_undo_impossible(effect) or conflicts.get(effect.after.id) for effect in effects)
    return next((why for why in found if why), None)
