"""Give each tenant a share of the API's threads, so that one that sends slow requests keeps no other waiting.

A thread comes with a connection to the database, so that this is the tenant's share of both. A request beyond the share
waits on the event loop for a moment, at no thread's cost; what is beyond that is refused at once.

Threads of one process take turns at its one interpreter, so that a quick request beside n busy threads takes n + 1 times as
long. A tenant's share is therefore divided by the number of tenants that have asked recently: alone it has the whole, in
company at least one request at a time.

A refusal holds no turn, but takes its part of the event loop: who is refused often while tenants are active gets the answer
later, and so sends the next request later.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.http.failed_keys import network_of
from shared.core.errors import RateLimitedError, TenantBusyError, TenantPacedError
from shared.core.tenants.pace import Account, Pace, charge, is_full, open_account, wait_of

#: A request that has waited this long is refused: its client may have gone by then.
_PATIENCE_SECONDS = 5.0
#: A tenant counts as active for this long after a request.
_COMPANY_SECONDS = 2.0
#: A line that waits for its tenant to pay is looked at as often: the other tenants may have left.
_LOOK_SECONDS = 0.5
#: What a refusal costs its payer: ten times what it takes, so that a flood of them has a tenth of the tenant's share.
_REFUSAL_SECONDS = 0.005
#: The answers to requests that took next to nothing else. Others are charged by their time, or are the server's fault.
_REFUSALS = frozenset({401, 403, 404, 405, 413, 429})
_Turn = asyncio.Future[None]


class TenantTurns:
    """Limits the requests of a tenant that run at once, and the queue of those that wait for their turn."""

    def __init__(
        self,
        at_once: int,
        waiting: int,
        pace: Pace,
        *,
        patience_seconds: float = _PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        note_paced: Callable[[], None] = lambda: None,
    ) -> None:
        self._at_once, self._waiting, self._pace = at_once, waiting, pace
        self._patience, self._clock, self._note_paced = patience_seconds, clock, note_paced
        self._asked: dict[str, float] = {}  # when each tenant asked last, the longest ago first
        self._running: dict[str, int] = {}
        self._lines: dict[str, deque[_Turn]] = {}
        self._accounts: dict[str, Account] = {}  # the longest unchanged first
        self._timed: set[str] = set()  # tenants whose line goes on at a time that is set
        self._lock = threading.Lock()  # a stream gives its turn back from a thread

    async def take(self, tenant_id: str) -> Callable[[], None]:
        """Return what gives the turn back. Raises TenantBusyError, TenantPacedError."""
        turn = self._begin_or_queue(tenant_id)
        if turn is not None:
            await self._wait(tenant_id, turn)
        return partial(self._end, tenant_id, self._clock())

    def charge_refusal(self, payer: str) -> float:
        """Charge a tenant, or an address without a key, for a refusal. Returns the seconds that its answer waits."""
        with self._lock:
            if self._count_company(payer) == 1:
                return 0.0
            now = self._clock()
            self._charge(payer, now - _REFUSAL_SECONDS, has_line=True)
            return self._wait_of(payer)

    def _begin_or_queue(self, tenant_id: str) -> _Turn | None:
        with self._lock:
            self._note_asked(tenant_id)
            line, wait = self._lines.get(tenant_id), self._wait_of(tenant_id)
            if not line and not wait and self._has_room(tenant_id):
                self._running[tenant_id] = self._running.get(tenant_id, 0) + 1
                return None
            if line is not None and len(line) >= self._waiting:
                raise self._refusal(wait)
            turn: _Turn = asyncio.get_running_loop().create_future()
            self._lines.setdefault(tenant_id, deque()).append(turn)
            if wait:
                self._note_paced()
            self._begin_waiting(tenant_id)
            return turn

    def _note_asked(self, tenant_id: str) -> None:
        self._asked.pop(tenant_id, None)
        self._asked[tenant_id] = self._clock()

    def _count_company(self, tenant_id: str) -> int:
        """Return how many tenants have asked recently, this one included, and forget the others."""
        now = self._clock()
        while self._asked and now - self._asked[first := next(iter(self._asked))] > _COMPANY_SECONDS:
            del self._asked[first]
        return len(self._asked) + (tenant_id not in self._asked)

    def _has_room(self, tenant_id: str) -> bool:
        return self._running.get(tenant_id, 0) < max(1, self._at_once // self._count_company(tenant_id))

    def _wait_of(self, tenant_id: str) -> float:
        """Return in how many seconds the tenant has paid; 0 for one that owes nothing, or is alone."""
        account = self._accounts.get(tenant_id)
        if account is None or self._count_company(tenant_id) == 1:
            return 0.0
        return wait_of(self._pace, account, self._clock())

    def _begin_waiting(self, tenant_id: str) -> None:
        """Begin the requests in line for which there is room, and see to it that others begin when the tenant has paid."""
        line = self._lines.get(tenant_id)
        while line and self._has_room(tenant_id):
            if wait := self._wait_of(tenant_id):
                self._set_time(tenant_id, line[0].get_loop(), wait)
                return
            self._running[tenant_id] = self._running.get(tenant_id, 0) + 1
            turn = line.popleft()
            turn.get_loop().call_soon_threadsafe(_begin, turn)
        if not line:
            self._lines.pop(tenant_id, None)

    def _set_time(self, tenant_id: str, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """Look at the queue again after the given seconds, or sooner: the tenant may be alone by then."""
        if tenant_id not in self._timed:
            self._timed.add(tenant_id)
            loop.call_soon_threadsafe(loop.call_later, min(seconds, _LOOK_SECONDS), self._go_on, tenant_id)

    def _go_on(self, tenant_id: str) -> None:
        with self._lock:
            self._timed.discard(tenant_id)
            self._begin_waiting(tenant_id)

    async def _wait(self, tenant_id: str, turn: _Turn) -> None:
        try:
            await asyncio.wait_for(asyncio.shield(turn), self._patience)
        except BaseException as error:
            with self._lock:
                line, wait = self._lines.get(tenant_id), self._wait_of(tenant_id)
                if is_waiting := line is not None and turn in line:
                    line.remove(turn)
            if not is_waiting:  # it was given the turn in the same moment
                self._end(tenant_id, self._clock())
            if isinstance(error, TimeoutError):
                raise self._refusal(wait) from None
            raise

    def _refusal(self, wait: float) -> RateLimitedError:
        return TenantPacedError(wait) if wait else TenantBusyError(self._at_once)

    def _end(self, tenant_id: str, begun: float) -> None:
        """Charge the tenant for a turn while others are active, and start the next requests of the queue."""
        with self._lock:
            self._running[tenant_id] -= 1
            if not self._running[tenant_id]:
                del self._running[tenant_id]
            if self._count_company(tenant_id) > 1:
                self._charge(tenant_id, begun, has_line=bool(self._lines.get(tenant_id)))
            self._begin_waiting(tenant_id)

    def _charge(self, tenant_id: str, begun: float, *, has_line: bool) -> None:
        now = self._clock()
        account = self._accounts.pop(tenant_id, None) or open_account(self._pace, begun)
        self._accounts[tenant_id] = charge(self._pace, account, now - begun, now, has_line=has_line)
        while self._accounts and is_full(self._pace, self._accounts[first := next(iter(self._accounts))], now):
            del self._accounts[first]


def _begin(turn: _Turn) -> None:
    if not turn.done():
        turn.set_result(None)


async def take_turn(request: Request, tenant_id: str) -> None:
    """Hold a turn of the tenant until the request has been answered. Raises TenantBusyError, TenantPacedError."""
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


class PaceRefusals:
    """Holds the answer to a refused request back until its payer has paid. The request is over for all that is inside."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        held: list[Message] = []

        async def holding(message: Message) -> None:
            if held or (message["type"] == "http.response.start" and message["status"] in _REFUSALS):
                held.append(message)
            else:
                await send(message)

        await self._app(scope, receive, holding)
        if held and (wait := scope["app"].state.turns.charge_refusal(_payer_of(scope))):
            await asyncio.sleep(wait)
        for message in held:
            await send(message)


def _payer_of(scope: Scope) -> str:
    """Return the tenant of the request's key, or else its sender's network."""
    client = scope.get("client")
    return scope.get("state", {}).get("payer") or f"from {network_of(client[0] if client else '')}"
