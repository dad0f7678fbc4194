"""A page of a store's memories."""

from shared.core.memory import MemoryHead
from shared.ports.database import Database


def find_memory_page(
    db: Database, tenant_id: str, store_name: str, *, prefix: str, after_path: str, limit: int
) -> list[MemoryHead]:
    """Return live memories without their text, by path, behind `after_path`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        catalog = uow.catalog(uow.stores.get(store_name).id)
        return catalog.find_page(prefix=prefix, after_path=after_path, limit=limit)
