"""Serve `/v1/sessions/{id}/events`: send and list."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import read_position
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.v1.append import append
from gateway.api.v1.callers import Reader, Writer
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import After, Before, Page, PageToken, Paging, Since, Until, span_of
from gateway.api.v1.sessions import Order
from gateway.api.v1.shapes.events import EventOut, EventsIn, SentOut, event_out
from gateway.api.v1.shapes.ids import SessionId
from shared.core.sessions.model import SessionEvent
from shared.services.sessions.api import find_session_events, get_session_record

router = APIRouter(prefix="/v1/sessions/{session_id}/events", tags=["v1 sessions"], route_class=OneThreadRoute)
EventLimit = Annotated[int, Query(ge=1, le=1_000, description="Maximum number of events on a page.")]
Types = Annotated[
    list[Annotated[str, Field(max_length=100)]] | None,
    Query(alias="types[]", max_length=50, description="Only events of these types."),
]


@router.post("", response_model=SentOut, responses=errors(409), summary="Send events")
def send(session_id: SessionId, body: EventsIn, caller: Writer, once: Idempotent) -> Response:
    """Append events in order. Events of the agent are also accepted, since the host runs the agent."""

    def produce() -> SentOut:
        record = get_session_record(caller.ports.db, caller.tenant_id, session_id)
        return SentOut(data=[event_out(event) for event in append(caller, record, body.events, datetime.now(UTC))])

    return once.answer(caller, 200, produce)


@router.get("", responses=errors(), summary="List events")
def list_all(  # noqa: PLR0913 - one argument for each filter of the API
    session_id: SessionId,
    caller: Reader,
    *,
    created_after: After = None,
    created_since: Since = None,
    created_before: Before = None,
    created_until: Until = None,
    types: Types = None,
    order: Order = "asc",
    limit: EventLimit = 100,
    page: PageToken = None,
) -> Page[EventOut]:
    """List events in order of arrival. With `types[]` a page may have fewer than `limit`.

    The time filters compare `processed_at`.
    """
    span = span_of(after=created_after, since=created_since, before=created_before, until=created_until)

    def find(start_after: int | None, wanted: int) -> list[SessionEvent]:
        db, tenant, is_ascending = caller.ports.db, caller.tenant_id, order == "asc"
        return find_session_events(
            db, tenant, session_id, span, start_after=start_after, is_ascending=is_ascending, limit=wanted
        )

    pages = Paging(limit, page)
    found = pages.within(
        find,
        read_position(page),
        size_of=lambda event: json_size(event.sent, event.details),
        place=lambda event: event.position,
    )
    whole = pages.page_of(found, event_out, lambda event: (event.position,))
    shown = [event for event in whole.data if types is None or event.type in types]
    return whole.model_copy(update={"data": shown})
