"""Plan compaction: durable memories that were not read are archived within the loss cap, and can be restored."""

from collections.abc import Sequence

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Skip
from shared.core.memory.model import MemoryState
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from shared.core.upkeep.maintenance import CHANGES_AN_OPERATION, Subject
from workers.phases.compact import NAME


def plan_compaction(unused: Sequence[Subject], policy: Policy, loss: LossBudget) -> Plan:
    """Return COMPACT operations for as many memories as may be retired, stalest first; the rest waits for a later dream."""
    taken = unused[: loss.left]
    retired = [
        Retire(
            memory_id=one.id,
            version=one.version,
            path=one.path,
            state=MemoryState.ARCHIVED,
            stub_chars=policy.prune.stub_chars,
        )
        for one in taken
    ]
    why = f"durable tier, no access, untouched for more than {policy.compaction.unused_days:g} days"
    operations = tuple(
        Operation(
            kind=OperationKind.COMPACT,
            phase=NAME,
            reason=f"Archive {len(part)}: {why}",
            changes=part,
            needs_review=True,
        )
        for part in _parts(retired)
    )
    left = len(unused) - len(taken)
    detail = (
        f"loss cap: this dream may retire {loss.allowed} memories; {left} wait for a later one (safety.loss_cap_share)"
    )
    return Plan(operations=operations, skips=(Skip(code="loss_cap", detail=detail),) * left)


def _parts(retired: Sequence[Retire]) -> list[tuple[Retire, ...]]:
    starts = range(0, len(retired), CHANGES_AN_OPERATION)
    return [tuple(retired[start : start + CHANGES_AN_OPERATION]) for start in starts]
