"""Connect to PostgreSQL with one set of options, for every part of the program.

Each connection tells the server its program and host, verifies a remote server, and detects a lost one.

Behind a pooler in transaction mode, such as pgbouncer, each transaction may run on another connection of the server, so
nothing may outlive a transaction: settings and locks are those of a transaction everywhere (docs/sql.md), and statements
are not prepared.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Engine, event, make_url

from shared.adapters.postgres.sql.verification import verification_of
from shared.program import connection_name

T = TypeVar("T")
#: How often a waiting thread looks at its deadline, and at Ctrl-C.
_LOOK_SECONDS = 0.1

#: A server or network that disappears silently is detected within about a minute. Options in the URL take precedence.
_NOTICE = {
    "connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}  # fmt: skip


def connect_options(url: str) -> dict[str, Any]:
    """Return psycopg's options for an address, except those that it sets itself."""
    options = {"application_name": connection_name()} | _NOTICE | verification_of(url)
    written = make_url(url).query
    return {name: value for name, value in options.items() if name not in written}


class NoAnswerError(psycopg.OperationalError):
    """The server has taken the message and has not answered it in time; the connection is closed."""


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that waits for an answer only as long as `find_seconds` says.

    The server's own time limits are of no use when its processes stand still, and TCP keeps such a connection open for
    ever, since the kernel confirms what the server does not read.
    """

    find_seconds: Callable[[], float] = staticmethod(lambda: 10.0)

    def wait(self, gen: PQGen[T], interval: float = _LOOK_SECONDS, timeout: float | None = None) -> T:
        """Wait for the server. Raises NoAnswerError."""
        seconds = self.find_seconds() if timeout is None else timeout
        begun = time.monotonic()
        try:
            return super().wait(gen, interval, seconds)
        except psycopg.OperationalError as error:
            if timeout is not None or time.monotonic() - begun < seconds:
                raise
            self.close()
            raise NoAnswerError(f"no answer within {seconds:g} s") from error


def bound_waits(engine: Engine, find_seconds: Callable[[], float]) -> None:
    """Let each new connection of an engine wait for an answer only as long as the function says at that moment."""

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> BoundedConnection:
        raw = BoundedConnection.connect(*arguments, **options)
        raw.find_seconds = find_seconds
        return raw


def disable_prepared_statements_behind_pooler(engine: Engine) -> None:
    """Check each new connection once for a pooler; psycopg prepares statements only on direct connections."""

    @event.listens_for(engine, "connect")
    def _look(raw: psycopg.Connection[tuple[Any, ...]], _record: object) -> None:
        if is_pooled(raw):
            raw.prepare_threshold = None


def is_pooled(raw: psycopg.Connection[tuple[Any, ...]]) -> bool:
    """Tell whether a pooler answers instead of the server: it gives clients its own process ids."""
    row = raw.execute("SELECT pg_backend_pid()").fetchone()
    return row != (raw.info.backend_pid,)
