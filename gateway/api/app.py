"""Build the ASGI application from the ports. Other surfaces (`/v1`, `/console`, MCP) are routers mounted here."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import FrameType

from anyio import to_thread
from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig

from gateway.api.counts import RequestCounts
from gateway.api.http.auth import Authenticator
from gateway.api.http.busy import BusyBound
from gateway.api.http.connections import log_accept_errors_sparsely
from gateway.api.http.failed_keys import FailedKeys
from gateway.api.http.middleware import BodyLimit, RequestIds, SecurityHeaders
from gateway.api.http.problems import Problems, Shape, as_problem
from gateway.api.http.tenant_turns import EndTurns, PaceRefusals, TenantTurns
from gateway.api.openapi.document import finish_openapi
from gateway.api.openapi.page import router as docs_router
from gateway.api.resources import ROUTERS
from gateway.api.v1 import ROUTERS as ANTHROPIC_ROUTERS
from gateway.api.v1.errors import as_anthropic_error
from shared.all_ports import Ports
from shared.core.tenants.pace import Pace
from shared.counting import send_held_counts
from shared.process_ports import LOOK_EVERY_SECONDS, SchemaWatch
from shared.settings import Settings
from shared.tracing import find_tracer_provider, flush_traces

#: Equal to the size of the database pool: a further thread could only wait for a connection.
THREADS = 12
_DESCRIPTION = """Consolidates the memory of AI agents in the background, reviewable and undoable.

Every request carries a key: `Authorization: Bearer swk_…`. A key belongs to a tenant and has a role. Errors are
problems (RFC 9457). POST takes an `Idempotency-Key`; lists come in pages with `next_cursor`."""


def create_app(ports: Ports, routers: Sequence[APIRouter] = (), shapes: Mapping[str, Shape] | None = None) -> FastAPI:
    """Return the application.

    Args:
        ports: the adapters; the caller closes them.
        routers: further surfaces beside the native API.
        shapes: how errors look under other prefixes than `/api`.
    """
    app = FastAPI(
        title="slowwave",
        version="1",
        description=_DESCRIPTION,
        docs_url=None,  # FastAPI's pages load scripts from a CDN; ours is gateway/api/openapi/page.py
        redoc_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
        telemetry=_telemetry(),
    )
    app.state.ports, app.state.authenticator = ports, Authenticator(ports.db)
    settings = ports.settings
    app.state.failed_keys = FailedKeys(ports.rates, settings.api_failed_keys_per_minute)
    app.state.stopping = asyncio.Event()
    surfaces = (*ROUTERS, *ANTHROPIC_ROUTERS, docs_router, *routers)
    routes = [route for router in surfaces for route in router.routes]
    counts = RequestCounts()
    app.state.turns = _make_turns(settings, counts)
    problems = Problems(counts, {"/api": as_problem, "/v1": as_anthropic_error, **(shapes or {})}, routes)
    problems.install(app)
    app.state.counts = counts
    # `include_router` would build every route a second time at the first request, and look through two lists at each.
    app.router.routes.extend(routes)
    app.add_middleware(BodyLimit, max_bytes=settings.api_max_body_bytes)
    most, streams = settings.api_max_requests, settings.api_max_streams
    app.add_middleware(BusyBound, most=most, most_streams=streams, answer=problems.answer)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(EndTurns)
    app.add_middleware(RequestIds, ids=ports.ids, counts=counts)
    app.add_middleware(PaceRefusals)
    finish_openapi(app)
    return app


def _make_turns(settings: Settings, counts: RequestCounts) -> TenantTurns:
    pace = Pace(share=settings.api_tenant_share, burst_seconds=settings.api_tenant_burst_seconds)
    at_once, waiting = settings.api_tenant_requests_at_once, settings.api_tenant_requests_waiting
    return TenantTurns(at_once, waiting, pace, note_paced=counts.note_paced)


def _telemetry() -> TelemetryConfig:
    """Let FastAPI trace requests when the process is traced. Its metrics and logs are off: slowwave has its own."""
    provider = find_tracer_provider()
    found: TelemetryConfig = {
        "tracing": provider is not None,
        "metrics": False,
        "logs": False,
        "operation_spans": False,
    }
    return found if provider is None else {**found, "tracer_provider": provider}


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """End open streams when the server stops, since it waits for them; flush what was counted on the way out."""
    to_thread.current_default_thread_limiter().total_tokens = THREADS
    log_accept_errors_sparsely(asyncio.get_running_loop())
    if threading.current_thread() is threading.main_thread():
        _stop_with_signals(app)
    watch = getattr(app.state, "schema_watch", None)  # of a process that serves, not of every application in it
    watching = asyncio.create_task(_watch_schema(watch)) if watch is not None else None
    yield
    if watching is not None:
        watching.cancel()
    app.state.stopping.set()
    await to_thread.run_sync(app.state.counts.send)
    await to_thread.run_sync(send_held_counts)
    await to_thread.run_sync(flush_traces)
    await to_thread.run_sync(app.state.ports.recall.flush)
    await to_thread.run_sync(app.state.ports.searches.flush)


async def _watch_schema(watch: SchemaWatch) -> None:
    """Look at the schema from time to time. A server that stops does not wait for a database that does not answer."""
    while True:
        await to_thread.run_sync(watch.look, abandon_on_cancel=True)
        await asyncio.sleep(LOOK_EVERY_SECONDS)


def _stop_with_signals(app: FastAPI) -> None:
    """Set the stop flag on SIGTERM and SIGINT, then call the server's own signal handlers."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(app.state.stopping.set)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, stop)
