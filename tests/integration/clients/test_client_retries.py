"""Retries of the Python client, against a server that fails as it is told."""

import asyncio
import importlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

_STATE = {"id": "drm_1", "state": "canceled"}
_PROBLEM = {"type": "urn:slowwave:problem:unavailable", "detail": "A server that slowwave needs does not respond"}


@dataclass
class Failing:
    """Answers with `statuses` in turn, then with success; 0 breaks the connection."""

    statuses: list[int]
    headers: dict[str, str] = field(default_factory=dict)
    seen: list[tuple[str, str | None]] = field(default_factory=list)
    address: str = ""


@contextmanager
def failing(*statuses: int, **headers: str) -> Iterator[Failing]:
    server = Failing(list(statuses), {name.replace("_", "-"): value for name, value in headers.items()})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(server))
    server.address = f"http://127.0.0.1:{listening.server_address[1]}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def handler_of(server: Failing) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            server.seen.append((self.command, self.headers.get("idempotency-key")))
            status = server.statuses.pop(0) if server.statuses else 200
            if status == 0:
                self.close_connection = True
                return
            body = json.dumps(_STATE if status == 200 else _PROBLEM).encode()
            self.send_response(status)
            for name, value in server.headers.items() if status != 200 else ():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - the names that the library calls

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture
def connect(client_package: Any) -> Callable[[str], Any]:
    """A client that hardly waits between its tries."""

    def build(address: str) -> Any:
        return client_package.Slowwave(address, "k", retries=client_package.Retries(first_seconds=0.01))

    return build


@pytest.mark.parametrize("status", [429, 502, 503, 504, 0])
def test_what_may_be_carried_out_twice_is_sent_again_under_the_same_key(
    status: int, connect: Callable[[str], Any]
) -> None:
    with failing(status, status) as server, connect(server.address) as client:
        assert client.dreams.cancel("drm_1").state == "canceled"
    assert len(server.seen) == 3
    ((method, key),) = set(server.seen)
    assert method == "POST"
    assert key


@pytest.mark.parametrize("status", [502, 503, 504, 0])
def test_what_may_not_be_carried_out_twice_is_sent_once(
    status: int, connect: Callable[[str], Any], client_package: Any
) -> None:
    with failing(status) as server, connect(server.address) as client:
        with pytest.raises(client_package.SlowwaveError):
            client.request("PATCH", "/api/settings", json={})
        assert len(server.seen) == 1
        server.statuses[:] = [429]
        assert client.request("PATCH", "/api/settings", json={}) == _STATE, "it was turned away, not carried out"


def test_a_change_on_a_condition_is_sent_once_since_it_would_refuse_itself(
    connect: Callable[[str], Any], client_package: Any
) -> None:
    steps = importlib.import_module("slowwave_client.steps")
    changes = {"content": "# A", "content_sha256": "0" * 64}
    with failing(503) as server, connect(server.address) as client:
        with pytest.raises(client_package.ApiError):
            client.run(steps.change_memory("default", "mem_1", changes))
        assert len(server.seen) == 1


def test_after_four_tries_the_last_refusal_is_raised(connect: Callable[[str], Any], client_package: Any) -> None:
    with failing(*[503] * 9) as server, connect(server.address) as client:
        with pytest.raises(client_package.ApiError, match="A server that slowwave needs does not respond"):
            client.request("GET", "/api/stores")
        assert len(server.seen) == 4


def test_the_server_says_how_long_to_wait_and_more_than_a_minute_is_too_long(
    connect: Callable[[str], Any], client_package: Any
) -> None:
    with failing(429, retry_after="1") as server, connect(server.address) as client:
        begun = time.monotonic()
        assert client.request("GET", "/api/stores") == _STATE
        assert time.monotonic() - begun >= 1
    with failing(429, retry_after="61") as server, connect(server.address) as client:
        with pytest.raises(client_package.RateLimitedError):
            client.request("GET", "/api/stores")
        assert len(server.seen) == 1


def test_a_server_that_is_away_or_no_slowwave_is_said_to_be_so(
    connect: Callable[[str], Any], client_package: Any
) -> None:
    with failing() as server:
        client = connect(server.address)
        with client, pytest.raises(client_package.UnreachableError, match="did not answer as slowwave does"):
            client.memories.search("words")
    client = connect(server.address)
    with client, pytest.raises(client_package.UnreachableError, match="refused"):
        client.memories.search("words")


def test_with_await_it_is_tried_again_too(client_package: Any) -> None:
    async def use(address: str) -> Any:
        retries = client_package.Retries(first_seconds=0.01)
        async with client_package.AsyncSlowwave(address, "k", retries=retries) as client:
            return await client.dreams.cancel("drm_1")

    with failing(503, 0) as server:
        assert asyncio.run(use(server.address)).state == "canceled"
    assert len(set(server.seen)) == 1
