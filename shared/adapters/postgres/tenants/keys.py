"""API keys in PostgreSQL."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select, text, update

from shared.adapters.postgres.tables.access import ApiKeyRow
from shared.adapters.postgres.tables.mapping import table
from shared.core.errors import NotFoundError
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Role
from shared.ports.tenants import FoundKey

KEYS = table(ApiKeyRow)
_FIXED = frozenset({"id", "tenant_id", "created_at", "last_used_at"})
_USE_EVERY = timedelta(minutes=1)


def find_key(connection: Connection, key_id: str) -> FoundKey:
    """Return a key of any tenant by its id, and the database's time, in one round trip."""
    query = text("SELECT now() AS time_now, k.* FROM (SELECT 1) one LEFT JOIN slowwave_find_api_key(:id) k ON true")
    row = connection.execute(query, {"id": key_id}).mappings().one()
    found = {name: value for name, value in row.items() if name != "time_now"}
    return FoundKey(key=_key_from(found) if found["id"] is not None else None, now=row["time_now"])


class PostgresKeyRepository:
    """Implements `KeyRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = KEYS.c.tenant_id == tenant_id

    def add(self, key: ApiKey) -> None:
        """Insert a key."""
        values = {name: value for name, value in asdict(key).items() if name != "created_at"}
        self._connection.execute(insert(KEYS).values(values | {"tenant_id": self._tenant_id}))

    def get(self, key_id: str) -> ApiKey:
        """Return a key, held until the transaction ends."""
        query = select(KEYS).where(self._mine, KEYS.c.id == key_id).with_for_update()
        row = self._connection.execute(query).mappings().first()
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no key {key_id!r}"
            raise NotFoundError(msg)
        return _key_from(row)

    def find_all(self) -> list[ApiKey]:
        """Return the tenant's keys, newest first."""
        query = select(KEYS).where(self._mine).order_by(KEYS.c.created_at.desc(), KEYS.c.id.desc())
        return [_key_from(row) for row in self._connection.execute(query).mappings()]

    def save(self, key: ApiKey) -> None:
        """Write a key's hashes and times."""
        values = {name: value for name, value in asdict(key).items() if name not in _FIXED}
        self._connection.execute(update(KEYS).where(self._mine, KEYS.c.id == key.id).values(values))

    def record_use(self, key_id: str) -> None:
        """Remember that a key was used just now; at most one write a minute."""
        is_old = or_(KEYS.c.last_used_at.is_(None), KEYS.c.last_used_at < func.now() - _USE_EVERY)
        self._connection.execute(
            update(KEYS).where(self._mine, KEYS.c.id == key_id, is_old).values(last_used_at=func.now())
        )


def _key_from(row: Mapping[Any, Any]) -> ApiKey:
    return ApiKey(**{**row, "role": Role(row["role"])})
