"""Delete a tenant with all its data, in one transaction that verifies it: all or nothing."""

from dataclasses import dataclass

from shared.core.dream.model import DreamState
from shared.core.errors import ConflictError, ServiceUnavailableError, StatementCutError
from shared.counting import count
from shared.ports.database import Database
from shared.ports.runtime import DreamLock
from shared.working import Work, doing

#: A concurrent write can deadlock with the deletion; the retry succeeds.
_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The counts of a deletion: rows by table, none of which is left, and keys in Redis (None: Redis did not answer)."""

    tenant: str
    rows: dict[str, int]
    left: int
    keys: int | None


def delete_tenant(db: Database, lock: DreamLock, tenant_id: str, *, actor: str, force: bool = False) -> Erasure:
    """Delete a tenant for good; the installation's audit log keeps its id, the actor and the counts.

    Args:
        db: the database.
        lock: the locks, which hold the tenant's keys in Redis; without an answer these keys expire by themselves.
        tenant_id: the tenant.
        actor: the author, for the audit log.
        force: delete even while a dream is running; its worker's next write is refused.

    Raises:
        NotFoundError: there is no such tenant.
        ConflictError: a dream is running.
    """
    for tries_left in reversed(range(_TRIES)):
        try:
            rows = _erase(db, tenant_id, actor, force=force)
            break
        except ServiceUnavailableError as error:
            if not tries_left or isinstance(error, StatementCutError):
                raise
    count("slowwave_tenants_erased_total")
    return Erasure(tenant=tenant_id, rows=rows, left=0, keys=lock.delete_tenant_keys(tenant_id))


def _erase(db: Database, tenant_id: str, actor: str, *, force: bool) -> dict[str, int]:
    with doing(Work.PURGE), db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)
        running = uow.dreams.find_recent(states=[DreamState.RUNNING], limit=1)
        if running and not force:
            msg = f"{running[0].id} is running: wait, cancel it, or delete with --force, which ends it"
            raise ConflictError(msg)
        return uow.purges.erase_tenant(actor)
