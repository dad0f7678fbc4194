"""The newest schema revision, found without Alembic, whose import takes a third of a second of every command.

Whether a database has it, and came by it from the baseline of this code.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psycopg

from shared.adapters.postgres.sql.connecting import BoundedConnection, connect_options
from shared.adapters.postgres.sql.statements import RawConnection
from shared.adapters.postgres.sql.verification import explain
from shared.core.errors import ConflictError, ServiceUnavailableError

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r'^(down_)?revision = "(\w+)"', re.MULTILINE)
#: The baseline makes this function, every later revision keeps it, and its comment says which baseline made it. Databases from
#: before the first release had other revisions under the same numbers, or the same one with other tables: this tells them apart.
BASELINE_FUNCTION = "slowwave_grant_purge"
_READ_BASELINE = """
    SELECT obj_description(to_regproc(%s), 'pg_proc'), has_table_privilege(found, 'SELECT')
    FROM to_regclass('alembic_version') AS found WHERE found IS NOT NULL
"""


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


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a database in words, and what to do if it is not the one that this code needs."""

    found: str
    advice: str = ""
    newer: str = ""  # the revision, if a newer slowwave has migrated it: while it is rolled out, older processes go on

    @property
    def is_newest(self) -> bool:
        """Tell whether it is the one that this code needs."""
        return not self.advice

    @property
    def is_usable(self) -> bool:
        """Tell whether this code can use it."""
        return not self.advice or bool(self.newer)

    def require(self) -> None:
        """Raise ConflictError, with what is found, needed and to be done, if this code cannot use it."""
        if not self.is_usable:
            raise ConflictError(f"The database has {self.found}; this slowwave needs {find_newest()}. {self.advice}")


def compare(raw: RawConnection) -> Schema:
    """Return the schema of a database."""
    there = raw.execute(_READ_BASELINE, [BASELINE_FUNCTION]).fetchone()
    baseline, is_readable = there or (None, False)
    row = raw.execute("SELECT max(version_num) FROM alembic_version").fetchone() if is_readable else None
    revision = str(row[0] or "") if row else ""
    if there is None or (is_readable and not revision):
        return Schema("no schema", "Run: slowwave migrate")
    if baseline != fingerprint_baseline():
        return Schema(
            f"the schema {revision or 'of another owner'} of another program, or of a version before the first release",
            "Use the version that created it, or name an empty database in SLOWWAVE_DATABASE_URL",
        )
    if revision == find_newest():
        return Schema("the newest schema")
    if revision in {known for _, known in _read_revisions()}:
        return Schema(f"the older schema {revision}", "Run: slowwave migrate")
    advice = "Upgrade this process; if its new version is installed already, restart it: deploy/runbooks/upgrade.md"
    return Schema(f"the schema {revision} of a newer slowwave", advice, newer=revision)


def read_schema(url: str, *, seconds: int | None = None) -> Schema:
    """Return the schema of a database. Raises ServiceUnavailableError if it does not answer.

    Args:
        url: its address.
        seconds: wait no longer to connect, nor for an answer, at least 2.
    """
    plain, patience = url.replace("postgresql+psycopg://", "postgresql://", 1), seconds
    options = connect_options(url) | ({"connect_timeout": seconds} if seconds else {})
    try:
        with BoundedConnection.connect(plain, **options) as connection:
            if patience is not None:
                connection.find_seconds = lambda: patience
            return compare(connection)
    except psycopg.Error as error:
        said = explain((str(error).strip() or type(error).__name__).splitlines()[0])
        raise ServiceUnavailableError(f"The database does not answer: {said}") from error


def _read_revisions() -> list[tuple[str, str]]:
    files = (MIGRATIONS / "versions").glob("*.py")
    return [match for file in files for match in _REVISION.findall(file.read_text(encoding="utf-8"))]
