"""Retention: purge what has aged, rule by rule, in batches that hold locks for a moment only."""

from datetime import timedelta

from shared.core.policy.retention import RULES, RetentionPolicy, get_retention
from shared.counting import count
from shared.ports.database import Database

#: Rows a transaction, and transactions a rule and pass: what is left is the next pass's.
_BATCH, _ROUNDS = 1_000, 50


def purge_expired(
    db: Database,
    tenant_id: str,
    defaults: RetentionPolicy,
    *,
    dry_run: bool = False,
    batch: int = _BATCH,
    actor: str = "",
) -> dict[str, int]:
    """Return by rule how many versions, memories, dreams, … went, or with `dry_run` would go in a first batch.

    Raises:
        NotFoundError: there is no such tenant.
        BadInputError: the tenant's own days contradict each other or those of the installation.
    """
    purged = {rule: _purge(db, tenant_id, defaults, rule, batch=batch, dry_run=dry_run) for rule in RULES}
    if actor and not dry_run:
        with db.transaction(tenant_id) as uow:
            uow.record_audit(actor, "retention.run", rows={rule: rows for rule, rows in purged.items() if rows})
    return purged


def _purge(db: Database, tenant_id: str, defaults: RetentionPolicy, rule: str, *, batch: int, dry_run: bool) -> int:
    total = 0
    for _ in range(1 if dry_run else _ROUNDS):
        with db.transaction(tenant_id) as uow:
            # The row is held as by a claim or an undo, so that neither begins between the look and the delete.
            policy = get_retention(defaults, uow.stores.get_tenant(lock=True).retention)
            now = uow.now()
            purged = uow.purges.purge_aged(
                rule,
                before=now - timedelta(days=getattr(policy, rule)),
                undo_since=now - timedelta(days=policy.undo),
                limit=batch,
                dry_run=dry_run,
            )
        total += purged
        if purged < batch:
            break
    if total and not dry_run:
        count("slowwave_purged_rows_total", total, rule=rule)
    return total
