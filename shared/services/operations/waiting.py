"""Find what waits for a person: the open questions about memories; and end what is superfluous by now.

A question ends as moot when a later change settles it, and a proposal when a newer one, or a person's verdict, is for the same memories.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Edit, Flag, named_paths
from shared.core.dream.replan import find_live, find_settled
from shared.core.dream.verdicts import is_equal
from shared.core.memory.model import Memory, MemoryState
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation

_MOST = 100
_MOST_QUESTIONS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A flag that waits for a person: its operation, the paths of the memories that it is about, and what it says."""

    id: str
    paths: tuple[str, ...]
    question: str


def find_open_questions(uow: UnitOfWork, store_id: str, memory: Memory | None = None) -> tuple[OpenQuestion, ...]:
    """Return the questions of a store that wait for a person, at most 1,000, the oldest first; with `memory` those about it."""
    found = []
    for one, flags in _find_flags(uow, store_id):
        paths, asked = named_paths(one.operation), {stated.memory_id for flag in flags for stated in flag.statements}
        if memory is None or memory.path in paths or memory.id in asked:
            found.append(OpenQuestion(id=one.id, paths=paths, question=one.operation.reason))
    return tuple(found)


def get_open_questions(db: Database, tenant_id: str, store_name: str, memory: Memory) -> tuple[OpenQuestion, ...]:
    """Return the questions about a memory that wait for a person. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return find_open_questions(uow, uow.stores.get(store_name).id, memory)


def _find_flags(uow: UnitOfWork, store_id: str) -> Iterator[tuple[RecordedOperation, list[Flag]]]:
    for one in uow.operations.find_flags(store_id, _MOST_QUESTIONS, only_open=True):
        yield one, [change for change in one.operation.changes if isinstance(change, Flag)]


def settle_questions(
    uow: UnitOfWork, store_id: str, written: Collection[str], *, by: str, operation_id: str = "", counts: bool = True
) -> None:
    """End the questions one of whose statements stands as current no more, with what became of it as their note.

    Args:
        uow: the transaction that has written memories.
        store_id: their store.
        written: the ids of those whose texts or states changed, and of those that a new question is about.
        by: who wrote them.
        operation_id: the operation that did it, if one did.
        counts: whether the metric counts them; a preview is rolled back.
    """
    if not written:
        return
    asked = [(one, flag) for one, flags in _find_flags(uow, store_id) for flag in flags if flag.statements]
    current = lock_with_successors(uow, store_id, {stated.memory_id for _, flag in asked for stated in flag.statements})
    where = f" ({operation_id})" if operation_id else ""
    for one, flag in asked:
        homes = {stated.memory_id for stated in flag.statements}
        homes |= {live.id for home in homes if (live := find_live(home, current)) is not None}
        settled = None if homes.isdisjoint(written) else find_settled(flag, current)
        if settled is not None:
            note = f"moot: settled: {settled} on {uow.now().date().isoformat()}{where}"
            uow.operations.decide(one.id, state=OperationState.SKIPPED, review=ReviewState.NONE, by=by, note=note)
            count("slowwave_questions_settled_total", float(counts))


def lock_with_successors(uow: UnitOfWork, store_id: str, memory_ids: Collection[str]) -> dict[str, Memory]:
    """Return memories, and those that hold the knowledge of superseded ones by now, by id."""
    found: dict[str, Memory] = {}
    wanted, asked = set(memory_ids), set[str]()
    while wanted:
        asked |= wanted
        found |= uow.memories(store_id).lock(wanted)
        superseded = (one for one in found.values() if one.state is MemoryState.SUPERSEDED)
        wanted = {one.superseded_by for one in superseded if one.superseded_by} - found.keys() - asked
    return found


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
