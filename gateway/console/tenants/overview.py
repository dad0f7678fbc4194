"""Show the start pages: all tenants for an operator, one tenant for others."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.console.pages import page
from gateway.console.views.charts import dreams_chart, memories_chart, tokens_chart
from gateway.console.visitor import HOME, Reader
from shared.core.tenants.roles import Permission
from shared.ports.tenants import Day
from shared.services.tenants.overview import find_store_lines, find_tenant_lines, get_tenant_overview
from shared.services.webhooks.endpoints import find_endpoints

root_router = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/console", include_in_schema=False)
tenant_router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
DAYS = 14
_WEEK = 7
_TENANTS_ON_A_PAGE = 25
_STORES_SHOWN = 8
_RECENT = 8


@root_router.get("/")
def root() -> Response:
    """Redirect the bare address to the console."""
    return RedirectResponse(HOME, 307)


@router.get("")
def home(
    request: Request,
    visitor: Reader,
    cursor: Cursor = None,
    find: Annotated[str, Query(max_length=128)] = "",
) -> Response:
    """Show all tenants to an operator; redirect others to their own tenant."""
    if not visitor.is_operator:
        return RedirectResponse(f"/console/t/{visitor.tenant_id}", 303)
    after, db = decode_cursor(cursor) or "", visitor.ports.db
    found = db.sweeps.find_tenants(after=after, limit=_TENANTS_ON_A_PAGE + 1, holding=find.replace("\x00", ""))
    shown, following = page_of(found, _TENANTS_ON_A_PAGE, str)
    gauges = {(gauge.name, gauge.state): gauge.value for gauge in db.sweeps.measure()}
    days = db.installation.find_days(DAYS)
    return page(
        request,
        visitor,
        "tenants/home.html",
        lines=find_tenant_lines(db, shown, days=_WEEK),
        following=following,
        find=find,
        gauges=gauges,
        partial=_sum_of(days, "partial"),
        failed=_sum_of(days, "error"),
        today=days[-1],
        charts=(dreams_chart(days), tokens_chart(days)),
        installation=db.installation.get(),
    )


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
        partial=_sum_of(days, "partial"),
        failed=_sum_of(days, "error"),
        today=days[-1],
        week=days[-_WEEK].day,
        charts=(dreams_chart(days), memories_chart(days), tokens_chart(days)),
        hooks=find_endpoints(db, visitor.tenant_id) if visitor.session.may(Permission.ADMINISTER) else None,
        stores=find_store_lines(db, visitor.tenant_id, after="", limit=_STORES_SHOWN),
    )


def _sum_of(days: Sequence[Day], state: str) -> int:
    return sum(day.dreams.get(state, 0) for day in days[-_WEEK:])
