"""Apply a plan: the only way from a phase's wishes to a store. Chunked, fenced, each operation at most once."""

from collections import Counter

from shared.core.dream import OperationState, ReviewState
from shared.core.memory import MemoryState
from shared.core.operation import BULK_KINDS, Operation, OperationKind, Plan, PutBack
from shared.ports.dream_book import RecordedOperation
from shared.services.apply_operation import apply_operation
from workers.phase_work import PhaseWork

#: Operations per transaction: few enough to hold row locks for a moment only, enough to save commits.
_CHUNK = 25


def apply_plan(work: PhaseWork, plan: Plan) -> Counter[str]:
    """Apply what is not recorded yet; return what happened by kind and by state."""
    allowed = [op for op in plan.operations if op.kind in work.phase.may_emit]
    numbered = list(enumerate(allowed))
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        done = uow.operations.find_positions(work.key.dream_id, work.key.phase)
    left = [(position, operation) for position, operation in numbered if position not in done]
    for start in range(0, len(left), _CHUNK):
        _apply_chunk(work, left[start : start + _CHUNK])
    counts = count_recorded(work)
    if len(allowed) < len(plan.operations):
        counts["refused_kind"] += len(plan.operations) - len(allowed)
    return counts


def _apply_chunk(work: PhaseWork, chunk: list[tuple[int, Operation]]) -> None:
    with work.fenced() as uow:
        for position, operation in chunk:
            apply_operation(uow, work.ports.ids, work.dream, operation, position, work.policy.autonomy)


def count_recorded(work: PhaseWork) -> Counter[str]:
    """Count a phase's operations from the log, so that a resumed or failed run counts what was done before, too."""
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        recorded = uow.operations.find_all(work.key.dream_id)
    counts: Counter[str] = Counter()
    for operation in recorded:
        if operation.operation.phase == work.key.phase:
            _count_one(counts, operation)
    return counts


def count_memories(recorded: RecordedOperation) -> int:
    """Return how many an operation counts for: one, or every memory that a bulk operation is about."""
    if recorded.operation.kind not in BULK_KINDS:
        return 1
    is_fold = recorded.operation.kind is OperationKind.FOLD
    return sum(not is_fold or effect.after.state is not MemoryState.LIVE for effect in recorded.effects)


def _count_one(counts: Counter[str], recorded: RecordedOperation) -> None:
    kind = str(recorded.operation.kind)
    if recorded.state is OperationState.APPLIED:
        counts[kind] += count_memories(recorded)
        counts.update(f"put_back_{c.kind}" for c in recorded.operation.changes if isinstance(c, PutBack))
    elif recorded.state is OperationState.PROPOSED:
        counts[f"proposed_{kind}"] += 1
    else:
        counts[f"not_applied_{kind}"] += 1
    if recorded.review is ReviewState.PENDING:
        counts["flagged"] += 1
