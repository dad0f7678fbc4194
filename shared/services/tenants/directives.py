"""The directives of a tenant and of its stores: custom prompts for phases. Every change is a version and an audit entry."""

import hashlib

from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.errors import NotFoundError
from shared.core.questions.directives import Directive, check_directive
from shared.ports.database import Database, UnitOfWork


def set_directive(
    db: Database, tenant_id: str, name: str, content: str | None, *, phases: PhaseCatalog, actor: str, store: str = ""
) -> Directive:
    """Append a version of a directive and return it; None resets it.

    Without a store's directive (`store` names it) its tenant's applies, and without a tenant's the built-in prompt.

    Raises:
        BadInputError: there is no such directive, or its text is empty or too long.
        NotFoundError: there is no such tenant or store.
    """
    check_directive(phases.directives, name, content)
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises concurrent changes
        _check_store(uow, store)
        current = uow.directives.find_current(store).get(name)
        if (current.content if current else None) == content and current is not None:
            return current
        made = uow.directives.add(name, content, actor=actor, store=store)
        digest = hashlib.sha256(content.encode()).hexdigest() if content else None
        action = "directive.set" if content else "directive.reset"
        whose = {"store": store} if store else {}
        uow.record_audit(actor, action, name=name, version=made.version, sha256=digest, **whose)
        return made


def _check_store(uow: UnitOfWork, store: str) -> None:
    """Raise NotFoundError unless there is such a tenant, and such a store when one is named."""
    uow.stores.get_tenant()
    if store:
        uow.stores.get(store)


def reset_directive(
    db: Database, tenant_id: str, name: str, *, phases: PhaseCatalog, actor: str, store: str = ""
) -> Directive | None:
    """Reset a directive; return None if there never was one. Raises as `set_directive` does."""
    check_directive(phases.directives, name)
    with db.transaction(tenant_id) as uow:
        _check_store(uow, store)
        current = uow.directives.find_current(store).get(name)
    if current is None or current.content is None:
        return current
    return set_directive(db, tenant_id, name, None, phases=phases, actor=actor, store=store)


def find_directives(db: Database, tenant_id: str, phases: PhaseCatalog, store: str = "") -> dict[str, Directive | None]:
    """Return the newest version of every directive; None where the tenant, or the store, never set one.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    with db.transaction(tenant_id) as uow:
        _check_store(uow, store)
        current = uow.directives.find_current(store)
    return {name: current.get(name) for name in phases.directives}


def find_directive_versions(
    db: Database,
    tenant_id: str,
    name: str,
    phases: PhaseCatalog,
    *,
    store: str = "",
    below: int | None = None,
    limit: int | None = None,
) -> list[Directive]:
    """Return a directive's versions, newest first, at most `limit` with numbers below one.

    Raises:
        NotFoundError: there is no such directive, tenant or store.
    """
    check_name(name, phases)
    with db.transaction(tenant_id) as uow:
        _check_store(uow, store)
        return uow.directives.find_versions(name, store=store, below=below, limit=limit)


def check_name(name: str, phases: PhaseCatalog) -> None:
    """Raise NotFoundError if no phase has a directive of this name."""
    if name not in phases.directives:
        raise NotFoundError(f"There is no directive {name!r}; there are {', '.join(phases.directives)}")
