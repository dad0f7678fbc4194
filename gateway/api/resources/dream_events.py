"""Stream a running dream as server-sent events. Nothing is buffered: a slow client gets the current state."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.encoders import jsonable_encoder
from starlette.responses import StreamingResponse

from gateway.api.http.auth import Reader
from gateway.api.http.body_bounds import BoundedRoute
from gateway.api.http.parameters import DreamId
from gateway.api.http.problems import answers
from gateway.api.http.tenant_turns import end_turn
from gateway.api.shapes.dreams import DreamDetail, dream_detail
from shared.core.dream.model import ACTIVE_STATES
from shared.core.errors import NotFoundError, SlowwaveError, UnauthenticatedError
from shared.services.dreams.read import get_dream_progress

router = APIRouter(prefix="/api/dreams", tags=["dreams"], route_class=BoundedRoute)
_POLL_SECONDS = 0.5
_HEARTBEAT_SECONDS = 10.0
_EXAMPLE = 'event: dream\ndata: {"id": "drm_01JD…", "state": "running", "phases": []}\n\n'
_OK: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}}}
}


@router.get("/{dream_id}/events", response_class=StreamingResponse, responses=answers() | _OK, summary="Watch a dream")
def events(dream_id: DreamId, request: Request, caller: Reader) -> StreamingResponse:
    """Stream a `dream` event whenever the dream or one of its phases changes; the last event is `end`."""
    authenticator, tokens = request.app.state.authenticator, request.state.tokens

    def read() -> DreamDetail:
        if not any(map(authenticator.find, tokens)):
            raise UnauthenticatedError  # revoked, rotated or expired since
        return dream_detail(*get_dream_progress(caller.ports.db, caller.tenant_id, dream_id))

    async def read_in_turn() -> DreamDetail:
        end = await request.app.state.turns.take(caller.tenant_id)
        try:
            return await to_thread.run_sync(read)
        finally:
            end()

    stream = _stream(read_in_turn, read(), request.app.state.stopping)
    end_turn(request.scope)  # between two looks a stream costs no thread
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _stream(
    read: Callable[[], Awaitable[DreamDetail]], first: DreamDetail, stopping: asyncio.Event
) -> AsyncIterator[str]:
    """Yield events until the dream ends or is deleted, the key becomes invalid, or the server stops.

    Holds no thread and no connection between two events.
    """
    seen, current, quiet_seconds = None, first, 0.0
    while not stopping.is_set():
        if current != seen:
            yield _event("dream", current)
            seen, quiet_seconds = current, 0.0
        if current.state not in ACTIVE_STATES:
            yield _event("end", current)
            return
        await _wait(stopping)
        quiet_seconds += _POLL_SECONDS
        if quiet_seconds >= _HEARTBEAT_SECONDS:
            yield ": still there\n\n"
            quiet_seconds = 0.0
        try:
            current = await read()
        except (NotFoundError, UnauthenticatedError):
            break
        except SlowwaveError:
            continue  # after a short database outage, or when the tenant is busy, the stream goes on
    yield "event: bye\ndata: {}\n\n"


async def _wait(stopping: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stopping.wait(), _POLL_SECONDS)
    except TimeoutError:
        return


def _event(name: str, dream: DreamDetail) -> str:
    return f"event: {name}\ndata: {json.dumps(jsonable_encoder(dream))}\n\n"
