"""API keys in PostgreSQL."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Text, bindparam, func, insert, literal_column, or_, select, true, update
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one
from shared.adapters.postgres.tables.access import ApiKeyRow
from shared.core.errors import NotFoundError
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Role
from shared.ports.tenants import FoundKey

_FIXED = frozenset({"id", "tenant_id", "created_at", "last_used_at"})
_USE_EVERY = timedelta(minutes=1)
_FOUND = func.slowwave_find_api_key(bindparam("id", type_=Text)).table_valued(*ApiKeyRow.model_fields).alias("found")
#: Always one row, with the time, even if there is no such key.
_FIND = select(func.now().label("time_now"), *_FOUND.c).select_from(
    select(literal_column("1")).subquery("one").outerjoin(_FOUND, true())
)


def find_key(connection: Connection, key_id: str) -> FoundKey:
    """Return a key of any tenant by its id, and the database's time, in one round trip."""
    row = fetch(connection, _FIND, {"id": key_id})[0]
    found = {name: value for name, value in row.items() if name != "time_now"}
    return FoundKey(key=_key_from(found) if found["id"] is not None else None, now=row["time_now"])


class PostgresKeyRepository:
    """Implements `KeyRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = col(ApiKeyRow.tenant_id) == tenant_id

    def add(self, key: ApiKey) -> None:
        """Insert a key."""
        values = {name: value for name, value in asdict(key).items() if name != "created_at"}
        execute(self._connection, insert(ApiKeyRow).values(values | {"tenant_id": self._tenant_id}))

    def get(self, key_id: str) -> ApiKey:
        """Return a key, held until the transaction ends."""
        query = select(ApiKeyRow).where(self._mine, col(ApiKeyRow.id) == key_id).with_for_update()
        row = fetch_one(self._connection, query)
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no key {key_id!r}"
            raise NotFoundError(msg)
        return _key_from(row)

    def find_all(self) -> list[ApiKey]:
        """Return the tenant's keys, newest first."""
        query = select(ApiKeyRow).where(self._mine).order_by(col(ApiKeyRow.created_at).desc(), col(ApiKeyRow.id).desc())
        return [_key_from(row) for row in fetch(self._connection, query)]

    def save(self, key: ApiKey) -> None:
        """Write a key's hashes and times."""
        values = {name: value for name, value in asdict(key).items() if name not in _FIXED}
        execute(self._connection, update(ApiKeyRow).where(self._mine, col(ApiKeyRow.id) == key.id).values(values))

    def record_use(self, key_id: str) -> None:
        """Record that a key was used just now, with at most one write per minute."""
        is_old = or_(col(ApiKeyRow.last_used_at).is_(None), col(ApiKeyRow.last_used_at) < func.now() - _USE_EVERY)
        execute(
            self._connection,
            update(ApiKeyRow).where(self._mine, col(ApiKeyRow.id) == key_id, is_old).values(last_used_at=func.now()),
        )


def _key_from(row: Mapping[Any, Any]) -> ApiKey:
    return ApiKey(**{**row, "role": Role(row["role"])})
