"""Show what the agent learned in a week, as a digest."""

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from gateway.console.insight.sentences import say_deeds
from gateway.console.pages import page
from gateway.console.views import words
from gateway.console.views.charts import memories_chart
from gateway.console.visitor import Reader
from shared.services.memories.learned import MOST_NEW, find_monday, get_week

router = APIRouter(prefix="/console/t/{tenant}/insight", include_in_schema=False)
_DAYS = 28
_OLDEST = date(2000, 1, 3)


@router.get("")
def show(request: Request, visitor: Reader, week: Annotated[str, Query(max_length=10)] = "") -> Response:
    """Show a week; the address names any of its days, and this week is shown for one that is none."""
    today = words.now().date()
    monday = _read_monday(week, today)
    found = get_week(visitor.ports.db, visitor.tenant_id, monday, days=_DAYS)
    before, after = monday - timedelta(days=7), monday + timedelta(days=7)
    return page(
        request,
        visitor,
        "insight/week.html",
        week=found,
        last=monday + timedelta(days=6),
        sentences=say_deeds(found.deeds),
        most_new=MOST_NEW,
        is_now=after > today,
        before=before if before >= _OLDEST else None,
        after=after if after <= today else None,
        chart_of_days=memories_chart(found.days),
    )


def _read_monday(week: str, today: date) -> date:
    try:
        day = date.fromisoformat(week) if week else today
    except ValueError:
        day = today
    return find_monday(min(max(day, _OLDEST), today))
