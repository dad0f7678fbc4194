"""List a store's sessions, and read one: its cues, what dreams gathered from each event, and why nothing."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of, place_of, read_maybe_place
from gateway.api.http.parameters import StoreName
from gateway.api.resources.sessions import SessionId
from gateway.console.memories.first_store import lead_to_first_store
from gateway.console.pages import page
from gateway.console.sessions.marked_text import mark_cues
from gateway.console.visitor import Reader
from gateway.phases import get_phases
from shared.ports.sessions import SessionFilter
from shared.services.sessions.explain import EventPage, explain_events, find_position
from shared.services.sessions.live import find_session_sources, find_sessions
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 50
_SOURCES = 20
_EVENTS = 25
_EVENT_CHARS = 2_000
#: One event by itself, of which all is shown that fits on a page.
_WHOLE_CHARS = 60_000
#: The number of events shown above the target of a link.
_ABOVE = 3
STATES = {"current": "going on", "waiting": "waiting for a dream", "read": "read by dreams"}
_HIGHEST = 1_000_000_000


def _read_filter(
    source: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
    state: Annotated[str, Query(pattern="^(|current|waiting|read)$")] = "",
    day: Annotated[str, Query(pattern=r"^(|\d{4}-\d{2}-\d{2})$")] = "",
) -> dict[str, str]:
    """Return the filters of a list of sessions as they stand in its address."""
    return {"source": source, "state": state, "day": day}


Wanted = Annotated[dict[str, str], Depends(_read_filter)]


@router.get("/sessions")
def choose(request: Request, visitor: Reader) -> Response:
    """Redirect to the first store's sessions."""
    return lead_to_first_store(request, visitor, "sessions")


@router.get("/stores/{store}/sessions")
def browse(request: Request, visitor: Reader, store: StoreName, wanted: Wanted, cursor: Cursor = None) -> Response:
    """List sessions, those with the newest events first."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    only = _filter_of(wanted)
    found = find_sessions(db, tenant_id, store, _ON_A_PAGE + 1, read_maybe_place(cursor), only)
    shown, following = page_of(found, _ON_A_PAGE, lambda one: place_of(one.last_event_at, one.id))
    known: dict[str, Any] = {"store": store, "sessions": shown, "following": following, "wanted": wanted}
    known["filters"] = urlencode({name: value for name, value in wanted.items() if value})
    known["sources"] = find_session_sources(db, tenant_id, store, _SOURCES)
    known["stores"] = [one.name for one in find_stores(db, tenant_id)][:_SOURCES]
    return page(request, visitor, "sessions/sessions.html", states=STATES, **known)


def _filter_of(wanted: dict[str, str]) -> SessionFilter:
    try:
        day = date.fromisoformat(wanted["day"])
    except ValueError:
        return SessionFilter(source=wanted["source"], state=wanted["state"])
    since = datetime.combine(day, time(), UTC)
    return SessionFilter(source=wanted["source"], state=wanted["state"], since=since, until=since + timedelta(days=1))


@router.get("/stores/{store}/sessions/{session_id}")
def show(
    request: Request,
    visitor: Reader,
    store: StoreName,
    session_id: SessionId,
    event: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
    whole: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
    cursor: Cursor = None,
) -> Response:
    """Read a session from its beginning, from an event that something was gathered from, or one event whole."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    start_after = decode_cursor(cursor)
    after = int(start_after) if start_after is not None and start_after.isdecimal() and len(start_after) <= 9 else 0
    aimed = find_position(db, tenant_id, store, session_id, event) if event else None
    after = max(0, aimed - 1 - _ABOVE) if aimed else after
    limit, chars = (1, _WHOLE_CHARS) if whole else (_EVENTS, _EVENT_CHARS)
    if whole:
        after, aimed = whole - 1, whole
    session, events = explain_events(
        db, tenant_id, store, session_id, get_phases(), EventPage(after=after, limit=limit, max_chars=chars + 1)
    )
    last = events[-1].event.position if events else session.last_position
    return page(
        request,
        visitor,
        "sessions/session.html",
        store=store,
        chosen=session,
        events=[(one, mark_cues(one.event.text, one.cues, chars), len(one.event.text) > chars) for one in events],
        aimed=aimed,
        whole=whole,
        following=last if not whole and last < session.last_position else None,
        before=max(0, after - _EVENTS) if after and not whole else None,
    )
