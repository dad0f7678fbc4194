"""Hold an operation for a verdict, in the order in which everything is locked (docs/locks.md)."""

from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation


def lock_operation(uow: UnitOfWork, operation_id: str) -> RecordedOperation:
    """Return an operation as it is once nobody else decides about it, or writes where it would be taken back.

    The tenant's row keeps an undo of its dream away, and retention, which would purge what a rejection brings back.

    Raises:
        NotFoundError: there is no such operation.
    """
    uow.stores.get_tenant(lock=True)
    uow.memories(uow.operations.get(operation_id).store_id).lock(())
    return uow.operations.get(operation_id, lock=True)
