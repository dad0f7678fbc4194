"""`slowwave backup`: one snapshot of the whole database by pg_dump, with a manifest of its contents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from shared.adapters.postgres.backup.archive import write_backup
from shared.adapters.postgres.backup.manifest import Manifest
from shared.adapters.postgres.backup.tools import find_tool, plain_url, read_from
from shared.adapters.postgres.sql.silence import cut_by_silence
from shared.core.errors import ConflictError, PermanentError, ServiceUnavailableError

#: The role that sees every row. Row-level security also applies to the owner of the tables.
READER = "slowwave_backup"
_MAY_READ = "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = %s) AND pg_has_role(current_user, %s, 'MEMBER')"
#: Finds tables whose rows the reader would not see, and which would be saved as empty.
_HIDDEN = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
    AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('r', '*')
                    AND %s::regrole = ANY (p.polroles) AND pg_get_expr(p.polqual, p.polrelid) = 'true')
    ORDER BY 1
"""
_TABLES = """
    SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') ORDER BY 1
"""
_FUNCTIONS = """
    SELECT p.oid::regprocedure::text, pg_get_userbyid(p.proowner)::text FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND pg_get_userbyid(p.proowner) LIKE 'slowwave\\_%' ORDER BY 1
"""
_ROLES = """
    SELECT DISTINCT r.rolname::text FROM (
      SELECT (aclexplode(c.relacl)).grantee FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      UNION SELECT (aclexplode(a.attacl)).grantee FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace
      UNION SELECT (aclexplode(p.proacl)).grantee FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      UNION SELECT unnest(p.polroles) FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        WHERE c.relnamespace = 'public'::regnamespace
    ) named JOIN pg_roles r ON r.oid = named.grantee ORDER BY 1
"""
_NOW = "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
_OWNER = "SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = 'public.memories'::regclass"


@contextmanager
def connect(url: str) -> Iterator[psycopg.Connection]:
    """Connect as the owner; no transaction is open. Raises ServiceUnavailableError, also if the server falls silent in the block."""
    try:
        connection = psycopg.connect(plain_url(url), autocommit=True, connect_timeout=10)
    except psycopg.OperationalError as error:
        said = str(error).strip().split("\n")[0]
        raise ServiceUnavailableError(f"The database at SLOWWAVE_OWNER_DATABASE_URL does not answer: {said}") from None
    with connection, cut_by_silence(url, connection):
        yield connection


def find_major(connection: psycopg.Connection) -> int:
    """Return the server's major version."""
    return connection.info.server_version // 10_000


def make_backup(url: str, file: Path, *, version: str, tools: Path | None = None) -> Manifest:
    """Write a backup of a database and return its manifest.

    Args:
        url: the URL of the owner of the tables, which needs no superuser rights.
        file: the file, which must not exist; it appears when it is complete.
        version: slowwave's version, for the manifest.
        tools: the folder of pg_dump, unless it is in a usual place.

    Raises:
        BadInputError: pg_dump is missing or too old, or the file cannot be written.
        ConflictError: the file exists, or the schema is not one that can be saved as a whole.
        PermanentError: pg_dump failed.
        ServiceUnavailableError: the database does not answer.
    """
    with connect(url) as connection:
        _check_may_read(connection)
        major = find_major(connection)
        tool = find_tool("pg_dump", major, tools, why=f"the server is PostgreSQL {major}")
        with connection.transaction():
            # pg_dump uses this transaction's snapshot, so that its rows and the counts are of one moment.
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            connection.execute("SET LOCAL statement_timeout = 0")
            snapshot = str(_one(connection, "SELECT pg_export_snapshot()"))

            def describe(size: int, digest: str) -> Manifest:
                return _describe(connection, version=version, tool=tool.major, size=size, digest=digest)

            return write_backup(file, read_from(tool, _arguments(snapshot), url), describe)


def _arguments(snapshot: str) -> list[str]:
    return [
        "--format=custom",
        "--schema=public",
        f"--role={READER}",
        "--enable-row-security",
        f"--snapshot={snapshot}",
        "--lock-wait-timeout=60s",
    ]


def _check_may_read(connection: psycopg.Connection) -> None:
    """Refuse a backup that would be incomplete."""
    if _one(connection, "SELECT to_regprocedure('slowwave_grant_backup()')") is None:
        raise ConflictError("This database has no schema that can be saved. Run `slowwave migrate` first")
    if not _one(connection, _MAY_READ, READER, READER):
        user = _one(connection, "SELECT current_user")
        raise PermanentError(f"{user} may not read every row: as an administrator, GRANT {READER} TO {user}")
    hidden = [str(name) for (name,) in connection.execute(_HIDDEN, [READER]).fetchall()]
    if hidden:
        raise ConflictError(
            f"{READER} cannot see the rows of {', '.join(hidden)}. Run `slowwave migrate`, then try again"
        )


def _describe(connection: psycopg.Connection, *, version: str, tool: int, size: int, digest: str) -> Manifest:
    owner = str(_one(connection, _OWNER))
    return Manifest(
        made_at=str(_one(connection, _NOW)),
        slowwave=version,
        revision=str(_one(connection, "SELECT version_num FROM alembic_version")),
        server=find_major(connection),
        tool=tool,
        owner=owner,
        tables=count_rows(connection),
        functions=dict(find_handed_over(connection)),
        roles=[str(name) for (name,) in connection.execute(_ROLES.encode()).fetchall() if name != owner],
        dump_bytes=size,
        dump_sha256=digest,
    )


def find_handed_over(connection: psycopg.Connection) -> list[tuple[str, str]]:
    """Return the functions that one of slowwave's roles owns, with that role."""
    return [(str(name), str(role)) for name, role in connection.execute(_FUNCTIONS).fetchall()]


def find_tables(connection: psycopg.Connection) -> list[str]:
    """Return the names of all tables except those of extensions."""
    return [str(name) for (name,) in connection.execute(_TABLES).fetchall()]


def count_rows(connection: psycopg.Connection) -> dict[str, int]:
    """Return the number of rows of each table, counted as the role that sees all; needs an open transaction."""
    connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(READER)))
    counts = {}
    for name in find_tables(connection):
        counted = connection.execute(sql.SQL("SELECT count(*) FROM public.{}").format(sql.Identifier(name))).fetchone()
        counts[name] = int(counted[0]) if counted else 0
    connection.execute("RESET ROLE")
    return counts


def _one(connection: psycopg.Connection, query: str, *values: object) -> object:
    row = connection.execute(query.encode(), values or None).fetchone()
    return row[0] if row else None
