"""Give each tenant a share of the API's threads, so that one that sends slow requests keeps no other waiting.

A thread comes with a connection to the database, so that this is the tenant's share of both. A request beyond the share
waits on the event loop for a moment, at no thread's cost; what is beyond that is refused at once.

Threads of one process take turns at its one interpreter, so that a quick request beside n busy threads takes n + 1 times as
long. A tenant's share is therefore divided by the number of tenants that have asked lately: alone it has the whole, in
company at least one request at a time.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from shared.core.errors import TenantBusyError

#: A request that has waited so long is refused: its client may have gone by then.
_PATIENCE_SECONDS = 5.0
#: A tenant that has asked within so many seconds is company for the others.
_COMPANY_SECONDS = 2.0
_Turn = asyncio.Future[None]


class TenantTurns:
    """Lets so many requests of a tenant run at once, and so many more wait for their turn, in their order."""

    def __init__(
        self,
        at_once: int,
        waiting: int,
        patience_seconds: float = _PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._waiting, self._patience, self._clock = at_once, waiting, patience_seconds, clock
        self._asked: dict[str, float] = {}  # when each tenant asked last, the longest ago first
        self._running: dict[str, int] = {}
        self._lines: dict[str, deque[_Turn]] = {}
        self._lock = threading.Lock()  # a stream gives its turn back from a thread

    async def take(self, tenant_id: str) -> Callable[[], None]:
        """Return what gives the turn back. Raises TenantBusyError."""
        turn = self._begin_or_queue(tenant_id)
        if turn is not None:
            await self._wait(tenant_id, turn)
        return partial(self._end, tenant_id)

    def _begin_or_queue(self, tenant_id: str) -> _Turn | None:
        with self._lock:
            self._note_asked(tenant_id)
            line = self._lines.get(tenant_id)
            if not line and self._has_room(tenant_id):
                self._running[tenant_id] = self._running.get(tenant_id, 0) + 1
                return None
            if line is not None and len(line) >= self._waiting:
                raise TenantBusyError(self._at_once)
            turn: _Turn = asyncio.get_running_loop().create_future()
            self._lines.setdefault(tenant_id, deque()).append(turn)
            self._begin_waiting(tenant_id)
            return turn

    def _note_asked(self, tenant_id: str) -> None:
        now = self._clock()
        self._asked.pop(tenant_id, None)
        self._asked[tenant_id] = now
        while now - self._asked[first := next(iter(self._asked))] > _COMPANY_SECONDS:
            del self._asked[first]

    def _has_room(self, tenant_id: str) -> bool:
        return self._running.get(tenant_id, 0) < max(1, self._at_once // len(self._asked))

    def _begin_waiting(self, tenant_id: str) -> None:
        """Begin the requests in line for which there is room."""
        line = self._lines.get(tenant_id)
        while line and self._has_room(tenant_id):
            self._running[tenant_id] = self._running.get(tenant_id, 0) + 1
            turn = line.popleft()
            turn.get_loop().call_soon_threadsafe(_begin, turn)
        if not line:
            self._lines.pop(tenant_id, None)

    async def _wait(self, tenant_id: str, turn: _Turn) -> None:
        try:
            await asyncio.wait_for(asyncio.shield(turn), self._patience)
        except BaseException as error:
            with self._lock:
                line = self._lines.get(tenant_id)
                if is_waiting := line is not None and turn in line:
                    line.remove(turn)
            if not is_waiting:  # it was given the turn in the same moment
                self._end(tenant_id)
            if isinstance(error, TimeoutError):
                raise TenantBusyError(self._at_once) from None
            raise

    def _end(self, tenant_id: str) -> None:
        """Let the next requests in line begin."""
        with self._lock:
            self._running[tenant_id] -= 1
            if not self._running[tenant_id]:
                del self._running[tenant_id]
            self._begin_waiting(tenant_id)


def _begin(turn: _Turn) -> None:
    if not turn.done():
        turn.set_result(None)


async def take_turn(request: Request, tenant_id: str) -> None:
    """Hold a turn of the tenant until the request has been answered. Raises TenantBusyError."""
    turns: TenantTurns = request.app.state.turns
    if getattr(request.state, "end_turn", None) is None:
        request.state.end_turn = await turns.take(tenant_id)


def end_turn(scope: Scope) -> None:
    """Give a request's turn back, if it holds one."""
    end = scope.get("state", {}).pop("end_turn", None)
    if end is not None:
        end()


class EndTurns:
    """Gives the turn of each request back when it has been answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope.setdefault("state", {})
        try:
            await self._app(scope, receive, send)
        finally:
            end_turn(scope)
