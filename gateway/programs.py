"""Describe the programs that `slowwave up` runs. Their code is named, not imported."""

import secrets
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from gateway.supervisor import Program
from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE

_CELERY = (sys.executable, "-m", "celery")
#: On prefork, SIGTERM then finishes within the soft shutdown or returns the task at once. Threads drain anyway.
_SOFT = {"REMAP_SIGTERM": "SIGQUIT"}


def worker(concurrency: int, pool: str = "threads") -> Program:
    """Return the Celery worker for both queues, on threads or `prefork`."""
    options = ("-Q", f"{PHASE_QUEUE},{CONTROL_QUEUE}", "-P", pool, "-c", str(concurrency), "-l", "INFO")
    command = (*_CELERY, "-A", "workers.app", "worker", *options, "--without-gossip", "--without-mingle")
    return Program(name="worker", command=command, environment={"SLOWWAVE_WORKER_POOL": pool} | _SOFT)


def beat(data_dir: Path) -> Program:
    """Return beat; its schedule file may be lost at any time."""
    schedule = str(data_dir / "beat-schedule")
    return Program(name="beat", command=(*_CELERY, "-A", "scheduler.app", "beat", "-s", schedule, "-l", "INFO"))


def metrics(port: int) -> Program:
    """Return the process that Prometheus reads."""
    command = (sys.executable, "-m", "gateway.cli", "serve-metrics", "--port", str(port))
    return Program(name="metrics", command=command)


def api(host: str, port: int) -> tuple[Program, str]:
    """Return the HTTP API with its address: at `port`, or at a free one when that is taken."""
    chosen = port if is_free(host, port) else 0
    with socket.create_server((host, chosen)) as probe:
        chosen = probe.getsockname()[1]
    command = (sys.executable, "-m", "gateway.cli", "serve", "--host", host, "--port", str(chosen))
    return Program(name="api", command=command), f"http://{host}:{chosen}"


def is_free(host: str, port: int) -> bool:
    """Tell whether a program could listen there."""
    try:
        with socket.create_server((host, port)):
            return True
    except OSError:
        return False


def build_flower() -> tuple[Program, str, str]:
    """Return Flower on a free local port, with its address and the `user:password` for it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    login = f"slowwave:{secrets.token_urlsafe(9)}"
    environment = {"FLOWER_BASIC_AUTH": login, "FLOWER_COOKIE_SECRET": secrets.token_urlsafe(24)}
    return build_served_flower("127.0.0.1", port, environment), f"http://127.0.0.1:{port}", login


def build_served_flower(address: str, port: int | str, environment: Mapping[str, str] | None = None) -> Program:
    """Return Flower, read-only. The caller sets FLOWER_BASIC_AUTH in its environment."""
    config = str(Path(__file__).parents[1] / "deploy" / "flower" / "flowerconfig.py")
    command = (*_CELERY, "-A", "workers.app", "flower", f"--address={address}", f"--port={port}", f"--conf={config}")
    return Program(name="flower", command=command, environment=environment or {})
