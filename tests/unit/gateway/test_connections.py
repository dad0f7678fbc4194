"""A client that is slow on purpose loses its connection; one that is not does not notice."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from gateway.api.http.connections import BoundedConnection, log_accept_errors_sparsely
from gateway.api.server import bind

_GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
_POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\n"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]


async def _answer(_scope: Any, receive: Any, send: Any) -> None:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def _talk(talk: Talk, **bounds: Any) -> bytes:
    """Return what a client reads of a server with these bounds."""
    config = uvicorn.Config(_answer, log_config=None, lifespan="off", ws="none")
    kind, state = type("Connection", (BoundedConnection,), bounds), ServerState()
    loop = asyncio.get_running_loop()
    with bind("127.0.0.1", 0) as listening:
        async with await loop.create_server(lambda: kind(config, state, {}), sock=listening):
            reader, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            found = await asyncio.wait_for(talk(reader, writer), 30)
            writer.close()
    return found


async def _dribble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Send a byte of a header now and then, for as long as the server takes it."""
    with suppress(ConnectionError):
        while not reader.at_eof():
            writer.write(b"X")
            await writer.drain()
            await asyncio.sleep(0.01)
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(100), 0.01)
    return b""


async def _say_nothing(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> bytes:
    with suppress(ConnectionError):
        return await reader.read()
    return b""


def _after(*sent: bytes) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for one in sent:
            writer.write(one)
            await writer.drain()
        with suppress(ConnectionError):
            return await reader.read()
        return b""

    return talk


@pytest.mark.parametrize("talk", [_dribble, _say_nothing, _after(_GET[:-2])], ids=["dribble", "silence", "half"])
def test_a_client_without_whole_headers_loses_its_connection(talk: Talk) -> None:
    assert asyncio.run(_talk(talk, header_seconds=0.05)) == b""


def test_headers_that_begin_on_a_kept_connection_are_waited_for_no_longer() -> None:
    read = asyncio.run(_talk(_after(_GET, _GET[:10]), header_seconds=0.05))
    assert read.count(b"200 OK") == 1


def test_a_client_without_a_whole_body_loses_its_connection() -> None:
    assert asyncio.run(_talk(_after(_POST, b"abc"), body_seconds=0.05)) == b""


def test_a_client_in_time_is_answered_again_and_again() -> None:
    last = _GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    read = asyncio.run(_talk(_after(_GET, _POST + b"abcde", _GET + _POST, b"abcde", last)))
    assert read.count(b"200 OK") == 5


def test_a_connection_too_many_is_told_to_come_back() -> None:
    read = asyncio.run(_talk(_say_nothing, max_connections=-1))
    assert b" 503 " in read
    assert b"Retry-After: 1" in read


def test_a_flood_of_failed_accepts_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def flood() -> None:
        loop = asyncio.get_running_loop()
        log_accept_errors_sparsely(loop)
        for _ in range(1_000):
            error = OSError(24, "Too many open files")
            loop.call_exception_handler({"message": "socket.accept() out of system resource", "exception": error})
        loop.call_exception_handler({"message": "something else", "exception": ValueError("kept")})

    with capture_logs() as logs, caplog.at_level(logging.ERROR):
        asyncio.run(flood())
    assert [one["event"] for one in logs] == ["connection_not_accepted"]
    assert [one.getMessage().splitlines()[0] for one in caplog.records] == ["something else"]
