"""Find what this dream has done so far: phases that follow look at it."""

from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, Create, Rewrite
from shared.core.evaluation.around_dream import Touched
from workers.phase.shape import PhaseContext


def find_gathered(context: PhaseContext) -> list[str]:
    """Return the paths of memories that were gathered from sessions or corrected by them; costs a query."""
    recorded = context.uow.operations.find_all(context.dream.id)
    applied = [one.operation for one in recorded if one.state is OperationState.APPLIED]
    gathered = [operation for operation in applied if KINDS[operation.kind].brings_knowledge]
    return [
        change.path for operation in gathered for change in operation.changes if isinstance(change, Create | Rewrite)
    ]


def find_touched(context: PhaseContext) -> tuple[Touched, ...]:
    """Return the operations in force (in a dry run: the planned ones), oldest first; none if no knowledge could be lost by them."""
    wanted = OperationState.SKIPPED if context.dream.is_dry_run else OperationState.APPLIED
    recorded = [op for op in context.uow.operations.find_all(context.dream.id) if op.state is wanted and op.effects]
    if not any(KINDS[op.operation.kind].is_probed for op in recorded):
        return ()
    return tuple(Touched.of(op.id, op.operation.kind, op.effects) for op in recorded)
