"""Run the server process: uvicorn around the native API, the console and MCP.

The socket is bound before anything else starts, so that a taken port is reported at once. A new surface is one line in
`create_server`.
"""

import multiprocessing
import os
import signal
import socket
import sys

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from gateway.api.app import THREADS, create_app
from gateway.api.http.connections import BoundedConnection
from gateway.console.pages import failure_page
from gateway.console.routers import ROUTERS as CONSOLE
from gateway.mcp.http import mount_mcp
from gateway.parent_death import end_with_parent
from shared.all_ports import Ports
from shared.bootstrap import environment_of, make_ports
from shared.core.errors import BadInputError
from shared.logger import get_logger
from shared.process_ports import SchemaWatch, trace_process
from shared.program import name_program
from shared.settings import Settings, load_settings
from shared.telemetry import configure_logging
from shared.working import Work


def create_server(ports: Ports) -> FastAPI:
    """Return the application that `slowwave serve` runs: the native API, `/v1`, the console and MCP."""
    app = create_app(ports, CONSOLE, {"/console": failure_page})
    mount_mcp(app, ports)
    return app


_BACKLOG = 1_024
#: On shutdown, requests in progress get this long to finish.
_GRACE_SECONDS = 20
#: With several processes, uvicorn replaces one that does not answer for this long. Its default of 5 s is shorter than a
#: start takes on a busy machine, so that no process would ever come up.
_START_SECONDS = 30
#: The time after which a thread that computes gives way to one that waits. Python's own 5 ms are what each request of another tenant
#: would wait, several times over, for each thread that reads a large body.
_SWITCH_SECONDS = 0.0005


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises BadInputError when the address is in use or not on this machine.

    `socket.create_server` leaves the protocol number out, and without it asyncio never sets TCP_NODELAY: each request
    on a kept connection would then wait 40 ms for a delayed acknowledgement.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise BadInputError(f"The API cannot listen on {host} port {port}: {error.strerror}") from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the base URL for clients."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(settings: Settings, listening: socket.socket, workers: int) -> None:
    """Serve until SIGTERM or SIGINT, then stop accepting requests, finish those in progress, and return."""
    os.environ.update(environment_of(settings))  # for child processes, and for the broker's settings
    config = uvicorn.Config(
        "gateway.api.server:build_app",
        factory=True,
        workers=workers,
        http=BoundedConnection,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_worker_healthcheck=_START_SECONDS,
    )
    # uvicorn raises the signal that stopped it once more when it is done; by then it has been handled.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    server = uvicorn.Server(config)
    if workers == 1:
        server.run(sockets=[listening])
    else:
        Multiprocess(config, sockets=[listening]).run()


def build_app() -> FastAPI:
    """Return the application of this process; its connections end with it."""
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:  # a child left behind by its parent would hold the port for ever
        end_with_parent(parent.pid)
    configure_logging()
    name_program("api")
    sys.setswitchinterval(_SWITCH_SECONDS)
    trace_process(load_settings(), "api")
    get_logger().info("api_process_started", pid=os.getpid())
    app = create_server(make_ports(load_settings(), pool_size=THREADS, work=Work.REQUEST, counts_wait=True))
    app.state.schema_watch = SchemaWatch(load_settings())
    return app
