"""End the proposals that a newer one, or a person's verdict, has made superfluous: of one kind, for the same memories."""

from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Edit
from shared.core.dream.verdicts import is_equal
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation

_MOST = 100


def end_equals(uow: UnitOfWork, recorded: RecordedOperation, why: str, *, by: str) -> None:
    """Close the proposals of other dreams that wait for the same verdict as this one, with the reason as their note.

    Args:
        uow: a transaction that holds the store's lock.
        recorded: the operation that stays; nothing is closed unless it was a proposal.
        why: the reason, before that operation's id.
        by: who closes them.
    """
    memory_id = min((one.memory_id for one in recorded.operation.changes if isinstance(one, Edit)), default=None)
    if memory_id is None or recorded.state is not OperationState.PROPOSED:
        return
    alike = OperationFilter(kind=recorded.operation.kind, state=OperationState.PROPOSED, memory_id=memory_id)
    for one in uow.operations.find_pending(store_id=recorded.store_id, only=alike, limit=_MOST):
        if one.dream_id != recorded.dream_id and is_equal(one.operation, recorded.operation):
            state, review = OperationState.SKIPPED, ReviewState.NONE
            uow.operations.decide(one.id, state=state, review=review, by=by, note=f"{why} {recorded.id}")
