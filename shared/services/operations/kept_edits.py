"""Propose edits again that a forced undo overwrote, so that an agent's or a person's words are never lost.

The edit itself is a version of its memory. The proposal shows both texts and brings the edit back when it is approved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ulid import ULID

from shared.core.dream.effects import Effect, plan_effects
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Create, Operation, OperationKind, Rewrite
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation

PHASE = "undo"
_REASON = "was edited after the dream; a forced undo restored the text from before"


def propose_edits(uow: UnitOfWork, dream: Dream, edited: Sequence[Memory], *, why: str = _REASON) -> tuple[str, ...]:
    """Record a proposal for each memory as it was edited, unless it says the same now; return their ids.

    Args:
        uow: the undo's transaction, after it has restored everything.
        dream: the dream that is undone.
        edited: the memories as they were before they were overwritten; of several for one memory the first counts.
        why: the reason to show after the path.
    """
    first: dict[str, Memory] = {}
    for memory in edited:
        first.setdefault(memory.id, memory)
    current = uow.memories(dream.store_id).lock(list(first)) if first else {}
    return tuple(
        _propose(uow, dream, memory, current, why)
        for memory in first.values()
        if (current[memory.id].state, current[memory.id].content) != (MemoryState.LIVE, memory.content)
    )


def _want(edited: Memory, current: Memory, why: str) -> Operation:
    change: Create | Rewrite
    if current.state is MemoryState.LIVE:
        change = Rewrite(
            memory_id=current.id, version=current.version, path=current.path, content=edited.content,
            signals=current.signals, stays_dirty=True,
        )  # fmt: skip
    else:
        change = Create(path=edited.path, content=edited.content, signals=edited.signals, created_at=edited.created_at)
    return Operation(
        kind=OperationKind.RESTORE_EDIT,
        phase=PHASE,
        reason=f"{edited.path} {why}",
        changes=(change,),
        needs_review=True,
    )


def _propose(uow: UnitOfWork, dream: Dream, edited: Memory, current: Mapping[str, Memory], why: str) -> str:
    operation = _want(edited, current[edited.id], why)
    effects = plan_effects(operation, current, uow.now(), lambda: edited.id)
    recorded = RecordedOperation(
        id=f"op_{ULID()}",
        dream_id=dream.id,
        store_id=dream.store_id,
        position=len(uow.operations.find_all(dream.id, OperationFilter(kind=OperationKind.RESTORE_EDIT))),
        operation=operation,
        state=OperationState.PROPOSED,
        review=ReviewState.PENDING,
        effects=tuple(_as_edited(one, edited) for one in effects),
    )
    uow.operations.record(recorded)
    return recorded.id


def _as_edited(effect: Effect, edited: Memory) -> Effect:
    """Return an effect whose text keeps the writers of the edit: no dream has said it."""
    return replace(effect, after=replace(effect.after, writers=edited.writers))
