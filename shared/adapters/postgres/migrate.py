"""Bring a database to the newest schema, with the owner's connection; the application role never owns a table."""

from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError as MigrationError
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import InterfaceError, OperationalError

from shared.core.errors import ConflictError, ServiceUnavailableError

__all__ = ["MigrationError", "check", "downgrade", "find_newer", "is_at_head", "upgrade"]

_MIGRATIONS = Path(__file__).parent / "migrations"
#: Any constant will do: two migrating processes take turns by it.
_MIGRATION_LOCK = 0x510_0A7E


def upgrade(owner_url: str, revision: str = "head", *, users: Sequence[int] = ()) -> None:
    """Migrate up to a revision; a second process waits for the first.

    Args:
        owner_url: of the role that owns the tables.
        revision: how far.
        users: other processes that use this database with whatever code they were started with; a schema that is not
            this code's is theirs, and is not changed under them.

    Raises:
        ConflictError: a newer slowwave migrated it, or those processes still use an older schema.
        MigrationError: the revision or a migration is wrong.
        ServiceUnavailableError: the database is away, or went away meanwhile; what was not committed is not there.
    """

    def up(config: Config) -> None:
        _check_may_migrate(config.attributes["connection"], users)
        command.upgrade(config, revision)
        _open_to_purge(config.attributes["connection"])

    _run(owner_url, up)


def _open_to_purge(connection: Connection) -> None:
    """Let the purging role into tables that are new, so that none is forgotten when a tenant is deleted."""
    if connection.execute(text("SELECT to_regproc('slowwave_open_to_purge') IS NOT NULL")).scalar_one():
        connection.execute(text("SELECT slowwave_open_to_purge()"))


def downgrade(owner_url: str, revision: str) -> None:
    """Migrate down to a revision (`base` drops everything)."""
    _run(owner_url, lambda config: command.downgrade(config, revision))


def check(owner_url: str) -> None:
    """Raise when the tables in the code and in the database differ."""
    _run(owner_url, command.check)


def is_at_head(connection: Connection) -> bool:
    """Tell whether a database has the newest schema."""
    heads = ScriptDirectory(str(_MIGRATIONS)).get_heads()
    return set(_find_current(connection)) == set(heads)


def find_newer(connection: Connection) -> str | None:
    """Return the revision of a database that a newer slowwave has migrated, which this code does not know."""
    known = {script.revision for script in ScriptDirectory(str(_MIGRATIONS)).walk_revisions()}
    return next((revision for revision in _find_current(connection) if revision not in known), None)


def _find_current(connection: Connection) -> tuple[str, ...]:
    return MigrationContext.configure(connection).get_current_heads()


def _check_may_migrate(connection: Connection, users: Sequence[int]) -> None:
    newer = find_newer(connection)
    if newer is not None:
        raise ConflictError(
            f"A newer slowwave has migrated this database (to {newer}, which this version does not know). Use that "
            "version, or restore a backup from before the upgrade; this one changed nothing."
        )
    current = _find_current(connection)
    if users and current and not is_at_head(connection):
        pids = ", ".join(map(str, users))
        raise ConflictError(
            f"This slowwave needs a newer schema than {current[0]}, which an older one still uses here (process {pids}, "
            "such as its `slowwave up`). End it first, with Ctrl-C in its terminal, then run this again: the database is "
            "migrated when nobody uses it. Nothing was changed."
        )


def _run(owner_url: str, action: Callable[[Config], None]) -> None:
    engine = create_engine(owner_url)
    try:
        with engine.connect() as connection:
            _run_alone(connection, action)
    except (OperationalError, InterfaceError) as error:
        said = str(error.orig).strip().splitlines()[0]
        raise ServiceUnavailableError(
            f"The database went away during the migration, or is not there: {said}"
        ) from error
    finally:
        engine.dispose()


def _run_alone(connection: Connection, action: Callable[[Config], None]) -> None:
    connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _MIGRATION_LOCK})
    connection.commit()
    try:
        config = Config(stdout=StringIO())  # what it says beside errors is nobody's business
        config.set_main_option("script_location", str(_MIGRATIONS))
        config.attributes["connection"] = connection
        action(config)
        connection.commit()
    finally:
        connection.rollback()
        connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _MIGRATION_LOCK})
        connection.commit()
