"""The official MCP client against the application in this process, over HTTP's messages without a socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx2
from fastapi import FastAPI
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

T = TypeVar("T")
ADDRESS = "http://slowwave.example/mcp"


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
