"""`slowwave restore`: restore a backup into an empty database, as a whole or not at all."""

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Json

from shared.adapters.postgres import migrate, revisions
from shared.adapters.postgres.backup.archive import chunks_of, open_backup
from shared.adapters.postgres.backup.manifest import Manifest
from shared.adapters.postgres.backup.save import (
    connect,
    count_rows,
    find_handed_over,
    find_major,
    find_tables,
)
from shared.adapters.postgres.backup.tools import find_tool, plain_url, write_to
from shared.core.errors import BadInputError, ConflictError, PermanentError

_OWNERS = (
    "slowwave_sweep",
    "slowwave_purge",
    "slowwave_redact",
    "slowwave_keys",
    "slowwave_audit",
    "slowwave_searches",
)
#: The tables with rows in a fresh schema.
_NOT_EMPTY_WHEN_FRESH = frozenset({"alembic_version", "installation"})
_FUNCTIONS = """
    SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND p.proname LIKE 'slowwave\\_%'
"""
_MISSING = "SELECT name FROM unnest(%s::text[]) name WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name)"
_OPEN = """
    SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    AND c.relname <> 'alembic_version' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The result of a restore: the manifest, and the reason why the application cannot log in yet, if it cannot."""

    manifest: Manifest
    login: str | None = None


def check_backup(file: Path) -> Manifest:
    """Return the manifest of a backup, after its dump was checked byte for byte. Raises BadInputError."""
    with open_backup(file) as (manifest, _):
        return manifest


def restore_backup(
    url: str, file: Path, *, actor: str, app_url: str | None = None, tools: Path | None = None
) -> Restored:
    """Restore a backup into an empty database, and check that everything is there.

    Args:
        url: the URL of the future owner of the tables, which may create roles or is a member of slowwave's roles.
        file: a file that `make_backup` wrote.
        actor: the actor, for the log of the installation.
        app_url: the URL of the application's role, to check that it can log in.
        tools: the folder of pg_restore, unless it is in a usual place.

    Raises:
        BadInputError: the file is damaged, or pg_restore is missing or too old.
        ConflictError: the database is not empty, or is too old for the backup.
        PermanentError: pg_restore failed, or rows are missing. The database is empty then.
        ServiceUnavailableError: the database does not answer.
    """
    with open_backup(file) as (manifest, dump), connect(url) as connection:
        _check_versions(connection, manifest)
        why = f"pg_dump {manifest.tool} wrote this backup"
        tool = find_tool("pg_restore", manifest.tool, tools, why=why)
        ensure_empty(connection, url)
        _make_roles(connection, manifest)
        try:
            # One transaction: when it fails, nothing has changed. Owners are left out, because the owner here may have
            # another name; the functions are handed over afterwards.
            arguments = ("--schema=public", "--no-owner", "--single-transaction", "--exit-on-error")
            write_to(tool, arguments, url, chunks_of(dump))
            _complete(connection, manifest, actor)
        finally:
            _close_schema(connection)
        connection.execute("ANALYZE")
    return Restored(manifest=manifest, login=_try_login(app_url))


def _complete(connection: psycopg.Connection, manifest: Manifest, actor: str) -> None:
    """Hand the functions to their roles and check that everything is there; otherwise empty the database again."""
    try:
        with connection.transaction():
            _hand_over(connection, manifest)
            _verify(connection, manifest)
            _record(connection, manifest, actor)
    except BaseException:
        _remove_all(connection)
        raise


def _check_versions(connection: psycopg.Connection, manifest: Manifest) -> None:
    major = find_major(connection)
    if major < manifest.server:
        raise ConflictError(
            f"The backup is from PostgreSQL {manifest.server}; this server is {major}. Restore it to a server of that "
            "version or a newer one; nothing was changed"
        )
    if not migrate.is_known(manifest.revision):
        raise ConflictError(
            f"The backup has the schema {manifest.revision}, which this slowwave does not know: slowwave "
            f"{manifest.slowwave} made it. Restore it with that version or a newer one; nothing was changed"
        )


def ensure_empty(connection: psycopg.Connection, url: str) -> None:
    """Refuse a database that is not empty; remove slowwave's schema if it is as migrations leave it.

    Raises:
        ConflictError: names tables with rows, or tables of another program.
    """
    tables = find_tables(connection)
    if not tables and not connection.execute(_FUNCTIONS.encode()).fetchall():
        return
    database = connection.info.dbname
    way = "restore into an empty one (createdb), and point slowwave's URLs there. Nothing was changed"
    if connection.execute("SELECT to_regprocedure('slowwave_grant_backup()')").fetchone() == (None,):
        raise ConflictError(f"The database {database} contains {', '.join(tables[:5]) or 'functions'}; {way}")
    try:
        with connection.transaction():
            counts = count_rows(connection)
    except psycopg.errors.InsufficientPrivilege:
        raise ConflictError(f"The database {database} contains tables of another owner; {way}") from None
    used = {name: rows for name, rows in counts.items() if rows and name not in _NOT_EMPTY_WHEN_FRESH}
    if used:
        named = ", ".join(f"{name} ({rows:,})" for name, rows in sorted(used.items(), key=lambda one: -one[1])[:5])
        raise ConflictError(f"The database {database} is not empty: {named}; {way}")
    migrate.downgrade(url, "base")
    connection.execute("DROP TABLE alembic_version")


def _make_roles(connection: psycopg.Connection, manifest: Manifest) -> None:
    """Create slowwave's roles. Refuse if an operator's own role is missing, which only the operator can create."""
    try:
        with connection.transaction():
            connection.execute((revisions.MIGRATIONS / "schema" / "roles.sql").read_bytes())
    except psycopg.errors.InsufficientPrivilege as error:
        raise PermanentError(
            f"{connection.info.user} may not create slowwave's roles ({error.diag.message_primary}). It needs CREATEROLE, "
            "or an administrator creates the roles and makes the owner a member of them (runbook restore-from-backup)"
        ) from None
    missing = [str(name) for (name,) in connection.execute(_MISSING, [manifest.roles]).fetchall()]
    if missing:
        _close_schema(connection)
        raise BadInputError(
            f"The backup grants rights to roles that this server does not have: {', '.join(missing)}. "
            f"Create them first: {'; '.join(f'CREATE ROLE {name}' for name in missing)}. Nothing was restored"
        )


def _hand_over(connection: psycopg.Connection, manifest: Manifest) -> None:
    for function, role in manifest.functions.items():
        found = connection.execute(
            "SELECT format('ALTER FUNCTION %%s OWNER TO %%I', %s::text::regprocedure, %s::text)", [function, role]
        ).fetchone()
        assert found is not None
        connection.execute(found[0].encode())


def _verify(connection: psycopg.Connection, manifest: Manifest) -> None:
    """Compare the database with the backup's manifest. Raises PermanentError."""
    counts = count_rows(connection)
    wrong = [
        f"{name} has {counts.get(name, 'no table for its')} of {rows} rows"
        for name, rows in manifest.tables.items()
        if counts.get(name) != rows
    ]
    wrong += [f"{name} is not in the manifest" for name in counts.keys() - manifest.tables.keys()]
    if connection.execute("SELECT version_num FROM alembic_version").fetchall() != [(manifest.revision,)]:
        wrong.append("the schema has another revision")
    if dict(find_handed_over(connection)) != manifest.functions:
        wrong.append("functions belong to other roles")
    wrong += [f"row-level security is not forced on {name}" for (name,) in connection.execute(_OPEN.encode())]
    if wrong:
        raise PermanentError(
            f"The restored data differs from the backup: {'; '.join(wrong)}. The database was emptied again"
        )


def _record(connection: psycopg.Connection, manifest: Manifest, actor: str) -> None:
    """Record the restore in the installation's log: changes after the backup are lost."""
    detail = {"made_at": manifest.made_at, "revision": manifest.revision, "rows": manifest.rows}
    connection.execute("SET LOCAL ROLE slowwave_purge")  # the only one beside the application that writes there
    connection.execute(
        "INSERT INTO installation_log (id, actor, action, detail) VALUES (%s, %s, 'installation.restore', %s)",
        [f"ins_{uuid4()}", actor, Json(detail)],
    )
    connection.execute("RESET ROLE")


def _remove_all(connection: psycopg.Connection) -> None:
    """Remove the restored data: the database was empty before, and half a backup looks like a whole one."""
    with connection.transaction():
        for name in find_tables(connection):
            connection.execute(sql.SQL("DROP TABLE public.{} CASCADE").format(sql.Identifier(name)))
        for (function,) in connection.execute(_FUNCTIONS.encode()).fetchall():
            connection.execute(f"DROP FUNCTION {function} CASCADE".encode())


def _close_schema(connection: psycopg.Connection) -> None:
    """Revoke the rights that roles.sql grants for the handover of functions."""
    roles = sql.SQL(", ").join(map(sql.Identifier, _OWNERS))
    connection.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM {}").format(roles))


def _try_login(app_url: str | None) -> str | None:
    """Return why the application cannot log in; a backup holds no passwords."""
    if app_url is None:
        return None
    try:
        with psycopg.connect(plain_url(app_url), connect_timeout=10):
            return None
    except psycopg.OperationalError as error:
        return str(error).strip().split("\n")[0]
