"""Open the settings, servers (joined, or started while the command runs) and ports of a command.

Tenants and stores that a command names: an error for a missing one suggests the name that was probably meant.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from gateway.cli.console.output import warn
from gateway.variables import find_similar
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_control_app, make_ports
from shared.core.errors import NotFoundError
from shared.core.tenants.store import check_name
from shared.ports.database import Database
from shared.settings import Settings, load_settings

_SHOWN = 5
_DREAM = "drm_"


def check_known(db: Database, tenant: str, store: str | None = None) -> None:
    """Raise NotFoundError, with advice, if the tenant does not exist or has no such store."""
    if not _is_there(db, tenant):
        raise NotFoundError(_no_tenant(db, tenant))
    if store is None:
        return
    with db.transaction(tenant) as uow:
        stores = [found.name for found in uow.stores.find_all()]
    if store not in stores:
        there = ", ".join(stores[:_SHOWN]) + (" …" if len(stores) > _SHOWN else "") or "none yet"
        msg = (
            f"Tenant {tenant!r} has no store {store!r}{_meant(store, stores)} It has {there}. "
            f"`slowwave stores create {tenant}/{store}` creates it."
        )
        raise NotFoundError(msg)


def warn_of_new(db: Database, tenant: str) -> None:
    """Warn that an import is about to create a tenant: a mistyped name would go unnoticed."""
    if not _is_there(db, tenant):
        meant = _meant(tenant, db.sweeps.find_tenants())
        warn(f"Tenant {tenant!r} is new{meant} `slowwave tenants delete {tenant}` deletes it again.")


def _is_there(db: Database, tenant: str) -> bool:
    try:
        with db.transaction(check_name("tenant", tenant)) as uow:
            uow.stores.get_tenant()
    except NotFoundError:
        return False
    return True


def _no_tenant(db: Database, tenant: str) -> str:
    if tenant.startswith(_DREAM):
        return f"{tenant} is a dream; name its tenant first: `slowwave dreams show TENANT {tenant}`"
    meant = _meant(tenant, db.sweeps.find_tenants())
    return f"There is no tenant {tenant!r}{meant} `slowwave tenants create {tenant}` creates it."


def _meant(name: str, names: list[str]) -> str:
    similar = find_similar(name, names)
    return f"; did you mean {similar!r}?" if similar else "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Settings with every URL set, and the ports made from them."""

    settings: Settings
    ports: Ports
    is_embedded: bool  # the servers are slowwave's own, so that a worker of this machine is wanted, too


@contextmanager
def open_session(
    settings: Settings | None = None, *, tenant: str | None = None, store: str | None = None
) -> Iterator[Session]:
    """Connect to the servers, or start them for this command. Raises their error if that fails.

    Args:
        settings: by default those of the environment.
        tenant: must exist; otherwise NotFoundError suggests a similar name.
        store: must be one of the tenant's.
    """
    wanted = settings or load_settings()
    with local_servers(wanted) as found, ExitStack() as closing:
        ports = make_ports(found, lambda: closing.enter_context(make_control_app(found)), on_first_use=True)
        closing.callback(ports.close)
        if tenant is not None:
            check_known(ports.db, tenant, store)
        yield Session(settings=found, ports=ports, is_embedded=wanted.is_embedded)
