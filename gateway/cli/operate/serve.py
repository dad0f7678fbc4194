"""`slowwave serve`: run only the API, on its own machine or under a supervisor.

`slowwave mcp`: give an agent on this machine memory as MCP tools, over standard input and output.

`slowwave metrics` and `serve-metrics`: print metrics for Prometheus once, or serve them over HTTP.
"""

import os
import signal
import threading
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, say
from gateway.cli.console.session import open_session
from shared.bootstrap import local_servers, make_counters
from shared.core.errors import BadInputError, UnauthenticatedError
from shared.core.metrics import METRICS
from shared.process_ports import require_schema
from shared.program import COMMAND
from shared.settings import load_settings


def serve_api(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on. Default: SLOWWAVE_API_HOST, or 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="The port to listen on; 0 picks a free one.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 1,
) -> None:
    """Serve the HTTP API until Ctrl-C or SIGTERM. Requests in progress are finished first."""
    # FastAPI and uvicorn take half a second to import, which no other command should wait for.
    from gateway.api.server import address_of, bind, serve  # noqa: PLC0415 - the reason is above

    settings = load_settings()
    with bind(host or settings.api_host, settings.api_port if port is None else port) as listening:
        with local_servers(settings) as found:
            require_schema(found)
            say(f"slowwave's API listens at {address_of(listening)}", "bold green")
            say(f"  a key     {COMMAND} keys create TENANT --role agent")
            say(f"  console   {address_of(listening)}/console")
            say(f"  API       {address_of(listening)}/docs")
            serve(found, listening, workers)
        say("Stopped.")


KEY_VARIABLE = "SLOWWAVE_KEY"


def serve_mcp(
    tenant: Annotated[
        str | None, typer.Option("--tenant", "-t", help="The tenant to serve, for an operator's key.")
    ] = None,
) -> None:
    """Serve MCP on standard input and output, with the API key in SLOWWAVE_KEY.

    An agent's configuration starts this command; docs/mcp.md shows how. Over the network, MCP is at /mcp of the API.
    """
    token = os.environ.get(KEY_VARIABLE, "")
    if not token:
        msg = f"{KEY_VARIABLE} is not set to a key; `slowwave keys create TENANT --role agent` creates one"
        raise UnauthenticatedError(msg)
    # The SDK takes a second to import, which no other command should wait for.
    from gateway.mcp.stdio import serve_stdio  # noqa: PLC0415 - the reason is above

    with open_session() as session:
        serve_stdio(session.ports, token, tenant)


Port = Annotated[int | None, typer.Option(min=1, max=65_535, help="The port. Default: SLOWWAVE_METRICS_PORT.")]
ByTenant = Annotated[
    bool,
    typer.Option(
        "--by-tenant",
        help="Also report today's cost of the 1,000 most expensive tenants. Exposes tenant names to Prometheus.",
    ),
]
Host = Annotated[str, typer.Option(help="The address to listen on.")]


def metrics(
    names: Annotated[bool, typer.Option("--names", help="Only list the metrics: name, kind, help.")] = False,
    by_tenant: ByTenant = False,
    as_json: AsJson = False,
) -> None:
    """Print all metrics once, in the Prometheus text format."""
    if names:
        listed = [{"name": m.name, "kind": m.kind, "labels": m.labels, "help": m.help} for m in METRICS]
        print_json(listed) if as_json else say("\n".join(f"{m.name}  {m.kind}  {m.help}" for m in METRICS))
        return
    # prometheus-client takes a moment to import; no other command needs it.
    from gateway.metrics import render_metrics  # noqa: PLC0415 - the reason is above

    with open_session() as session:
        counters = make_counters(session.settings)
        text = render_metrics(session.ports.db, counters, by_tenant=by_tenant)
        counters.close()
    print_json({"text": text}) if as_json else say(text.rstrip("\n"))


def serve_metrics(port: Port = None, host: Host = "127.0.0.1", by_tenant: ByTenant = False) -> None:
    """Serve all metrics at /metrics until Ctrl-C. One such process is enough for an installation."""
    from prometheus_client import start_http_server  # noqa: PLC0415 - see above

    from gateway.metrics import make_registry  # noqa: PLC0415 - see above

    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with open_session() as session:
        wanted = port or session.settings.metrics_port
        if wanted is None:
            raise BadInputError("Give --port, or set SLOWWAVE_METRICS_PORT")
        counters = make_counters(session.settings)
        try:
            registry = make_registry(session.ports.db, counters, by_tenant=by_tenant)
            server, thread = start_http_server(wanted, addr=host, registry=registry)
        except OSError as error:
            msg = f"Cannot listen on port {wanted} of {host}: {error.strerror}; choose another with --port"
            raise BadInputError(msg) from error
        say(f"Metrics: http://{host}:{wanted}/metrics")
        stopped.wait()
        server.shutdown()
        server.server_close()
        thread.join()
        counters.close()
