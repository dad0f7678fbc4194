"""Show what was changed, by which key or person, and when: a tenant's audit log."""

from datetime import date
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, encode_cursor, find_within, place_of, read_place
from gateway.api.shapes.sizes import json_size
from gateway.console.pages import page
from gateway.console.reviews.saved_filters import saved_filters
from gateway.console.visitor import AdminReader
from shared.core.listings.saved_filters import FilteredList
from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.tenants import AuditFilter
from shared.services.tenants.audit import find_audit

router = APIRouter(prefix="/console/t/{tenant}/settings/audit", include_in_schema=False)
_ON_A_PAGE, _MOST_BYTES = 50, 40_000


@router.get("")
def show(
    request: Request,
    visitor: AdminReader,
    actor: Annotated[str, Query(max_length=200)] = "",
    action: Annotated[str, Query(max_length=60)] = "",
    day: Annotated[str, Query(max_length=10)] = "",
    cursor: Cursor = None,
) -> Response:
    """List changes, newest first, by actor, action and day (UTC)."""
    actor, action = (text.strip().replace("\x00", "") for text in (actor, action))
    wanted = AuditFilter(actor=actor or None, action=action or None, day=_read_day(day))
    chosen = {"actor": actor, "action": action, "day": wanted.day or ""}

    def find(start_after: Place | None, limit: int) -> list[AuditEntry]:
        return find_audit(visitor.ports.db, visitor.tenant_id, wanted, limit=limit, start_after=start_after)

    shown, is_more = find_within(
        find,
        read_place(cursor),
        _ON_A_PAGE,
        size_of=lambda one: json_size(one.detail),
        place=lambda one: (one.at, one.id),
        first=_ON_A_PAGE + 1,
        most_bytes=_MOST_BYTES,
    )
    query = urlencode({name: value for name, value in chosen.items() if value})
    return page(
        request,
        visitor,
        "settings/audit.html",
        entries=shown,
        following=encode_cursor(place_of(shown[-1].at, shown[-1].id)) if is_more else None,
        chosen=chosen,
        query=query,
        saved=saved_filters(visitor, FilteredList.AUDIT, query),
    )


def _read_day(text: str) -> date | None:
    """Return the day in an address; None for text that is not a day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
