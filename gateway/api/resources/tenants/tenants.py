"""Create, list and configure tenants, for operators."""

from contextlib import suppress

from fastapi import APIRouter, Response

from gateway.api.http.auth import Caller, Operator
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.http.parameters import TenantName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.tenants import TenantIn, TenantOut, TenantPatch, changes_of, tenant_out
from shared.core.errors import ConflictError, NotFoundError
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.write import ensure_store
from shared.services.tenants.configure import configure_tenant
from shared.services.tenants.pause import set_defer, set_paused
from shared.services.tenants.stores import get_tenant

router = APIRouter(prefix="/api/tenants", tags=["tenants"], route_class=OneThreadRoute)


@router.get("", responses=answers(), summary="List tenants")
def list_all(caller: Operator, limit: Limit = 50, cursor: Cursor = None) -> Page[TenantOut]:
    """List all tenants by id."""
    found = caller.ports.db.sweeps.find_tenants(after=decode_cursor(cursor) or "", limit=limit + 1)
    shown, following = page_of(found, limit, str)
    return Page(data=[tenant_out(get_tenant(caller.ports.db, one)) for one in shown], next_cursor=following)


@router.post("", status_code=201, response_model=TenantOut, responses=answers(409), summary="Make a tenant")
def create(body: TenantIn, caller: Operator, once: Idempotent) -> Response:
    """Create a tenant with a store named `default`, as the command line does; 409 if the id is taken."""

    def produce() -> TenantOut:
        with suppress(NotFoundError):
            raise ConflictError(f"Tenant {get_tenant(caller.ports.db, body.id).id} exists already")
        made = _configure(caller, body.id, body)  # first, since it refuses what is wrong
        ensure_store(caller.ports.db, body.id, DEFAULT_STORE, actor=caller.actor)
        return made

    return once.answer(caller, 201, produce)


@router.get("/{tenant}", responses=answers(), summary="Get a tenant")
def get(tenant: TenantName, caller: Operator) -> TenantOut:
    """Return a tenant's limits and settings."""
    return tenant_out(get_tenant(caller.ports.db, tenant))


@router.patch("/{tenant}", responses=answers(), summary="Set a tenant")
def change(tenant: TenantName, body: TenantPatch, caller: Operator) -> TenantOut:
    """Change a tenant's limits and settings; omitted fields stay."""
    get_tenant(caller.ports.db, tenant)
    return _configure(caller, tenant, body)


@router.post("/{tenant}/pause", response_model=TenantOut, responses=answers(409), summary="Pause a tenant")
def pause(tenant: TenantName, caller: Operator, once: Idempotent) -> Response:
    """Pause all dreams of a tenant; running dreams finish."""
    return once.answer(caller, 200, lambda: _pause(caller, tenant, paused=True))


@router.post("/{tenant}/resume", response_model=TenantOut, responses=answers(409), summary="Resume a tenant")
def resume(tenant: TenantName, caller: Operator, once: Idempotent) -> Response:
    """Let a tenant dream again."""
    return once.answer(caller, 200, lambda: _pause(caller, tenant, paused=False))


def _pause(caller: Caller, tenant: str, *, paused: bool) -> TenantOut:
    set_paused(caller.ports.db, tenant, None, paused=paused, actor=caller.actor)
    return tenant_out(get_tenant(caller.ports.db, tenant))


def _configure(caller: Caller, tenant: str, wanted: TenantPatch) -> TenantOut:
    db = caller.ports.db
    configure_tenant(db, tenant, changes=changes_of(wanted), actor=caller.actor)
    if wanted.defer_percent is not None:
        set_defer(db, tenant, wanted.defer_percent, actor=caller.actor)
    return tenant_out(get_tenant(db, tenant))
