"""The official MCP client against the application in this process, over HTTP's messages without a socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx2
from fastapi import FastAPI
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from gateway.api.server import create_server
from shared.all_ports import Ports
from shared.core.tenants.roles import Permission
from tests.integration.api.api_support import an_app

T = TypeVar("T")
ADDRESS = "http://localhost/mcp"
#: What every tool asks for, and arguments that name nothing there is. A tool that is in neither fails a test.
NEEDS = {
    "list_stores": Permission.READ,
    "list_memories": Permission.READ,
    "search_memory": Permission.READ,
    "search_everything": Permission.READ,
    "read_memory": Permission.READ,
    "why_remembered": Permission.READ,
    "linked_memories": Permission.READ,
    "get_dream": Permission.READ,
    "last_evaluation": Permission.READ,
    "list_reviews": Permission.READ,
    "write_memory": Permission.WRITE,
    "delete_memory": Permission.WRITE,
    "note_correction": Permission.WRITE,
    "forget": Permission.WRITE,
    "append_session": Permission.WRITE,
    "record_use": Permission.WRITE,
    "start_dream": Permission.WRITE,
    "approve_review": Permission.REVIEW,
    "reject_review": Permission.REVIEW,
}
MISSING: dict[str, dict[str, Any]] = {
    "list_memories": {"store": "gone"},
    "search_memory": {"query": "words", "store": "gone"},
    "search_everything": {"query": "words", "store": "gone"},
    "read_memory": {"memory": "mem_0"},
    "why_remembered": {"memory": "mem_0"},
    "linked_memories": {"memory": "mem_0"},
    "get_dream": {"dream_id": "drm_0"},
    "last_evaluation": {"store": "gone"},
    "list_reviews": {"store": "gone"},
    "write_memory": {"path": "a.md", "content": "# A", "store": "gone"},
    "delete_memory": {"memory": "mem_0", "version": 1},
    "note_correction": {"text": "No, on Tuesdays.", "store": "gone"},
    "forget": {"memory": "mem_0"},
    "append_session": {
        "session": "s-1",
        "store": "gone",
        "events": [{"event_id": "1", "kind": "user", "text": "Hello."}],
    },
    "record_use": {"skill": "deploy", "session": "s-1", "store": "gone"},
    "start_dream": {"store": "gone"},
    "approve_review": {"operation_id": "op_0"},
    "reject_review": {"operation_id": "op_0"},
}


def a_server(ports: Ports) -> FastAPI:
    """Return the whole application, shared by tests that run its lifespan, after which it opens no more streams."""
    return an_app(ports, _create)


def _create(ports: Ports) -> FastAPI:
    return create_server(ports)


@asynccontextmanager
async def an_http_client(app: FastAPI, headers: dict[str, str]) -> AsyncIterator[httpx2.AsyncClient]:
    """Plain HTTP to an application whose lifespan runs."""
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
    ):
        yield http


def with_client(app: FastAPI, headers: dict[str, str], use: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    """Run what uses a client of the SDK that sends these headers."""

    async def run() -> T:
        async with (
            an_http_client(app, headers) as http,
            Client(streamable_http_client(ADDRESS, http_client=http), mode=mode) as client,
        ):
            return await use(client)

    return asyncio.run(run())


def call(app: FastAPI, headers: dict[str, str], tool: str, **arguments: Any) -> Any:
    """Call one tool; return what it answers, or the text of its refusal."""

    async def use(client: Client) -> Any:
        answer: Any = await client.call_tool(tool, arguments)
        return answer.content[0].text if answer.is_error else answer.structured_content

    return with_client(app, headers, use)
