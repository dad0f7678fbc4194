"""Approve an operation; one that asks to forget a memory is carried out as forgetting, and not as hiding alone."""

from collections.abc import Iterator

from shared.core.dream.effects import Effect
from shared.core.dream.operations import OperationKind
from shared.core.forgetting.told import find_gone
from shared.core.memory.model import MemoryState
from shared.ports.database import Database
from shared.ports.dreams import RecordedOperation
from shared.ports.runtime import Ids
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import MAX_TEXT_CHARS, Kind, Target
from shared.services.operations.review import approve_operation, get_operation
from shared.services.tenants.stores import check_no_dream


def approve(
    db: Database, ids: Ids, tenant_id: str, operation_id: str, *, actor: str, accepts_change: bool = False
) -> RecordedOperation:
    """Approve an operation, and forget what it asks to forget, which no reopening brings back.

    Raises:
        ConflictError: as `approve_operation` does, and while a dream of the store may read what is to be forgotten.
    """
    is_wish = get_operation(db, tenant_id, operation_id).operation.kind is OperationKind.FORGET
    if is_wish:
        with db.transaction(tenant_id) as uow:
            check_no_dream(uow, uow.operations.get(operation_id).store_id)
    done = approve_operation(db, ids, tenant_id, operation_id, actor=actor, accepts_change=accepts_change)
    for effect in done.effects if is_wish else ():
        for target in _targets_of(effect):
            forget(db, tenant_id, done.store, target, actor=actor)
    return get_operation(db, tenant_id, operation_id) if is_wish else done


def _targets_of(effect: Effect) -> Iterator[Target]:
    """Yield the memory if it goes as a whole, or else the statements that it loses."""
    if effect.after.state is not MemoryState.LIVE:
        yield Target(Kind.MEMORY, effect.after.id)
    elif effect.before is not None:
        gone = sorted(find_gone(effect.before.content, effect.after.content), key=len, reverse=True)
        yield from (Target(Kind.TEXT, one) for one in gone if len(one) <= MAX_TEXT_CHARS)
