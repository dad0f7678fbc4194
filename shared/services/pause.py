"""Pause and resume dreaming: a tenant or one store. Force does not get past it."""

from dataclasses import replace

from shared.ports.database import Database
from shared.services.look_again import look_again


def set_paused(db: Database, tenant_id: str, store_name: str | None, *, paused: bool, actor: str) -> bool:
    """Pause or resume; return whether that changed anything. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        at = uow.now() if paused else None
        if store_name is None:
            tenant = uow.stores.get_tenant(lock=True)
            changed = (tenant.paused_at is not None) != paused
            uow.stores.save_tenant(replace(tenant, paused_at=at))
        else:
            store = uow.stores.get(store_name, lock=True)
            changed = (store.paused_at is not None) != paused
            uow.stores.save(replace(store, paused_at=at))
        if not paused:
            for store in uow.stores.find_all():
                if store_name in {None, store.name}:
                    look_again(uow, store.name)
        uow.record_audit(actor, "pause" if paused else "resume", store=store_name)
        return changed
