"""Clear verdicts: dreams may again propose operations that a person rejected or undid."""

from shared.ports.database import Database


def clear_verdicts(db: Database, tenant_id: str, store_name: str, *, actor: str) -> int:
    """Let the next dream repeat operations that were rejected or undone; return the number of these operations.

    Raises:
        NotFoundError: there is no such store.
    """
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        cleared = uow.verdicts(store.id).clear()
        uow.asked(store.id).delete_all()
        uow.record_audit(actor, "verdicts.clear", store=store_name, cleared=cleared)
        return cleared
