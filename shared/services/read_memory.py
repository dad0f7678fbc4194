"""Read one memory by what somebody has of it: its id, or the path of a live one."""

from shared.core.errors import NotFoundError
from shared.core.memory import Memory
from shared.ports.database import Database


def read_memory(db: Database, tenant_id: str, store_name: str, id_or_path: str) -> Memory:
    """Return a memory, live or retired by its id, live by its path. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        found = uow.memories(store_id).find_by_path(id_or_path)
        if found is not None:
            return found
        try:
            return uow.catalog(store_id).get(id_or_path)
        except NotFoundError:
            raise NotFoundError(f"{tenant_id}/{store_name} has no memory {id_or_path!r}") from None
