"""Archive unratified preferences: inferred ones that were not recalled, pinned or edited in time."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Skip
from shared.core.learning.preferences import is_tentative
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.loss_cap import LossBudget
from workers.phases.infer_preferences import NAME

_STUB_CHARS = 320


def plan_unratified(waiting: Sequence[Memory], *, days: float, now: datetime, loss: LossBudget) -> Plan:
    """Archive tentative preferences that were not recalled for a number of days, up to today; within the loss cap."""
    operations: list[Operation] = []
    skips: list[Skip] = []
    left: LossBudget | None = loss
    for memory in sorted(waiting, key=lambda one: (one.created_at, one.path)):
        age = now - memory.created_at
        if not is_tentative(memory.path, memory.author, memory.signals) or age <= timedelta(days=days):
            continue
        after = left.take(1) if left is not None else None
        if after is None:
            skips.append(Skip(code="loss_cap", detail=f"{memory.path}: this dream has retired enough"))
            continue
        left = after
        stub = " ".join(body_of(memory.content).replace("#", " ").split())[:_STUB_CHARS]
        change = Retire(
            memory_id=memory.id, version=memory.version, path=memory.path, state=MemoryState.ARCHIVED, stub=stub
        )
        reason = f"unratified: inferred {age.days} days ago and never recalled (limit {days:g} days)"
        operations.append(Operation(kind=OperationKind.UNRATIFY, phase=NAME, reason=reason, changes=(change,)))
    return Plan(operations=tuple(operations), skips=tuple(skips))
