"""Keep one set of ports per process, built on first use; check its schema, and trace the process if a collector is set."""

import atexit
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache

from shared import bootstrap
from shared.adapters.postgres.revisions import find_newest, read_schema
from shared.adapters.redis.worker_pulse import find_workers, name_others
from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError, ServiceUnavailableError, SlowwaveError
from shared.logger import get_logger
from shared.settings import Settings, load_settings
from shared.tracing import start_tracing, stop_tracing

LOOK_EVERY_SECONDS = 60.0
#: A server that stands still holds up the loop of a worker or of beat for this long, once a minute.
_PATIENCE_SECONDS = 3
_log = get_logger()


def get_ports() -> Ports:
    """Return the ports of this process, a worker or beat. A forked child makes its own and does not touch its parent's connections.

    They see the copies of stores that evaluations dream over.
    """
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
    made = bootstrap.make_ports(load_settings(), counts_wait=True)
    ports = replace(made, db=made.db.with_shadows())
    trace_process(load_settings(), "worker")
    _MADE.append((pid, ports))
    atexit.register(close_ports)
    return ports


def require_schema(settings: Settings) -> None:
    """Refuse a schema that this code cannot use. Does nothing while the database does not answer.

    Raises:
        ConflictError: says what is found, needed and to be done.
    """
    with suppress(ServiceUnavailableError):
        bootstrap.require_schema(bootstrap.database_url(settings))


def require_schema_or_exit() -> None:
    """Do the same in a program of Celery's, which ends with the sentence."""
    try:
        require_schema(load_settings())
    except ConflictError as error:
        raise SystemExit(str(error)) from None


class SchemaWatch:
    """Tells in the log of a running process that its schema or its company has moved on to another version.

    A process that starts refuses a schema that it cannot use; one that runs through a migration goes on. Its loop calls `look`.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._next_at = float("-inf")
        self._told: object = None

    def look(self) -> None:
        """Log a warning if the schema or the company is of another version, once until that changes. Never raises."""
        if self._clock() < self._next_at:
            return
        self._next_at = self._clock() + LOOK_EVERY_SECONDS
        try:
            self._compare(find_newest())
        except SlowwaveError:
            return  # a server does not answer; others tell

    def _compare(self, wanted: str) -> None:
        schema = read_schema(bootstrap.database_url(self._settings), seconds=_PATIENCE_SECONDS)
        if not schema.is_newest:
            if self._is_news(schema.found):
                _log.warning("schema_differs", found=schema.found, wanted=wanted, advice=schema.advice)
            return
        workers = find_workers(bootstrap.redis_url(self._settings))
        others = name_others(workers, wanted)
        if self._is_news({one.facts.schema for one in workers} - {"", wanted} or None) and others:
            advice = "Restart these workers with the new version, or this process: deploy/runbooks/upgrade.md"
            _log.warning("workers_differ", found=others, wanted=wanted, advice=advice)

    def _is_news(self, found: object) -> bool:
        is_news, self._told = found != self._told, found
        return is_news


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
