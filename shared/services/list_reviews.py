"""Operations that wait for a person."""

from shared.ports.database import Database
from shared.ports.dream_book import RecordedOperation


def find_reviews(
    db: Database, tenant_id: str, *, limit: int, store: str | None = None, after: str | None = None
) -> list[RecordedOperation]:
    """Return a tenant's pending reviews, oldest first; those behind `after`, if given. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store).id if store else None
        return uow.operations.find_pending(store_id=store_id, limit=limit, after=after)


def count_reviews(db: Database, tenant_id: str, *, store: str | None = None) -> int:
    """Return how many operations wait for a person. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        if store is None:
            return uow.statistics.count_now().flagged
        return uow.statistics.count_store(uow.stores.get(store).id).to_review


def get_operation(db: Database, tenant_id: str, operation_id: str) -> RecordedOperation:
    """Return one operation. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.operations.get(operation_id)
