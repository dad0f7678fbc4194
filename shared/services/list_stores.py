"""A tenant's stores, and one of them; and for operators the tenants themselves."""

from shared.core.store import Store, Tenant
from shared.ports.database import Database


def find_stores(db: Database, tenant_id: str) -> list[Store]:
    """Return a tenant's stores, ordered by name."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.find_all()


def get_store(db: Database, tenant_id: str, store_name: str) -> Store:
    """Return a store. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.get(store_name)


def get_tenant(db: Database, tenant_id: str) -> Tenant:
    """Return a tenant. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.get_tenant()
