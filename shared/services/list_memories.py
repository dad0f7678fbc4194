"""Pages of a store's memories."""

from shared.core.memory import Memory, MemoryHead, MemoryState
from shared.ports.database import Database


def find_memory_page(
    db: Database, tenant_id: str, store_name: str, *, prefix: str, after_path: str, limit: int
) -> list[MemoryHead]:
    """Return live memories without their text, by path, behind `after_path`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        catalog = uow.catalog(uow.stores.get(store_name).id)
        return catalog.find_page(prefix=prefix, after_path=after_path, limit=limit)


def find_retired_page(
    db: Database, tenant_id: str, store_name: str, *, state: MemoryState, after_id: str, limit: int
) -> list[Memory]:
    """Return archived or superseded memories by id, behind `after_id`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        retired = uow.memories(uow.stores.get(store_name).id).find_retired()
    found = sorted((one for one in retired if one.state is state and one.id > after_id), key=lambda one: one.id)
    return found[:limit]
