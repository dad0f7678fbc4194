"""The filters that persons have kept, of one tenant."""

from sqlalchemy import Connection, Text, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch_tuples
from shared.adapters.postgres.tables.access import SavedFilterRow
from shared.core.listings.saved_filters import FilteredList, SavedFilter

_TENANT, _OWNER, _LIST, _NAME, _QUERY = (
    bindparam(name, type_=Text) for name in ("tenant", "owner", "list", "name", "query")
)
_OF_OWNER = (
    (col(SavedFilterRow.tenant_id) == _TENANT)
    & (col(SavedFilterRow.owner) == _OWNER)
    & (col(SavedFilterRow.list_name) == _LIST)
)
_FIND = select(col(SavedFilterRow.name), col(SavedFilterRow.query)).where(_OF_OWNER).order_by(col(SavedFilterRow.name))
_NEW = insert(SavedFilterRow).values(tenant_id=_TENANT, owner=_OWNER, list_name=_LIST, name=_NAME, query=_QUERY)
_SAVE = _NEW.on_conflict_do_update(
    index_elements=["tenant_id", "owner", "list_name", "name"], set_={"query": _NEW.excluded.query}
)
_DELETE = delete(SavedFilterRow).where(_OF_OWNER, col(SavedFilterRow.name) == _NAME)


class PostgresSavedFilterRepository:
    """Implements `SavedFilterRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_all(self, of: FilteredList, owner: str) -> list[SavedFilter]:
        """Return a person's saved filters of a list, by name."""
        rows = fetch_tuples(self._connection, _FIND, self._keys(of, owner))
        return [SavedFilter(name=name, query=query) for name, query in rows]

    def save(self, of: FilteredList, owner: str, kept: SavedFilter) -> None:
        """Save filters, replacing those of the same name."""
        execute(self._connection, _SAVE, self._keys(of, owner) | {"name": kept.name, "query": kept.query})

    def delete(self, of: FilteredList, owner: str, name: str) -> bool:
        """Delete a filter; return whether there was one."""
        return execute(self._connection, _DELETE, self._keys(of, owner) | {"name": name}) > 0

    def _keys(self, of: FilteredList, owner: str) -> dict[str, object]:
        return {"tenant": self._tenant_id, "owner": owner, "list": str(of)}
