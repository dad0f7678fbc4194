"""Refuse requests beyond a bound instead of queueing them, so that those in progress are answered in time.

A request counts from the end of its body until the end of its answer; a slow upload keeps no other client out. Health
checks are always answered. Streams of events are open for as long as a dream runs or a session lasts, and have a bound
of their own.
"""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.http.failures import Failure

_ALWAYS_ANSWERED = frozenset({"/healthz", "/readyz"})
#: How the paths of streams begin and end.
_STREAMS = (("/api/dreams/", "/events"), ("/v1/sessions/", "/events/stream"))
_RETRY_AFTER = {"Retry-After": "1"}
_BUSY = Failure(
    status=503,
    slug="busy",
    title="Too many requests at once",
    detail="Too many requests are in progress; try again in a second",
    headers=_RETRY_AFTER,
)


class BusyBound:
    """Answers 503 with Retry-After while too many requests are in progress."""

    def __init__(
        self, app: ASGIApp, most: int, most_streams: int, answer: Callable[[Request, Failure], Response]
    ) -> None:
        self._app = app
        self._most = {False: most, True: most_streams}
        self._answer = answer
        self._in_progress = {False: 0, True: 0}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["path"] in _ALWAYS_ANSWERED:
            await self._app(scope, receive, send)
            return
        is_stream = scope["method"] == "GET" and _is_stream(scope["path"])
        if self._in_progress[is_stream] >= self._most[is_stream]:
            await self._answer(Request(scope, receive), _BUSY)(scope, receive, send)
            return
        counted = not _has_body(scope)
        self._in_progress[is_stream] += counted

        async def received() -> Message:
            nonlocal counted
            message = await receive()
            if not counted and not message.get("more_body", False):
                counted = True
                self._in_progress[is_stream] += 1
            return message

        try:
            await self._app(scope, received, send)
        finally:
            self._in_progress[is_stream] -= counted


def _is_stream(path: str) -> bool:
    return any(path.startswith(start) and path.endswith(end) for start, end in _STREAMS)


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
        for name, value in scope["headers"]
    )
