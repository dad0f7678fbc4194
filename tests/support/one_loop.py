"""One event loop for all clients of the application in this process of tests.

A `TestClient` outside of a `with` block starts a thread and an event loop for each request, and threads for what the request
does in turn. That costs more processor time than a small request itself.
"""

from contextlib import ExitStack
from functools import cache

from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.testclient import TestClient

_OPEN = ExitStack()


def on_one_loop(client: TestClient) -> TestClient:
    """Return the client; it sends its requests to the loop of this process, without the application's lifespan."""
    client.portal = _portal()
    return client


@cache
def _portal() -> BlockingPortal:
    portal = _OPEN.enter_context(start_blocking_portal())
    _OPEN.callback(lambda: portal.call(portal.stop, True))  # a stream that a test left open does not hold up the end
    return portal


def end_loop() -> None:
    """End the loop, if there is one: its thread would keep the process from ending."""
    _OPEN.close()
    _portal.cache_clear()
