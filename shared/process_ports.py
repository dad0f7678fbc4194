"""Keep one set of ports per process, built on first use; check its schema, and trace the process if a collector is set."""

import atexit
import os
from contextlib import suppress
from functools import cache

from shared import bootstrap
from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError, ServiceUnavailableError
from shared.logger import get_logger
from shared.settings import Settings, load_settings
from shared.tracing import start_tracing, stop_tracing


def get_ports() -> Ports:
    """Return this process's ports. A forked child makes its own and does not touch its parent's connections."""
    return _ports_of(os.getpid())


def close_ports() -> None:
    """Send the counts of this process and close its connections. Does nothing if it has no ports."""
    for pid, ports in _MADE:
        if pid == os.getpid():
            ports.close()
            stop_tracing()
    _MADE.clear()


_MADE: list[tuple[int, Ports]] = []


@cache
def _ports_of(pid: int) -> Ports:
    ports = bootstrap.make_ports(load_settings(), counts_wait=True)
    trace_process(load_settings(), "worker")
    _MADE.append((pid, ports))
    atexit.register(close_ports)
    return ports


def require_schema(settings: Settings) -> None:
    """Log that a newer slowwave has migrated the database. Does nothing while the database does not answer.

    Raises:
        ConflictError: this code cannot use the schema; says what is found, needed and to be done.
    """
    with suppress(ServiceUnavailableError):
        newer = bootstrap.require_schema(bootstrap.database_url(settings))
        if newer:
            get_logger().warning("schema_is_newer", schema=newer, advice="upgrade this process")


def require_schema_or_exit() -> None:
    """Do the same in a program of Celery's, which ends with the sentence."""
    try:
        require_schema(load_settings())
    except ConflictError as error:
        raise SystemExit(str(error)) from None


def trace_process(settings: Settings, program: str) -> None:
    """Send the spans of this process to the collector of the settings, if there is one.

    Raises:
        BadInputError: the extra packages are missing.
    """
    if not settings.traces_endpoint:
        return
    try:
        from shared.adapters.otel.tracing import make_tracing  # noqa: PLC0415 - an extra, needed for traces only
    except ImportError as error:
        msg = "SLOWWAVE_TRACES_ENDPOINT needs more packages: pip install --require-hashes -r requirements-otel.lock"
        raise BadInputError(msg) from error
    start_tracing(make_tracing(program, settings.traces_endpoint), statements=settings.traces_statements)
