"""The whole server in a thread of the test, over the ports of the test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from gateway.api.server import address_of, bind, create_server
from shared.all_ports import Ports
from tests.e2e.workers.worker_support import eventually


@contextmanager
def a_server(ports: Ports) -> Iterator[str]:
    """The server in a thread; yields its address."""
    with bind("127.0.0.1", 0) as listening:
        server = uvicorn.Server(uvicorn.Config(create_server(ports), log_config=None, timeout_graceful_shutdown=5))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            eventually(lambda: server.started, "the server")
            yield address_of(listening)
        finally:
            server.should_exit = True
            thread.join(timeout=20)
