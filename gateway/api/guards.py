"""What holds for every request, whatever route it takes: how large its body may be, and headers that protect."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: For answers that are data. A page brings a policy of its own, which is left as it is.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


class SecurityHeaders:
    """Adds headers that an answer does not have yet: those that protect, and what is left of the key's rate."""

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


class BodyLimit:
    """Refuses bodies that are too large, also those that do not say how large they are."""

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
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._max_bytes or self._is_announced_too_large(scope):
                # The framework lets this very exception through while it reads a body; any other becomes a 400.
                raise HTTPException(413, f"A body may have {self._max_bytes:,} bytes")
            return message

        await self._app(scope, counted, send)

    def _is_announced_too_large(self, scope: Scope) -> bool:
        found = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        return found.isdigit() and int(found) > self._max_bytes
