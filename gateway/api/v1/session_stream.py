"""Serve `/v1/sessions/{id}/events/stream`: new events of a session as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import StreamingResponse

from gateway.api.http.body_bounds import BoundedRoute
from gateway.api.http.tenant_turns import end_turn
from gateway.api.v1.callers import Reader
from gateway.api.v1.errors import errors
from gateway.api.v1.shapes.events import EventOut, event_out
from gateway.api.v1.shapes.ids import SessionId
from shared.core.errors import NotFoundError, SlowwaveError, UnauthenticatedError
from shared.core.listings.records import SessionRecord
from shared.core.sessions.model import SessionEvent
from shared.ports.api_lists import TimeSpan
from shared.services.sessions.api import find_session_events, get_session_record

router = APIRouter(prefix="/v1/sessions/{session_id}/events", tags=["v1 sessions"], route_class=BoundedRoute)
Deltas = Annotated[
    list[Literal["agent.message", "agent.thinking"]] | None,
    Query(
        alias="event_deltas[]",
        max_length=10,
        description="Accepted but ignored: events arrive complete, so there are no deltas.",
    ),
]
_POLL_SECONDS = 0.5
_PING_SECONDS = 10.0
_AT_ONCE = 20
_EXAMPLE = 'event: user.message\ndata: {"id": "sevt_01JD…", "type": "user.message", "content": []}\n\n'
_OK: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}}}
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """The new events of a session, and its record at this poll (None: the session was deleted)."""

    record: SessionRecord | None
    events: list[SessionEvent]


@router.get("/stream", response_class=StreamingResponse, responses=errors() | _OK, summary="Stream events")
def stream(session_id: SessionId, request: Request, caller: Reader, event_deltas: Deltas = None) -> StreamingResponse:
    """Stream the events that are sent from now on, until the session is archived or deleted."""
    del event_deltas
    db, tenant = caller.ports.db, caller.tenant_id
    authenticator, tokens = request.app.state.authenticator, request.state.tokens
    begun = get_session_record(db, tenant, session_id)

    def read(start_after: int) -> Poll:
        if not any(map(authenticator.find, tokens)):
            raise UnauthenticatedError  # revoked, rotated or expired since
        try:
            record = get_session_record(db, tenant, session_id)
            found = find_session_events(
                db, tenant, session_id, TimeSpan(), start_after=start_after, is_ascending=True, limit=_AT_ONCE
            )
        except NotFoundError:
            return Poll(record=None, events=[])
        return Poll(record=record, events=found)

    async def read_in_turn(start_after: int) -> Poll:
        end = await request.app.state.turns.take(tenant)
        try:
            return await to_thread.run_sync(read, start_after)
        finally:
            end()

    end_turn(request.scope)  # between two looks a stream costs no thread
    shown = follow(read_in_turn, begun, request.app.state.stopping)
    return StreamingResponse(shown, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def follow(
    read: Callable[[int], Awaitable[Poll]], begun: SessionRecord, stopping: asyncio.Event
) -> AsyncIterator[str]:
    """Yield new events until the session ends, the key becomes invalid, or the server stops.

    Holds no thread and no connection between two looks.
    """
    start_after, poll, quiet_seconds = begun.session.last_position, Poll(record=begun, events=[]), _PING_SECONDS
    while not stopping.is_set():
        for event in poll.events:
            yield _message(event_out(event))
            start_after, quiet_seconds = event.position, 0.0
        if len(poll.events) < _AT_ONCE:
            if last := _last(begun, poll.record):
                yield _message(last)
                return
            if quiet_seconds >= _PING_SECONDS:
                yield 'event: ping\ndata: {"type": "ping"}\n\n'
                quiet_seconds = 0.0
            await _wait(stopping)
            quiet_seconds += _POLL_SECONDS
        try:
            poll = await read(start_after)
        except UnauthenticatedError:
            return
        except SlowwaveError:
            poll = Poll(record=poll.record, events=[])  # after a short outage the stream goes on


def _last(begun: SessionRecord, record: SessionRecord | None) -> EventOut | None:
    """Return the last event of a session that was archived or deleted, or None while the session continues."""
    if record is None:
        return EventOut(id=f"sevt_deleted_{begun.session.id}", type="session.deleted", processed_at=begun.changed_at)
    if record.archived_at is not None:
        name = "session.status_terminated"
        return EventOut(id=f"sevt_archived_{begun.session.id}", type=name, processed_at=record.archived_at)
    return None


async def _wait(stopping: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stopping.wait(), _POLL_SECONDS)
    except TimeoutError:
        return


def _message(event: EventOut) -> str:
    return f"event: {event.type}\ndata: {event.model_dump_json()}\n\n"
