"""Every request has an id: the caller's, if it looks like one, or a new one; in the answer, the problem and the log."""

import re
import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.ports.ids import Ids

_GIVEN = re.compile(rb"[A-Za-z0-9._:-]{1,128}")
_log = structlog.get_logger()
_QUIET_PATHS = frozenset({"/healthz", "/readyz"})


class RequestIds:
    """Names requests, and writes one line for each: method, path, status, time; never a query or a body."""

    def __init__(self, app: ASGIApp, ids: Ids) -> None:
        self._app = app
        self._ids = ids

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or self._ids.new("req")
        scope.setdefault("state", {})["request_id"] = request_id
        names = (b"x-request-id", b"request-id") if scope["path"].startswith("/v1/") else (b"x-request-id",)
        begun, status = time.perf_counter(), 500

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *((name, request_id.encode()) for name in names)]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            await self._app(scope, receive, named)
        finally:
            if scope["path"] not in _QUIET_PATHS:
                milliseconds = round((time.perf_counter() - begun) * 1000, 1)
                _log.info("request", method=scope["method"], path=scope["path"], status=status, ms=milliseconds)


def _given(scope: Scope) -> str | None:
    found = next((value for name, value in scope["headers"] if name == b"x-request-id"), None)
    return found.decode() if found is not None and _GIVEN.fullmatch(found) else None
