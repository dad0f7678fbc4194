"""The reviewed state of a store: without the changes of dreams that no person approved.

Every unapproved operation is reverted in memory, newest first, by the rules of an undo; nothing is written. Text of agents and
people counts as approved; if it cannot be separated from a dream's text, the memory is left out with the reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.core.dream.effects import Effect, decide_undo_conflict, decide_undo_impossible, plan_restore
from shared.core.memory.model import Memory, MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedStore:
    """The memories as approved, live and retired, by path; and what is left out, with the reason, by path."""

    memories: tuple[Memory, ...]
    left_out: Mapping[str, str]


def find_reviewed(memories: Iterable[Memory], unapproved: Iterable[tuple[Effect, ...]]) -> ReviewedStore:
    """Return a store without unapproved changes of dreams.

    Args:
        memories: the current memories, live and retired.
        unapproved: the effects of each operation in force that no person approved, newest first.
    """
    found = {memory.id: memory for memory in memories}
    unclear: dict[str, str] = {}
    for effects in unapproved:
        for effect in effects:
            _take_back(effect, found, unclear)
    return _choose_latest(found, unclear)


def _take_back(effect: Effect, found: dict[str, Memory], unclear: dict[str, str]) -> None:
    """Restore one memory as it was before an operation, or note why that is impossible."""
    current = found.get(effect.after.id)
    if effect.after.id in unclear or current is None:
        return
    why = decide_undo_conflict(effect, current) or decide_undo_impossible(effect)
    if why is None:
        found[current.id] = plan_restore(effect, current)
    else:
        unclear[current.id] = "It holds a change that no person has approved, and a later one over it"


def _choose_latest(found: Mapping[str, Memory], unclear: Mapping[str, str]) -> ReviewedStore:
    """Return each path with the memory that was written there last."""
    live: dict[str, Memory] = {}
    left_out: dict[str, str] = {}
    retired = [one for one in found.values() if one.state in {MemoryState.ARCHIVED, MemoryState.SUPERSEDED}]
    for memory in sorted(found.values(), key=lambda one: (one.updated_at, one.id)):
        if memory.state is not MemoryState.LIVE:
            continue
        if memory.id in unclear:
            left_out[memory.path] = unclear[memory.id]
            continue
        live[memory.path] = memory
    shown = [*live.values(), *(one for one in retired if one.id not in unclear)]
    return ReviewedStore(
        memories=tuple(sorted(shown, key=lambda one: (one.path, one.id))),
        left_out={path: why for path, why in sorted(left_out.items()) if path not in live},
    )
