"""Tenants and stores in PostgreSQL."""

from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, Integer, Text, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.sql.statements import Fixed, execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow
from shared.adapters.postgres.tables.mapping import store_from, tenant_from
from shared.adapters.postgres.tables.stores import Moment, StoreRow, TenantRow
from shared.adapters.postgres.tenants.switches import read_installation
from shared.adapters.ulid_ids import new_id
from shared.core.dream.model import UPKEEP_TRIGGERS
from shared.core.errors import NotFoundError
from shared.core.gates.deferral import Installation
from shared.core.gates.quarantine import TELLING_STATES, EndedDream
from shared.core.policy.policy import Policy
from shared.core.tenants.store import Store, Tenant, check_name
from shared.core.trust.hidden import least_of

#: Written by activity and by checks, never by saving a store that was read a moment ago.
_NOT_SAVED = frozenset(
    {"id", "tenant_id", "name", "curations", "sessions", "pending_tasks", "active_until", "last_activity_at",
     "last_check_at", "last_verdict", "archived_at", "digest_check_at", "compaction_check_at"},
)  # fmt: skip

_TENANT = bindparam("tenant", type_=Text)
_OF_ID = select(TenantRow).where(col(TenantRow.id) == _TENANT)
_GET_TENANT = Fixed("stores.get_tenant", _OF_ID, reason="3 times a dream, and with each check of a store")
_LOCK_TENANT = Fixed(
    "stores.lock_tenant", _OF_ID.with_for_update(key_share=True), reason="with each check of a store, and each claim"
)
_OF_NAME = select(StoreRow).where(
    col(StoreRow.tenant_id) == _TENANT, col(StoreRow.name) == bindparam("store_name", type_=Text)
)
_GET = Fixed("stores.get", _OF_NAME, reason="2 times a dream, and with each request that names a store")
_OF_STORE_ID = select(StoreRow).where(
    col(StoreRow.tenant_id) == _TENANT, col(StoreRow.id) == bindparam("store", type_=Text)
)
_GET_BY_ID = Fixed("stores.read_policy", _OF_STORE_ID, reason="with each operation of a dream")
_LOCK = Fixed(
    "stores.lock",
    _OF_NAME.with_for_update(key_share=True),
    reason="with each check of a store, and each end of a dream",
)
_NEWEST_ENDED = (
    select(col(DreamRow.has_failed), col(DreamRow.reason))
    .where(
        col(DreamRow.tenant_id) == _TENANT,
        col(DreamRow.store_id) == bindparam("store", type_=Text),
        col(DreamRow.state).in_(sorted(TELLING_STATES)),
        ~col(DreamRow.is_dry_run),
        col(DreamRow.trigger).not_in(sorted(UPKEEP_TRIGGERS)),
    )
    .order_by(col(DreamRow.created_at).desc())
    .limit(bindparam("limit", type_=Integer))
)
_ENDED = Fixed("stores.find_ended", _NEWEST_ENDED, reason="twice a dream, and with each check of a store")
_ENDED_SINCE = _NEWEST_ENDED.where(col(DreamRow.finished_at) > bindparam("since", type_=Moment))


def read_policy(connection: Connection, tenant_id: str, store_id: str) -> Policy:
    """Return the policy of a store by its id. Raises NotFoundError."""
    row = fetch_one(connection, _GET_BY_ID, {"tenant": tenant_id, "store": store_id})
    if row is None:
        raise NotFoundError(f"Tenant {tenant_id!r} has no store {store_id!r}")
    return store_from(row).policy


class PostgresStoreRepository:
    """Implements `StoreRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, hidden: Hidden | None = None) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._hidden = hidden
        self._mine = col(StoreRow.tenant_id) == tenant_id

    def ensure_tenant(self) -> Tenant:
        """Return the tenant of this transaction, creating it if needed."""
        values = {"id": check_name("tenant", self._tenant_id)}
        execute(self._connection, insert(TenantRow).values(values).on_conflict_do_nothing())
        return self.get_tenant()

    def get_tenant(self, *, lock: bool = False) -> Tenant:
        """Return the tenant; with `lock` its row is held."""
        query = _LOCK_TENANT if lock else _GET_TENANT
        row = fetch_one(self._connection, query, {"tenant": self._tenant_id})
        if row is None:
            msg = f"There is no tenant {self._tenant_id!r}"
            raise NotFoundError(msg)
        return tenant_from(row)

    def save_tenant(self, tenant: Tenant) -> None:
        """Write a tenant's settings."""
        values = asdict(tenant)
        del values["id"]
        execute(self._connection, update(TenantRow).where(col(TenantRow.id) == self._tenant_id).values(values))

    def get_installation(self) -> Installation:
        """Return the operator's switches for all tenants."""
        return read_installation(self._connection)

    def ensure(self, name: str) -> Store:
        """Return a store by name, made if it is new, with its tenant."""
        self.ensure_tenant()
        values = {"id": new_id("memstore"), "tenant_id": self._tenant_id, "name": check_name("store", name)}
        execute(self._connection, insert(StoreRow).values(values).on_conflict_do_nothing())
        return self.get(name)

    def get(self, name: str, *, lock: bool = False) -> Store:
        """Return a store by name; with `lock` its row is held."""
        values = {"tenant": self._tenant_id, "store_name": name}
        row = fetch_one(self._connection, _LOCK if lock else _GET, values)
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no store {name!r}"
            raise NotFoundError(msg)
        store = store_from(row)
        if self._hidden is not None:
            self._hidden.follow(least_of(store.policy.recall))
        return store

    def find_all(self) -> list[Store]:
        """Return the tenant's stores, ordered by name."""
        rows = fetch(self._connection, select(StoreRow).where(self._mine).order_by(col(StoreRow.name)))
        return [store_from(row) for row in rows]

    def find_ended(self, store_id: str, *, since: datetime | None, limit: int) -> list[EndedDream]:
        """Return how a store's last dreams ended after a moment, newest first."""
        values = {"tenant": self._tenant_id, "store": store_id, "since": since, "limit": limit}
        rows = fetch_tuples(self._connection, _ENDED if since is None else _ENDED_SINCE, values)
        return [EndedDream(has_failed=has_failed, reason=reason) for has_failed, reason in rows]

    def save(self, store: Store) -> None:
        """Write a store's settings and dream state, except the activity counts."""
        values = asdict(replace(store, last_verdict=None))
        kept = {name: value for name, value in values.items() if name not in _NOT_SAVED}
        execute(self._connection, update(StoreRow).where(self._mine, col(StoreRow.id) == store.id).values(kept))
