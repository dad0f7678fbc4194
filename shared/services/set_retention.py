"""Give a tenant days of its own for how long things are kept."""

from collections.abc import Mapping
from dataclasses import replace

from shared.core.audit import find_changed_keys
from shared.core.retention import RetentionPolicy, get_retention
from shared.ports.database import Database


def set_retention(
    db: Database, tenant_id: str, changes: Mapping[str, int | None], defaults: RetentionPolicy, *, actor: str
) -> RetentionPolicy:
    """Change the days of rules; None takes the installation's again. Raises BadInputError and NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant(lock=True)
        kept = {rule: days for rule, days in tenant.retention.items() if rule not in changes}
        own = kept | {rule: days for rule, days in changes.items() if days is not None}
        policy = get_retention(defaults, own)
        uow.stores.save_tenant(replace(tenant, retention=own))
        uow.record_audit(actor, "tenant.retention", **find_changed_keys({**tenant.retention}, {**own}))
        return policy
