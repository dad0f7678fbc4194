"""Read and set a tenant's own settings: time zone, quiet hours, language and retention."""

from fastapi import APIRouter

from gateway.api.http.auth import Administrator, Reader
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.tenants import (
    ClockPatch,
    RetentionOut,
    RetentionPatch,
    TenantOut,
    changes_of,
    retention_out,
    tenant_out,
)
from shared.core.policy.retention import get_retention
from shared.services.tenants.configure import configure_tenant, set_retention
from shared.services.tenants.stores import get_tenant

router = APIRouter(prefix="/api", tags=["settings"], route_class=OneThreadRoute)


@router.get("/settings", responses=answers(), summary="Get the tenant's settings")
def get(caller: Reader) -> TenantOut:
    """Return the settings and limits of the key's tenant."""
    return tenant_out(get_tenant(caller.ports.db, caller.tenant_id))


@router.patch("/settings", responses=answers(), summary="Set the tenant's time zone and language")
def change(body: ClockPatch, caller: Administrator) -> TenantOut:
    """Change time zone, quiet hours and language. Only operators set limits, under `/api/tenants`."""
    get_tenant(caller.ports.db, caller.tenant_id)
    return tenant_out(configure_tenant(caller.ports.db, caller.tenant_id, changes=changes_of(body), actor=caller.actor))


@router.get("/retention", responses=answers(), summary="Get the retention periods")
def get_days(caller: Reader) -> RetentionOut:
    """Return the days of every retention rule."""
    own = get_tenant(caller.ports.db, caller.tenant_id).retention
    return retention_out(get_retention(caller.ports.settings.retention, own), own)


@router.patch("/retention", responses=answers(), summary="Set the retention periods")
def change_days(body: RetentionPatch, caller: Administrator) -> RetentionOut:
    """Set the tenant's own retention days. Data that an undo in its window needs is always kept."""
    defaults, db = caller.ports.settings.retention, caller.ports.db
    policy = set_retention(db, caller.tenant_id, body.days, defaults, actor=caller.actor)
    return retention_out(policy, get_tenant(db, caller.tenant_id).retention)
