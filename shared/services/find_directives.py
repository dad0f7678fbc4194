"""A tenant's directives: what there is, what is in force, and every version."""

from shared.core.directives import DIRECTIVES, Directive
from shared.core.errors import NotFoundError
from shared.ports.database import Database


def find_directives(db: Database, tenant_id: str) -> dict[str, Directive | None]:
    """Return the newest version of every directive that there is; None where the tenant never set one.

    Raises:
        NotFoundError: there is no such tenant.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        current = uow.directives.find_current()
    return {name: current.get(name) for name in DIRECTIVES}


def find_directive_versions(db: Database, tenant_id: str, name: str) -> list[Directive]:
    """Return a directive's versions, newest first. Raises NotFoundError when there is no such directive or tenant."""
    if name not in DIRECTIVES:
        raise NotFoundError(f"There is no directive {name!r}; there are {', '.join(DIRECTIVES)}")
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        return uow.directives.find_versions(name)
