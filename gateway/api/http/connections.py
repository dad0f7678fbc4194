"""Bound what a connection may hold: time for headers and bodies, time without reading, and the number of connections.

uvicorn has none of these: a client that sends a header line an hour, or stops reading its answer, would hold its
connection for ever, and thousands of them all descriptors of the process.
"""

import asyncio
import resource
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from shared.logger import get_logger

HEADER_SECONDS = 10.0
BODY_SECONDS = 60.0
#: A client that reads nothing for this long gets no more of its answer.
UNREAD_SECONDS = 60.0
#: Descriptors that are not for clients: database, Redis, logs, the listening socket.
_RESERVED = 200
_LEAST_CONNECTIONS = 50
_LOG_EVERY_SECONDS = 10.0
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 21\r\n\r\nToo many connections\n"
)
_log = get_logger()


class BoundedConnection(H11Protocol):
    """A connection that is closed when its client takes too long, and refused when there are too many."""

    header_seconds, body_seconds, unread_seconds = HEADER_SECONDS, BODY_SECONDS, UNREAD_SECONDS
    max_connections: int | None = None
    _timer: asyncio.TimerHandle | None = None
    _waits_for = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Begin to wait for headers, or refuse the connection."""
        super().connection_made(transport)
        if len(self.connections) > (self.max_connections or most_connections()):
            _refusals.note("connection_refused", connections=len(self.connections))
            transport.write(_FULL)
            transport.close()
            return
        self._wait_for("headers", self.header_seconds)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        if not self._is_answering():
            self._wait_for("headers", self.header_seconds)
        super().data_received(data)
        self._wait_on()

    def on_response_complete(self) -> None:
        """Let uvicorn wait for the next request, or for the rest of one that has begun to arrive."""
        self._stop_waiting()
        super().on_response_complete()
        if self._is_answering() or self.conn.trailing_data[0]:
            self._wait_on()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._wait_for("reading", self.unread_seconds)

    def resume_writing(self) -> None:
        """Continue after the client has read."""
        super().resume_writing()
        if self._waits_for == "reading":
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return not getattr(self.cycle, "response_complete", True)

    def _wait_on(self) -> None:
        """Wait for what the client has to send next; for nothing while it waits for an answer."""
        if not self._is_answering():
            self._wait_for("headers", self.header_seconds)
        elif self.cycle.more_body:
            self._wait_for("body", self.body_seconds)
        elif self._waits_for != "reading":
            self._stop_waiting()

    def _wait_for(self, what: str, seconds: float) -> None:
        """Set the timer; one that runs for the same already is kept, so that single bytes gain a client no time."""
        if self._timer is not None and self._waits_for == what:
            return
        self._stop_waiting()
        self._waits_for = what
        self._timer = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._waits_for = None, ""

    def _give_up(self) -> None:
        self._timer = None
        _refusals.note("connection_timed_out", waited_for=self._waits_for)
        self.transport.abort()


def most_connections() -> int:
    """Return how many connections fit under the process's limit of descriptors."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(_LEAST_CONNECTIONS, limit - _RESERVED)


class SparseLog:
    """Logs an event at most once in a few seconds, with the number of those in between: clients cause it at will."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}
        self._unlogged: dict[str, int] = {}

    def note(self, event: str, **facts: Any) -> None:  # noqa: ANN401 - any facts of an event
        """Log an event, or count it."""
        now = time.monotonic()
        if now - self._logged_at.get(event, float("-inf")) < _LOG_EVERY_SECONDS:
            self._unlogged[event] = self._unlogged.get(event, 0) + 1
            return
        self._logged_at[event] = now
        _log.warning(event, unlogged_before=self._unlogged.pop(event, 0), **facts)


_refusals = SparseLog()


def log_accept_errors_sparsely(loop: asyncio.AbstractEventLoop) -> None:
    """Keep the log small when no descriptor is left: asyncio reports each of a thousand attempts with a traceback."""
    sparse = SparseLog()

    def handle(of_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), OSError) and "accept" in context.get("message", ""):
            sparse.note("connection_not_accepted", reason=str(context["exception"]))
        else:
            of_loop.default_exception_handler(context)

    loop.set_exception_handler(handle)
