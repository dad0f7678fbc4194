"""Read the audit log: of one tenant, or of all tenants for operators."""

from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.database import Database
from shared.ports.tenants import AuditFilter


def find_audit(
    db: Database, tenant_id: str, wanted: AuditFilter, *, limit: int, start_after: Place | None = None
) -> list[AuditEntry]:
    """Return a tenant's audit entries, newest first. Raises NotFoundError for the tenant."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        return uow.audit.find_page(wanted, start_after=start_after, limit=limit)


def find_audit_of_all(
    db: Database, wanted: AuditFilter, *, limit: int, start_after: Place | None = None
) -> list[AuditEntry]:
    """Return the audit entries of all tenants and of the installation (`installation.…`), newest first."""
    return db.installation.find_audit(wanted, start_after=start_after, limit=limit)
