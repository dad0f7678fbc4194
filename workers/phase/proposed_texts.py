"""Find the texts that dreams have proposed for memories: what waits for a review is not proposed a second time."""

from shared.core.dream.model import OperationState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Create, OperationKind, Rewrite
from workers.phase.shape import PhaseContext

_FROM_SESSIONS = (OperationKind.GATHER, OperationKind.CORRECT, OperationKind.INFER)
_MOST_OF_A_KIND = 200


def find_proposed_texts(context: PhaseContext) -> tuple[str, ...]:
    """Return the texts of memories that proposals from sessions would write, at most 200 of each kind, the oldest first."""
    found = (
        recorded
        for kind in _FROM_SESSIONS
        for recorded in context.uow.operations.find_pending(
            store_id=context.store.id,
            only=OperationFilter(kind=kind, state=OperationState.PROPOSED),
            limit=_MOST_OF_A_KIND,
        )
    )
    changes = (change for recorded in found for change in recorded.operation.changes)
    return tuple(change.content for change in changes if isinstance(change, Create | Rewrite))
