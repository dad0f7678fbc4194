"""`slowwave metrics` and `serve-metrics`: what Prometheus reads, once or over HTTP."""

import signal
import threading
from typing import Annotated

import typer

from gateway.cli.options import AsJson
from gateway.cli.output import print_json, say
from gateway.cli.session import open_session
from shared.bootstrap import make_counters
from shared.core.errors import BadInputError
from shared.core.metrics import METRICS

Port = Annotated[int | None, typer.Option(min=1, max=65_535, help="The port; SLOWWAVE_METRICS_PORT if left out.")]
Host = Annotated[str, typer.Option(help="The address to listen on.")]


def metrics(
    names: Annotated[bool, typer.Option("--names", help="Only list what there is: name, kind, help.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print all metrics once, in Prometheus' text format."""
    if names:
        listed = [{"name": m.name, "kind": m.kind, "labels": m.labels, "help": m.help} for m in METRICS]
        print_json(listed) if as_json else say("\n".join(f"{m.name}  {m.kind}  {m.help}" for m in METRICS))
        return
    # prometheus-client takes a moment to import; no other command needs it.
    from gateway.metrics import render_metrics  # noqa: PLC0415 - the reason is above

    with open_session() as session:
        counters = make_counters(session.settings)
        text = render_metrics(session.ports.db, counters)
        counters.close()
    print_json({"text": text}) if as_json else say(text.rstrip("\n"))


def serve_metrics(port: Port = None, host: Host = "127.0.0.1") -> None:
    """Serve all metrics at /metrics until Ctrl-C. One of these is enough for an installation, whatever it runs."""
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
            server, thread = start_http_server(wanted, addr=host, registry=make_registry(session.ports.db, counters))
        except OSError as error:
            msg = f"Port {wanted} of {host} cannot be had: {error.strerror}; choose another with --port"
            raise BadInputError(msg) from error
        say(f"Metrics: http://{host}:{wanted}/metrics")
        stopped.wait()
        server.shutdown()
        server.server_close()
        thread.join()
        counters.close()
