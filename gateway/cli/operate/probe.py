"""`slowwave probe`: tell whether the worker, beat, API or metrics server of this machine is alive.

For HEALTHCHECK, Kubernetes probes, cron and runbooks. It asks no other server: a worker that cannot reach its broker stops
touching its file, and the API is asked at `/healthz`, which needs no server either; load balancers ask `/readyz` whether it
can serve requests. The metrics are not read: a scrape has its price, and `slowwave doctor` would take the probe for Prometheus.
"""

from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, say
from shared.core.errors import BadInputError
from shared.liveness import MAX_LIVENESS_AGE_SECONDS, LivenessFile, liveness_folder
from shared.settings import Settings, load_settings

_METRICS_PORT = 9464
_PATIENCE_SECONDS = 3.0
#: What a program listens on when it listens everywhere, which is no address to ask.
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - nothing is bound here


class Role(StrEnum):
    """A process that can be probed."""

    WORKER = "worker"
    BEAT = "beat"
    API = "api"
    METRICS = "metrics"


def probe(role: Annotated[Role, typer.Argument(help="The process.")], as_json: AsJson = False) -> None:
    """Tell whether the worker, beat, API or metrics server of this machine is alive. Exit code 1 when it is not."""
    settings = load_settings()
    if role is Role.API:
        is_alive, found = _ask("API", "GET", "/healthz", settings.api_host, settings.api_port)
    elif role is Role.METRICS:
        port = settings.metrics_port or _METRICS_PORT
        is_alive, found = _ask("metrics server", "OPTIONS", "/metrics", "127.0.0.1", port)
    else:
        is_alive, found = _read_age(role, settings)
    print_json({"role": role, "alive": is_alive, "message": found}) if as_json else say(found)
    if not is_alive:
        raise typer.Exit(1)


def _read_age(role: Role, settings: Settings) -> tuple[bool, str]:
    folder = liveness_folder(settings.data_dir, settings.probe_dir)
    try:
        age = LivenessFile(folder, role).find_age_seconds()
    except OSError as error:
        raise BadInputError(f"{folder} cannot be read: {error.strerror}; run this as the {role}'s user") from None
    if age is None:
        return False, f"The {role} has no liveness file in {folder}: it is starting, or it runs elsewhere"
    if age > MAX_LIVENESS_AGE_SECONDS:
        limit = f"{MAX_LIVENESS_AGE_SECONDS:.0f} s"
        return False, f"The {role} has been silent for {age:.0f} s (more than {limit}): restart it"
    return True, f"The {role} was alive {age:.0f} s ago"


def _ask(what: str, method: str, path: str, host: str, port: int) -> tuple[bool, str]:
    connection = HTTPConnection("127.0.0.1" if host in _EVERYWHERE else host, port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request(method, path)
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        why = type(error).__name__
        return False, f"The {what} does not answer at port {port} ({why}): it is starting, or restart it"
    finally:
        connection.close()
    return status == 200, f"The {what} answers {status} at port {port}"
