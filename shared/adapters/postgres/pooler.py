"""The pooler before PostgreSQL, for `slowwave doctor`: none, pgbouncer or another one."""

from typing import Any

import psycopg

from shared.adapters.postgres.sql.connecting import BoundedConnection, is_pooled
from shared.core.health import Finding, decide_health

#: pgbouncer's console is a database of this name; it answers roles in its `stats_users` or `admin_users`.
_CONSOLE = "pgbouncer"
_TIMEOUT_SECONDS = 2


def find_pooler(raw: psycopg.Connection[tuple[Any, ...]]) -> Finding:
    """Return whether a pooler stands before the server, and how it is set."""
    if not is_pooled(raw):
        return decide_health("pooler", "none: the server itself answers", ok=True, advice="")
    told = _ask_console(raw.info)
    if told is None:
        found = "one stands before the server, such as pgbouncer: statements are not prepared"
        return decide_health("pooler", found, ok=True, advice="")
    version, mode, size = told
    found = f"{version}, pool_mode {mode}, {size} connections a pool; statements are not prepared"
    return decide_health("pooler", found, ok=True, advice="")


def _ask_console(info: psycopg.ConnectionInfo) -> tuple[str, str, str] | None:
    """Return version, mode and size as pgbouncer's console tells them; None when it does not answer this role."""
    try:
        console = BoundedConnection.connect(
            info.dsn, dbname=_CONSOLE, password=info.password, connect_timeout=_TIMEOUT_SECONDS, autocommit=True
        )
        console.find_seconds = lambda: _TIMEOUT_SECONDS
        with console:
            version = console.execute("SHOW VERSION").fetchone() or ("pgbouncer",)
            # Name and value stand first in every version; some have columns after them.
            settings = {str(row[0]): str(row[1]) for row in console.execute("SHOW CONFIG").fetchall()}
    except psycopg.Error:
        return None
    return str(version[0]), settings.get("pool_mode", "unknown"), settings.get("default_pool_size", "unknown")
