"""The newest schema revision, found without Alembic, whose import takes a third of a second of every command."""

import re
from pathlib import Path

import psycopg

from shared.adapters.postgres.sql.connecting import connect_options
from shared.core.errors import ConflictError

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r'^(down_)?revision = "(\w+)"', re.MULTILINE)
_IS_MIGRATED = "SELECT to_regclass('alembic_version') IS NOT NULL AND to_regproc('slowwave_grant_purge') IS NOT NULL"


def find_newest() -> str:
    """Return the revision that no other one follows. Raises ConflictError when there is not exactly one."""
    files = (MIGRATIONS / "versions").glob("*.py")
    named = [match for file in files for match in _REVISION.findall(file.read_text(encoding="utf-8"))]
    newest = {revision for down, revision in named if not down} - {revision for down, revision in named if down}
    if len(newest) != 1:
        raise ConflictError(f"The migrations must end in one revision, not in {', '.join(sorted(newest)) or 'none'}")
    return str(newest.pop())


def is_newest(owner_url: str) -> bool:
    """Tell whether a database has the newest schema; False when it does not answer."""
    try:
        plain = owner_url.replace("postgresql+psycopg://", "postgresql://", 1)
        with psycopg.connect(plain, **connect_options(owner_url)) as connection:
            is_migrated = connection.execute(_IS_MIGRATED).fetchone() == (True,)
            return is_migrated and _find_revisions(connection) == [(find_newest(),)]
    except psycopg.Error:
        return False


def _find_revisions(connection: psycopg.Connection[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return connection.execute("SELECT version_num FROM alembic_version").fetchall()
