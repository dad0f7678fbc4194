"""The store that a shadow is a copy of: what people have decided there holds for the copy, too."""

from sqlalchemy import Connection, Text, bindparam, select
from sqlmodel import col

from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.tenants.shadow import SHADOW_PREFIX, original_name

_MINE = col(StoreRow.tenant_id) == bindparam("tenant", type_=Text)
_NAME = select(col(StoreRow.name)).where(_MINE, col(StoreRow.id) == bindparam("store", type_=Text))
_ID = select(col(StoreRow.id)).where(_MINE, col(StoreRow.name) == bindparam("store_name", type_=Text))


def find_original(connection: Connection, tenant_id: str, store_id: str) -> str | None:
    """Return the id of the store that a shadow is a copy of; None for any other store, which costs no query."""
    if not store_id.startswith(SHADOW_PREFIX):
        return None
    for (name,) in fetch_tuples(connection, _NAME, {"tenant": tenant_id, "store": store_id}):
        for (original,) in fetch_tuples(connection, _ID, {"tenant": tenant_id, "store_name": original_name(name)}):
            return str(original)
    return None
