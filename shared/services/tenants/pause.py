"""Pause, resume and defer dreaming, for the installation, a tenant or a store. Force skips a deferral, never a pause."""

from dataclasses import replace

from shared.core.gates.deferral import check_percent
from shared.core.tenants.audit import as_change
from shared.ports.database import Database
from shared.services.dreams.next_check import schedule_next_check
from shared.services.dreams.quarantine import forgive_store, tell_paused


def set_all_paused(db: Database, *, paused: bool, actor: str = "operator") -> bool:
    """Pause or resume the whole installation; return whether that changed anything.

    Running dreams finish. Due stores stay due, so that they are checked right after the pause.
    """
    return db.installation.set_paused(paused=paused, actor=actor)


def set_defer(db: Database, tenant_id: str | None, percent: int, *, actor: str) -> None:
    """Defer a share of due stores, of a tenant or of all. Raises BadInputError and NotFoundError."""
    if tenant_id is None:
        db.installation.set_defer(percent, actor=actor)
        return
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant(lock=True)
        uow.stores.save_tenant(replace(tenant, defer_percent=check_percent(percent)))
        uow.record_audit(actor, "defer", percent=as_change(tenant.defer_percent, percent))


def set_paused(db: Database, tenant_id: str, store_name: str | None, *, paused: bool, actor: str) -> bool:
    """Pause, or resume and lift quarantines; return whether that changed anything. Raises NotFoundError."""
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
        for store in uow.stores.find_all():
            if store_name not in {None, store.name}:
                continue
            if paused:
                tell_paused(uow, store)
            else:
                changed |= forgive_store(uow, store)
                schedule_next_check(uow, store.name)
        uow.record_audit(actor, "pause" if paused else "resume", store=store_name, changed=changed)
        return changed
