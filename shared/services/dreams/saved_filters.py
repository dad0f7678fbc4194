"""Save a person's filters of a list under a name."""

from shared.core.errors import ConflictError, NotFoundError
from shared.core.listings.saved_filters import MAX_SAVED, FilteredList, SavedFilter, check_saved_filter
from shared.ports.database import Database


def save_filter(db: Database, tenant_id: str, of: FilteredList, wanted: SavedFilter, *, owner: str) -> None:
    """Save a person's filters of a list, replacing those of the same name.

    Args:
        db: the database.
        tenant_id: whose list it is.
        of: the list.
        wanted: the name and the filters.
        owner: the person or key, as the audit log names them.

    Raises:
        BadInputError: the name or the filters cannot be kept.
        ConflictError: the person has the maximum number of filters.
    """
    check_saved_filter(wanted)
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises concurrent requests, so that the maximum holds
        names = {one.name for one in uow.saved_filters.find_all(of, owner)} | {wanted.name}
        if len(names) > MAX_SAVED:
            raise ConflictError(f"You have {MAX_SAVED} saved filters of this list; delete one first")
        uow.saved_filters.save(of, owner, wanted)
        uow.record_audit(owner, "filter.save", list=of, name=wanted.name)


def find_filters(db: Database, tenant_id: str, of: FilteredList, *, owner: str) -> list[SavedFilter]:
    """Return a person's saved filters of a list, by name."""
    with db.transaction(tenant_id) as uow:
        return uow.saved_filters.find_all(of, owner)


def delete_filter(db: Database, tenant_id: str, of: FilteredList, name: str, *, owner: str) -> None:
    """Delete a person's saved filter. Raises NotFoundError if there is none of that name."""
    with db.transaction(tenant_id) as uow:
        if not uow.saved_filters.delete(of, owner, name):
            raise NotFoundError("There is no such saved filter")
        uow.record_audit(owner, "filter.delete", list=of, name=name)
