"""Delete a store for good, with its memories, versions, sessions and dreams. Copies that were made of it stay."""

from shared.core.errors import ServiceUnavailableError, StatementCutError
from shared.counting import count
from shared.ports.database import Database
from shared.services.tenants.stores import check_no_dream
from shared.working import Work, doing

#: A concurrent write can deadlock with the deletion; the retry succeeds.
_TRIES = 5


def delete_store(db: Database, tenant_id: str, store_id: str, *, actor: str) -> dict[str, int]:
    """Delete a store, archived or not, and return the number of rows by table.

    Raises:
        NotFoundError: there is no such store.
        ConflictError: a dream of the store is queued or running.
    """
    for tries_left in reversed(range(_TRIES)):
        try:
            rows = _delete(db, tenant_id, store_id, actor=actor)
            break
        except ServiceUnavailableError as error:
            if not tries_left or isinstance(error, StatementCutError):
                raise
    count("slowwave_stores_deleted_total")
    return rows


def _delete(db: Database, tenant_id: str, store_id: str, *, actor: str) -> dict[str, int]:
    with doing(Work.PURGE), db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # claims take turns by this row, so that no dream can begin meanwhile
        record = uow.store_listing.get(store_id)
        check_no_dream(uow, store_id)
        uow.memories(store_id).lock(())
        rows = uow.purges.delete_store(store_id)
        uow.record_audit(
            actor, "store.delete", store=record.name, rows={table: number for table, number in rows.items() if number}
        )
        return rows
