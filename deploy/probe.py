"""Tell whether the worker, beat, API or metrics server of this machine is alive: `python -m deploy.probe worker|beat|serve|serve-metrics`.

For HEALTHCHECK, Kubernetes probes and cron. It reads the age of a heartbeat file with the standard library alone, within
a few hundredths of a second. It needs no server: a worker that cannot reach its broker stops its heartbeat. The API is
asked at `/healthz`, which needs no server either; load balancers ask `/readyz` whether it can serve requests. The metrics
are not read: a scrape has its price, and `slowwave doctor` would take the probe for Prometheus.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

from shared.liveness import MAX_LIVENESS_AGE_SECONDS, ROLES, LivenessFile, liveness_folder

_API, _API_PORT = "serve", "8400"
_METRICS, _METRICS_PORT = "serve-metrics", "9464"
_PATIENCE_SECONDS = 3.0


def main(arguments: list[str]) -> int:
    """Print one sentence; return 0 when it is alive, 1 when it is not, 2 for an unknown role."""
    if arguments == [_API]:
        return _ask("API", "GET", "/healthz", "SLOWWAVE_API_PORT", _API_PORT)
    if arguments == [_METRICS]:
        return _ask("metrics server", "OPTIONS", "/metrics", "SLOWWAVE_METRICS_PORT", _METRICS_PORT)
    if len(arguments) != 1 or arguments[0] not in ROLES:
        print(f"Say which: python -m deploy.probe {'|'.join([*ROLES, _API, _METRICS])}")
        return 2
    role = arguments[0]
    folder = liveness_folder(os.environ.get("SLOWWAVE_DATA_DIR") or ".slowwave", os.environ.get("SLOWWAVE_PROBE_DIR"))
    age = LivenessFile(folder, role).find_age_seconds()
    if age is None:
        print(f"The {role} has no liveness file in {folder}: it is starting, or it runs elsewhere")
        return 1
    if age > MAX_LIVENESS_AGE_SECONDS:
        print(f"The {role} has been silent for {age:.0f} s (more than {MAX_LIVENESS_AGE_SECONDS:.0f} s): restart it")
        return 1
    print(f"The {role} was alive {age:.0f} s ago")
    return 0


def _ask(what: str, method: str, path: str, variable: str, usual_port: str) -> int:
    port = os.environ.get(variable) or usual_port
    if not port.isdigit():
        print(f"{variable} is {port!r}, which is not a port")
        return 2
    connection = HTTPConnection("127.0.0.1", int(port), timeout=_PATIENCE_SECONDS)
    try:
        connection.request(method, path)
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        print(f"The {what} does not answer at port {port} ({type(error).__name__}): it is starting, or restart it")
        return 1
    finally:
        connection.close()
    print(f"The {what} answers {status} at port {port}")
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
