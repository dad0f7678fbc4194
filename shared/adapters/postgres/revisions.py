"""The newest schema revision, found without Alembic, whose import takes a third of a second of every command.

Whether a database has it, and came by it from the baseline of this code.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

import psycopg

from shared.adapters.postgres.sql.connecting import BoundedConnection, connect_options
from shared.adapters.postgres.sql.verification import explain
from shared.core.errors import ConflictError, ServiceUnavailableError

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r'^(down_)?revision = "(\w+)"', re.MULTILINE)
#: The baseline makes this function, every later revision keeps it, and its comment says which baseline made it. Databases from
#: before the first release had other revisions under the same numbers, or the same one with other tables: this tells them apart.
BASELINE_FUNCTION = "slowwave_grant_purge"
_READ_BASELINE = "SELECT obj_description(to_regproc(%s), 'pg_proc') FROM to_regclass('alembic_version') AS found WHERE found IS NOT NULL"


@cache
def fingerprint_baseline() -> str:
    """Return the SHA-256 of the statements that the baseline runs, without its comments and blank lines."""
    digest = hashlib.sha256()
    for file in sorted((MIGRATIONS / "schema").rglob("*.sql")):
        lines = (line.rstrip() for line in file.read_text("utf-8").splitlines())
        digest.update("\n".join(line for line in lines if line and not line.lstrip().startswith("--")).encode())
    return digest.hexdigest()


def find_newest() -> str:
    """Return the newest revision. Raises ConflictError unless there is exactly one."""
    named = _read_revisions()
    newest = {revision for down, revision in named if not down} - {revision for down, revision in named if down}
    if len(newest) != 1:
        raise ConflictError(f"The migrations must end in one revision, not in {', '.join(sorted(newest)) or 'none'}")
    return str(newest.pop())


def is_newest(url: str) -> bool:
    """Tell whether a database has the newest schema; False when it does not answer."""
    try:
        return _find_current(url) == find_newest()
    except psycopg.Error:
        return False


def is_migrated(url: str) -> bool:
    """Tell whether a database has the schema that this code needs, or that of a newer slowwave.

    While a new version is rolled out, processes of the one before still start.

    Raises:
        ServiceUnavailableError: it does not answer.
    """
    try:
        current = _find_current(url)
    except psycopg.Error as error:
        said = explain((str(error).strip() or type(error).__name__).splitlines()[0])
        raise ServiceUnavailableError(f"The database does not answer: {said}") from error
    older = {revision for _, revision in _read_revisions()} - {find_newest()}
    return current is not None and current not in older


def _read_revisions() -> list[tuple[str, str]]:
    files = (MIGRATIONS / "versions").glob("*.py")
    return [match for file in files for match in _REVISION.findall(file.read_text(encoding="utf-8"))]


def _find_current(url: str) -> str | None:
    """Return the revision of a database; None when nothing, or no released version, has migrated it."""
    plain = url.replace("postgresql+psycopg://", "postgresql://", 1)
    with BoundedConnection.connect(plain, **connect_options(url)) as connection:
        if connection.execute(_READ_BASELINE, [BASELINE_FUNCTION]).fetchone() != (fingerprint_baseline(),):
            return None
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(found[0][0]) if len(found) == 1 else None
