"""Show the start page of a tenant, and lead from the bare address to the console."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from gateway.console.pages import page
from gateway.console.views.charts import dreams_chart, memories_chart, tokens_chart
from gateway.console.views.days import DAYS, WEEK, sum_of_week
from gateway.console.visitor import HOME, Reader
from shared.core.tenants.roles import Permission
from shared.services.tenants.overview import find_busiest_lines, get_tenant_overview
from shared.services.webhooks.endpoints import find_endpoints

root_router = APIRouter(include_in_schema=False)
tenant_router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_STORES_SHOWN = 8
_RECENT = 8


@root_router.get("/")
def root() -> Response:
    """Redirect the bare address to the console."""
    return RedirectResponse(HOME, 307)


@tenant_router.get("")
def tenant(request: Request, visitor: Reader) -> Response:
    """Show the state of a tenant: its dreams, pending reviews and cost."""
    db = visitor.ports.db
    overview = get_tenant_overview(db, visitor.tenant_id, days=DAYS, recent=_RECENT)
    days = overview.line.days
    return page(
        request,
        visitor,
        "tenants/overview.html",
        overview=overview,
        counts=overview.line.counts,
        partial=sum_of_week(days, "partial"),
        failed=sum_of_week(days, "error"),
        today=days[-1],
        week=days[-WEEK].day,
        charts=(dreams_chart(days), memories_chart(days), tokens_chart(days)),
        hooks=find_endpoints(db, visitor.tenant_id) if visitor.session.may(Permission.ADMINISTER) else None,
        stores=find_busiest_lines(db, visitor.tenant_id, limit=_STORES_SHOWN),
    )
