"""Retention: purge expired rows rule by rule, in batches that hold their locks briefly."""

from datetime import timedelta

from shared.core.policy.retention import RULES, RetentionPolicy, get_retention
from shared.counting import count
from shared.ports.database import Database
from shared.working import Work, doing

#: Rows per transaction, and transactions per rule and pass; the next pass does the rest.
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
    """Purge expired rows and return the counts by rule; with `dry_run` only count the first batch of each rule.

    Raises:
        NotFoundError: there is no such tenant.
        BadInputError: the tenant's own retention contradicts itself or the installation's.
    """
    purged = {rule: _purge(db, tenant_id, defaults, rule, batch=batch, dry_run=dry_run) for rule in RULES}
    if actor and not dry_run:
        with db.transaction(tenant_id) as uow:
            uow.record_audit(actor, "retention.run", rows={rule: rows for rule, rows in purged.items() if rows})
    return purged


def _purge(db: Database, tenant_id: str, defaults: RetentionPolicy, rule: str, *, batch: int, dry_run: bool) -> int:
    total = 0
    for _ in range(1 if dry_run else _ROUNDS):
        with doing(Work.PURGE), db.transaction(tenant_id) as uow:
            # The row is locked as by a claim or an undo, so that neither begins between the check and the delete.
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
