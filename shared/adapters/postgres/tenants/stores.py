"""Tenants and stores in PostgreSQL."""

from dataclasses import asdict, replace
from datetime import datetime
from typing import LiteralString

from sqlalchemy import ColumnElement, Connection, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert
from ulid import ULID

from shared.adapters.postgres.sql.statements import Prepared, ask
from shared.adapters.postgres.tables.mapping import DREAMS, STORE_COLUMNS, STORES, TENANTS, store_from, tenant_from
from shared.adapters.postgres.tenants.installation import read_installation
from shared.core.dream.model import UPKEEP_TRIGGERS
from shared.core.errors import NotFoundError
from shared.core.gates.deferral import Installation
from shared.core.gates.quarantine import TELLING_STATES, EndedDream
from shared.core.tenants.store import Store, Tenant, check_name

#: Written by activity and by checks, never by saving a store that was read a moment ago.
_NOT_SAVED = frozenset(
    {"id", "tenant_id", "name", "curations", "sessions", "pending_tasks", "active_until", "last_activity_at",
     "last_check_at", "last_verdict", "archived_at", "digest_check_at", "compaction_check_at"},
)  # fmt: skip

#: Read in nearly every transaction, with and without a lock. NO KEY: what refers to the row may still be written.
_NO_KEY: LiteralString = " FOR NO KEY UPDATE"
_GET_TENANT = [Prepared("SELECT * FROM tenants WHERE id = %(tenant)s", lock) for lock in ("", _NO_KEY)]
_GET: LiteralString = f"SELECT {', '.join(STORE_COLUMNS)} FROM stores WHERE tenant_id = %(tenant)s AND name = %(name)s"  # noqa: S608 - constants
_LOCK: LiteralString = f"{_GET}{_NO_KEY}"
_ENDED = [
    Prepared(
        expression=select(DREAMS.c.has_failed, DREAMS.c.reason)
        .where(
            DREAMS.c.tenant_id == bindparam("tenant"),
            DREAMS.c.store_id == bindparam("store"),
            DREAMS.c.state.in_(sorted(TELLING_STATES)),
            ~DREAMS.c.is_dry_run,
            DREAMS.c.trigger.not_in(sorted(UPKEEP_TRIGGERS)),
            *since,
        )
        .order_by(DREAMS.c.created_at.desc())
        .limit(bindparam("limit"))
    )
    for since in ((), (DREAMS.c.finished_at > bindparam("since"),))
]


class PostgresStoreRepository:
    """Implements `StoreRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    @property
    def _mine(self) -> ColumnElement[bool]:
        return STORES.c.tenant_id == self._tenant_id  # type: ignore[no-any-return] # `table` gives Any

    def ensure_tenant(self) -> Tenant:
        """Return the tenant of this transaction, made if it is new."""
        values = {"id": check_name("tenant", self._tenant_id)}
        self._connection.execute(insert(TENANTS).values(values).on_conflict_do_nothing())
        return self.get_tenant()

    def get_tenant(self, *, lock: bool = False) -> Tenant:
        """Return the tenant; with `lock` its row is held."""
        row = _GET_TENANT[lock].find(self._connection, {"tenant": self._tenant_id})
        if row is None:
            msg = f"There is no tenant {self._tenant_id!r}"
            raise NotFoundError(msg)
        return tenant_from(row)

    def save_tenant(self, tenant: Tenant) -> None:
        """Write a tenant's settings."""
        values = asdict(tenant)
        del values["id"]
        self._connection.execute(update(TENANTS).where(TENANTS.c.id == self._tenant_id).values(values))

    def get_installation(self) -> Installation:
        """Return what an operator has said for all tenants."""
        return read_installation(self._connection)

    def ensure(self, name: str) -> Store:
        """Return a store by name, made if it is new, with its tenant."""
        self.ensure_tenant()
        values = {"id": f"memstore_{ULID()}", "tenant_id": self._tenant_id, "name": check_name("store", name)}
        self._connection.execute(insert(STORES).values(values).on_conflict_do_nothing())
        return self.get(name)

    def get(self, name: str, *, lock: bool = False) -> Store:
        """Return a store by name; with `lock` its row is held."""
        rows = ask(self._connection, _LOCK if lock else _GET, {"tenant": self._tenant_id, "name": name})
        if not rows:
            msg = f"Tenant {self._tenant_id!r} has no store {name!r}"
            raise NotFoundError(msg)
        return store_from(dict(zip(STORE_COLUMNS, rows[0], strict=True)))

    def find_all(self) -> list[Store]:
        """Return the tenant's stores, ordered by name."""
        rows = self._connection.execute(select(STORES).where(self._mine).order_by(STORES.c.name)).mappings()
        return [store_from(row) for row in rows]

    def find_ended(self, store_id: str, *, since: datetime | None, limit: int) -> list[EndedDream]:
        """Return how a store's last dreams ended after a moment, newest first."""
        values = {"tenant": self._tenant_id, "store": store_id, "since": since, "limit": limit}
        rows = _ENDED[since is not None].find_tuples(self._connection, values)
        return [EndedDream(has_failed=has_failed, reason=reason) for has_failed, reason in rows]

    def save(self, store: Store) -> None:
        """Write a store's settings and dream state, except the activity counts."""
        values = asdict(replace(store, last_verdict=None))
        kept = {name: value for name, value in values.items() if name not in _NOT_SAVED}
        self._connection.execute(update(STORES).where(self._mine, STORES.c.id == store.id).values(kept))
