"""Serve MCP as Streamable HTTP at `/mcp`: one POST per message and no sessions, so that any process can answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from gateway.api.http.auth import Caller, admit, bearer_tokens
from gateway.api.http.body_bounds import MAX_VALUES, SCOPE_KEY, Bounds, check_values
from gateway.api.http.tenant_turns import take_turn
from gateway.mcp.hosts import check_hosts, known_hosts
from gateway.mcp.server import create_mcp
from shared.all_ports import Ports
from shared.core.errors import UnauthenticatedError

PATH = "/mcp"


class RequestAdmission:
    """Returns the caller that the endpoint has admitted."""

    def admit(self, request: Request | None) -> Caller:
        """Return the caller of the HTTP request of a tool call."""
        if request is None or not isinstance(caller := request.scope.get("slowwave.caller"), Caller):
            raise UnauthenticatedError
        return caller


class McpEndpoint:
    """Checks the key of every message before the SDK sees it. Its lifespan is part of the application's."""

    def __init__(self, ports: Ports) -> None:
        self._max_bytes = ports.settings.api_max_body_bytes
        self._manager: StreamableHTTPSessionManager | None = None
        self._hosts = known_hosts(ports.settings)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests while the context is open."""
        server = create_mcp(RequestAdmission())
        # The endpoint itself checks the headers Host and Origin, with errors that say which setting to change.
        server.streamable_http_app(
            stateless_http=True, json_response=True, host="", max_request_body_size=self._max_bytes
        )
        manager = server.session_manager
        async with manager.run():
            self._manager = manager
            yield
        self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Errors before the SDK are problems, as under `/api`."""
        scope[SCOPE_KEY] = Bounds(size=self._max_bytes, values=MAX_VALUES)
        request = Request(scope, receive)
        check_hosts(request.headers, self._hosts)
        caller = await admit(request, bearer_tokens(request), request.headers.get("slowwave-tenant"))
        await take_turn(request, caller.tenant_id)
        body = await request.body()
        check_values(body, MAX_VALUES)
        assert self._manager is not None, "the application's lifespan has not begun"
        await self._manager.handle_request({**scope, "slowwave.caller": caller}, _again(body, receive), send)
        if request.state.record_use is not None:
            await run_in_threadpool(request.state.record_use)


def mount_mcp(app: FastAPI, ports: Ports) -> None:
    """Serve MCP beside the routes of an application."""
    endpoint = McpEndpoint(ports)
    before = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(owner: FastAPI) -> AsyncIterator[object]:
        async with before(owner) as state, endpoint.running():
            yield state

    app.router.lifespan_context = lifespan  # type: ignore[assignment] # a lifespan with state and one without are two types
    app.router.routes.append(Route(PATH, endpoint=endpoint, methods=["POST"]))


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` for a body that was read already; what follows is the end of the connection."""
    unread = [body]

    async def read_again() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await receive()

    return read_again
