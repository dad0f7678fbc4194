"""Find the memories that this dream has written from sessions: they are news to the phases that follow."""

from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, Create, Rewrite
from workers.phase.shape import PhaseContext


def find_gathered(context: PhaseContext) -> list[str]:
    """Return the paths of memories that were gathered from sessions or corrected by them; costs a query."""
    recorded = context.uow.operations.find_all(context.dream.id)
    applied = [one.operation for one in recorded if one.state is OperationState.APPLIED]
    gathered = [operation for operation in applied if KINDS[operation.kind].brings_knowledge]
    return [
        change.path for operation in gathered for change in operation.changes if isinstance(change, Create | Rewrite)
    ]
