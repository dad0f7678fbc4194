"""Middleware for every request: a limit on the body, security headers, a request id, a count and one log line.

The id is the caller's `X-Request-Id` if it is well-formed, otherwise a new one. It is in the answer, in problems and in
the log.
"""

import re
import time

import structlog
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.counts import RequestCounts
from gateway.api.http.body_bounds import SCOPE_KEY, Bounds
from shared.logger import get_logger
from shared.ports.runtime import Ids

#: For answers that are data. A page sets its own policy, which is kept.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


class SecurityHeaders:
    """Adds missing headers to answers: security headers, and the rest of the key's rate limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                wanted = (*_HEADERS, *scope.get("state", {}).get("limits", ()))
                message["headers"] = [*message["headers"], *(one for one in wanted if one[0] not in present)]
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


_MAX_DIGITS = 18
#: For what no model bounds: the forms of the console, and bodies that a route ignores.
_MAX_FORM_BYTES = 65_536


class BodyLimit:
    """Refuses bodies that are too large for the installation or for their route, with or without a `Content-Length`."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            bounds: Bounds | None = scope.get(SCOPE_KEY)
            most = min(self._max_bytes, _MAX_FORM_BYTES if bounds is None else bounds.size)
            message: Message = {} if _announced(scope) > most else await receive()
            taken += len(message.get("body", b""))
            if not message or taken > most:
                # FastAPI passes exactly this exception on while it reads a body; any other becomes a 400.
                raise HTTPException(413, f"The body may have at most {most:,} bytes here")
            return message

        await self._app(scope, counted, send)


def _announced(scope: Scope) -> int:
    found = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(found) if found.isdigit() and len(found) <= _MAX_DIGITS else 0


_GIVEN = re.compile(rb"[A-Za-z0-9._:-]{1,128}")
_log = get_logger()
_QUIET_PATHS = frozenset({"/healthz", "/readyz"})


class RequestIds:
    """Gives requests their ids, counts them, and logs one line for each: method, path, status, time; never a query or a body.

    The counted time ends when the answer begins, since a stream of events ends when its client leaves.
    """

    def __init__(self, app: ASGIApp, ids: Ids, counts: RequestCounts) -> None:
        self._app = app
        self._ids = ids
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or self._ids.new("req")
        scope.setdefault("state", {})["request_id"] = request_id
        names = (b"x-request-id", b"request-id") if scope["path"].startswith("/v1/") else (b"x-request-id",)
        begun, status, answered_at = time.perf_counter(), 500, 0.0

        async def named(message: Message) -> None:
            nonlocal status, answered_at
            if message["type"] == "http.response.start":
                status, answered_at = message["status"], time.perf_counter()
                message["headers"] = [*message["headers"], *((name, request_id.encode()) for name in names)]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            await self._app(scope, receive, named)
        finally:
            if scope["path"] not in _QUIET_PATHS:
                now = time.perf_counter()
                self._counts.note_request(scope, status, (answered_at or now) - begun)
                milliseconds = round((now - begun) * 1000, 1)
                _log.info("request", method=scope["method"], path=scope["path"], status=status, ms=milliseconds)


def _given(scope: Scope) -> str | None:
    found = next((value for name, value in scope["headers"] if name == b"x-request-id"), None)
    return found.decode() if found is not None and _GIVEN.fullmatch(found) else None
