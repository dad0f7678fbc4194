"""Find the texts that dreams have written or proposed for memories: the same words lead to neither a second time."""

from collections.abc import Iterable, Iterator

from shared.core.dream.model import OperationState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Create, OperationKind, Rewrite
from shared.ports.dreams import RecordedOperation
from workers.phase.shape import PhaseContext

_FROM_SESSIONS = (OperationKind.GATHER, OperationKind.CORRECT, OperationKind.INFER)
#: So many changes of a kind are looked through.
MOST_OF_A_KIND = 200
#: An operation in one of these states has been made, whatever a person says of it. An undo has the sessions read again.
_MADE = frozenset({OperationState.APPLIED, OperationState.PROPOSED, OperationState.REJECTED})


def find_proposed_texts(context: PhaseContext) -> tuple[str, ...]:
    """Return the texts of memories that proposals from sessions would write, at most 200 of each kind, the oldest first."""
    found = (
        recorded
        for kind in _FROM_SESSIONS
        for recorded in context.uow.operations.find_pending(
            store_id=context.store.id,
            only=OperationFilter(kind=kind, state=OperationState.PROPOSED),
            limit=MOST_OF_A_KIND,
        )
    )
    return tuple(_written_by(found))


def find_made_texts(context: PhaseContext) -> Iterator[tuple[str, str]]:
    """Yield the texts from sessions that are not live and yet not to be made again, each behind what it is called in a sentence.

    They are those that people rejected, and those of the last dream, which may have left a question open that is asked again: a
    person may have archived or changed a memory of it since.
    """
    verdicts, last = context.uow.verdicts(context.store.id), context.store.last_dream_id
    for kind in _FROM_SESSIONS:
        for verdict, effects in verdicts.find_refused(kind, MOST_OF_A_KIND):
            if verdict.state is OperationState.REJECTED:
                yield from (("a change that a person rejected", effect.after.content) for effect in effects)
        recorded = context.uow.operations.find_all(last, OperationFilter(kind=kind)) if last else ()
        yield from (("the dream before", text) for text in _written_by(one for one in recorded if one.state in _MADE))


def _written_by(recorded: Iterable[RecordedOperation]) -> Iterator[str]:
    changes = (change for one in recorded for change in one.operation.changes)
    return (change.content for change in changes if isinstance(change, Create | Rewrite))
