"""Bring a database to the newest schema, with the owner's connection; the application role never owns a table."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError as MigrationError
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import InterfaceError, OperationalError

from shared.core.errors import ServiceUnavailableError

__all__ = ["MigrationError", "check", "downgrade", "is_at_head", "upgrade"]

_MIGRATIONS = Path(__file__).parent / "migrations"
#: Any constant will do: two migrating processes take turns by it.
_MIGRATION_LOCK = 0x510_0A7E


def upgrade(owner_url: str, revision: str = "head") -> None:
    """Migrate up to a revision; a second process waits for the first.

    Raises:
        MigrationError: the revision or a migration is wrong.
        ServiceUnavailableError: the database is away, or went away meanwhile; what was not committed is not there.
    """

    def up(config: Config) -> None:
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
    return set(MigrationContext.configure(connection).get_current_heads()) == set(heads)


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
