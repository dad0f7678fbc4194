"""Settings of tenants and stores, checked before they are written, and audited."""

from collections.abc import Mapping
from dataclasses import replace

from shared.core.policy import Autonomy
from shared.core.profiles import get_policy
from shared.core.store import Store, Tenant
from shared.ports.database import Database


def configure_store(
    db: Database,
    tenant_id: str,
    store_name: str,
    *,
    profile: str | None,
    autonomy: Autonomy | None,
    overrides: Mapping[str, object],
    actor: str,
) -> Store:
    """Change what is given, leave the rest. Raises BadInputError for an unknown profile, key or value."""
    with db.transaction(tenant_id) as uow:
        store = uow.stores.ensure(store_name)
        changed = replace(
            store,
            profile=profile or store.profile,
            autonomy=autonomy or store.autonomy,
            overrides={**store.overrides, **overrides},
        )
        get_policy(changed.profile, changed.overrides, changed.autonomy)
        uow.stores.save(changed)
        uow.record_audit(
            actor, "store.configure", store=store_name, profile=profile, autonomy=autonomy, overrides=dict(overrides)
        )
        return uow.stores.get(store_name)


def configure_tenant(
    db: Database,
    tenant_id: str,
    *,
    max_concurrent_dreams: int | None,
    tokens_per_day: int | None,
    llm: Mapping[str, str],
    actor: str,
) -> Tenant:
    """Change what is given, leave the rest; the tenant is made if it is new."""
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.ensure_tenant()
        changed = replace(
            tenant,
            max_concurrent_dreams=max_concurrent_dreams or tenant.max_concurrent_dreams,
            tokens_per_day=tenant.tokens_per_day if tokens_per_day is None else tokens_per_day,
            llm={**tenant.llm, **llm},
        )
        uow.stores.save_tenant(changed)
        uow.record_audit(actor, "tenant.configure", max_concurrent=max_concurrent_dreams, per_day=tokens_per_day)
        return changed
