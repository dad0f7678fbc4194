"""Connect to PostgreSQL with one set of options, for every part of the program.

Each connection tells the server its program and host, verifies a remote server, and detects a lost one.

Behind a pooler in transaction mode, such as pgbouncer, each transaction may run on another connection of the server, so
nothing may outlive a transaction: settings and locks are those of a transaction everywhere (docs/sql.md), and statements
are not prepared.
"""

from typing import Any

import psycopg
from sqlalchemy import Engine, event, make_url

from shared.adapters.postgres.sql.verification import verification_of
from shared.program_name import connection_name

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
