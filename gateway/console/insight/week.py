"""Answer an owner's questions about a week: what was learned, was it right, what did it cost, does it help, what waits."""

from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import StoreFilter
from gateway.console.pages import markdown_file, page
from gateway.console.visitor import Reader
from shared.core.insight import digest
from shared.core.insight.sentences import say_deeds
from shared.services.insight.week import get_week
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}/insight", include_in_schema=False)
_OLDEST = date(2000, 1, 3)
WeekOf = Annotated[str, Query(max_length=10)]


@router.get("")
def show(request: Request, visitor: Reader, week: WeekOf = "", store: StoreFilter = None) -> Response:
    """Show a week; the address names any of its days, and this week is shown for one that is none."""
    found = get_week(visitor.ports.db, visitor.tenant_id, _read_day(week), store=store or "")
    before, after = found.monday - timedelta(days=7), found.monday + timedelta(days=7)
    known: dict[str, Any] = {"week": found, "is_now": found.is_now}
    known["told"] = [*digest.say_new(found.new), *(one.text for one in say_deeds(found.deeds))]
    known["judged"], known["spent"] = digest.say_judged(found.judged), digest.say_spent(found)
    known["helps"] = digest.say_help(found)
    known["before"], known["after"] = before if before >= _OLDEST else None, None if found.is_now else after
    known["stores"] = [one.name for one in find_stores(visitor.ports.db, visitor.tenant_id)]
    return page(request, visitor, "insight/week.html", **known)


@router.get("/digest.md")
def fetch(visitor: Reader, week: WeekOf = "", store: StoreFilter = None) -> Response:
    """Return the week as Markdown."""
    found = get_week(visitor.ports.db, visitor.tenant_id, _read_day(week), store=store or "")
    return markdown_file(digest.render_week(found, visitor.tenant_id), f"{visitor.tenant_id}-{found.monday}.md")


def _read_day(week: str) -> date | None:
    """Return the day that an address names, or None for this week."""
    try:
        return max(date.fromisoformat(week), _OLDEST)
    except ValueError:
        return None
