"""List all tenants, those first that need attention, and find a dream of any tenant."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.paging import Cursor, page_of, place_of, read_parts
from gateway.console.pages import go, page
from gateway.console.views.charts import dreams_chart, tokens_chart
from gateway.console.views.days import DAYS, sum_of_week
from gateway.console.visitor import HOME, OperatorReader, Reader
from shared.core.errors import BadInputError
from shared.ports.installation import TenantOrder

router = APIRouter(prefix=HOME, include_in_schema=False)
_ON_A_PAGE = 25
#: The orders in the words of a person; the name of each is its column's.
ORDERS = {
    TenantOrder.ATTENTION: "what needs attention",
    TenantOrder.QUARANTINED: "quarantines",
    TenantOrder.FAILED: "failed dreams",
    TenantOrder.PARTIAL: "partial dreams",
    TenantOrder.RUNNING: "running dreams",
    TenantOrder.OVERDUE: "overdue checks",
    TenantOrder.SPENT: "budget spent",
    TenantOrder.TO_REVIEW: "reviews",
    TenantOrder.TOKENS: "tokens today",
    TenantOrder.COST: "cost today",
    TenantOrder.PAUSED: "paused first",
    TenantOrder.NAME: "name",
}


@router.get("")
def home(
    request: Request,
    visitor: Reader,
    cursor: Cursor = None,
    find: Annotated[str, Query(max_length=128)] = "",
    order: Annotated[str, Query(max_length=20)] = TenantOrder.ATTENTION.value,
) -> Response:
    """Show all tenants to an operator; redirect others to their own tenant."""
    if not visitor.is_operator:
        return RedirectResponse(f"{HOME}/t/{visitor.tenant_id}", 303)
    db = visitor.ports.db
    by = TenantOrder(order) if order in set(TenantOrder) else TenantOrder.ATTENTION
    found = db.operators.rank_tenants(
        by, start_after=_read_place(cursor), limit=_ON_A_PAGE + 1, holding=find.replace("\x00", "")
    )
    shown, following = page_of(found, _ON_A_PAGE, lambda one: place_of(one.rank, one.tenant_id))
    days = db.installation.find_days(DAYS)
    return page(
        request,
        visitor,
        "operators/tenants.html",
        lines=shown,
        following=following,
        find=find,
        order=by,
        orders=ORDERS,
        is_first=cursor is None,
        gauges={(gauge.name, gauge.state): gauge.value for gauge in db.sweeps.measure()},
        partial=sum_of_week(days, "partial"),
        failed=sum_of_week(days, "error"),
        today=days[-1],
        charts=(dreams_chart(days), tokens_chart(days)),
        installation=db.installation.get(),
    )


@router.get("/dreams")
def find_dream(
    visitor: OperatorReader, dream: Annotated[str, Query(max_length=128, pattern=r"^[^\x00]*$")] = ""
) -> Response:
    """Lead to a dream of any tenant by its id."""
    wanted = dream.strip()
    owner = visitor.ports.db.operators.find_owner_of_dream(wanted) if wanted else None
    if owner is None:
        return go(visitor, HOME, f"There is no dream {wanted}" if wanted else "Give the id of a dream", "refused")
    return RedirectResponse(f"{HOME}/t/{owner}/dreams/{wanted}", 303)


def _read_place(cursor: str | None) -> tuple[float, str] | None:
    parts = read_parts(cursor, 2)
    if parts is None:
        return None
    try:
        return float(parts[0]), parts[1]
    except ValueError:
        raise BadInputError("This cursor did not come from a page of this list") from None
