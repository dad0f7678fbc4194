"""Lock an operation for a verdict, in the common lock order (docs/locks.md)."""

from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation


def lock_operation(uow: UnitOfWork, operation_id: str) -> RecordedOperation:
    """Return an operation with its row, its store and its tenant locked.

    The lock on the tenant's row keeps out an undo of the dream, and retention, which would purge what a rejection
    restores.

    Raises:
        NotFoundError: there is no such operation.
    """
    uow.stores.get_tenant(lock=True)
    uow.memories(uow.operations.get(operation_id).store_id).lock(())
    return uow.operations.get(operation_id, lock=True)
