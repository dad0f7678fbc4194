"""Bring a database to the newest schema, with the owner's connection; the application role never owns a table."""

from collections.abc import Callable, Sequence
from io import StringIO

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError as MigrationError
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import InterfaceError, OperationalError

from shared.adapters.postgres import revisions
from shared.adapters.postgres.sql.connecting import connect_options
from shared.adapters.postgres.sql.silence import cut_by_silence
from shared.adapters.postgres.sql.statements import raw_of
from shared.adapters.postgres.sql.verification import explain
from shared.core.errors import ConflictError, OutdatedDataError, ServiceUnavailableError

__all__ = [
    "MigrationError",
    "check",
    "downgrade",
    "find_head",
    "find_newer",
    "is_at_head",
    "is_known",
    "is_outdated",
    "upgrade",
]

#: The key of the advisory lock that keeps two processes from migrating at once; any constant will do.
_MIGRATION_LOCK = 0x510_0A7E
_LOCK_SECONDS = 60


def upgrade(
    owner_url: str, revision: str = "head", *, users: Sequence[int] = (), statement_seconds: float | None = None
) -> None:
    """Migrate up to a revision; a second process waits for the first.

    Args:
        owner_url: of the role that owns the tables.
        revision: how far.
        users: other processes that use this database with whatever code they were started with; a schema that is not
            this code's is theirs, and is not changed under them.
        statement_seconds: how long a statement may run.

    Raises:
        ConflictError: a newer slowwave migrated it, or those processes still use an older schema.
        MigrationError: the revision or a migration is wrong.
        OutdatedDataError: a checkout from before the first release made it; no migration leads from there to the
            baseline. The message says what to do: keep that version, or begin with an empty data directory.
        ServiceUnavailableError: the database is away, or went away meanwhile; what was not committed is not there.
    """

    def up(config: Config) -> None:
        _check_may_migrate(config.attributes["connection"], users)
        _limit(config.attributes["connection"], statement_seconds)
        command.upgrade(config, revision)
        _grant_roles(config.attributes["connection"])

    _run(owner_url, up)


def _limit(connection: Connection, statement_seconds: float | None) -> None:
    """Limit the time of each statement, and of its wait for a table, behind which others queue."""
    limit = text("SELECT set_config('lock_timeout', :lock, true), set_config('statement_timeout', :statement, true)")
    milliseconds = round((statement_seconds or 0) * 1000)  # 0: no limit
    connection.execute(limit, {"lock": f"{_LOCK_SECONDS}s", "statement": f"{milliseconds}"})


def _grant_roles(connection: Connection) -> None:
    """Grant purging and backups access to new tables, so that deletions of tenants and backups miss none."""
    connection.execute(text(f"SELECT {revisions.BASELINE_FUNCTION}(), slowwave_grant_backup()"))


def downgrade(owner_url: str, revision: str) -> None:
    """Migrate down to a revision (`base` drops everything)."""
    _run(owner_url, lambda config: command.downgrade(config, revision))


def check(owner_url: str) -> None:
    """Raise when the tables in the code and in the database differ."""
    _run(owner_url, command.check)


def find_head() -> str | None:
    """Return the newest revision that this code knows."""
    return ScriptDirectory(str(revisions.MIGRATIONS)).get_current_head()


def is_known(revision: str) -> bool:
    """Tell whether this code has a revision, so that it can lead on from there."""
    return any(script.revision == revision for script in ScriptDirectory(str(revisions.MIGRATIONS)).walk_revisions())


def is_at_head(connection: Connection) -> bool:
    """Tell whether a database has the newest schema."""
    return _find_current(connection) == (find_head(),)


def is_outdated(connection: Connection) -> bool:
    """Tell whether a checkout from before the first release made the schema of a database."""
    return bool(_find_current(connection)) and not _has_baseline(connection)


def find_newer(connection: Connection) -> str | None:
    """Return the revision of a database that a newer slowwave has migrated, which this code does not know."""
    if not _has_baseline(connection):
        return None
    known = {script.revision for script in ScriptDirectory(str(revisions.MIGRATIONS)).walk_revisions()}
    return next((revision for revision in _find_current(connection) if revision not in known), None)


def _find_current(connection: Connection) -> tuple[str, ...]:
    return MigrationContext.configure(connection).get_current_heads()


def _has_baseline(connection: Connection) -> bool:
    """Tell whether the baseline of this code made the schema, and not that of a checkout from before the first release."""
    query = text("SELECT obj_description(to_regproc(:name), 'pg_proc')")
    found = connection.execute(query, {"name": revisions.BASELINE_FUNCTION}).scalar_one()
    return bool(found == revisions.fingerprint_baseline())


def _check_may_migrate(connection: Connection, users: Sequence[int]) -> None:
    if is_outdated(connection):
        raise OutdatedDataError(
            f"A slowwave from before the first release made this database (schema {_find_current(connection)[0]}), and no "
            "migration leads from there to this version. Use the version that made it, or start over: move the data "
            "directory (.slowwave) away, or name an empty database in SLOWWAVE_DATABASE_URL. Nothing was changed."
        )
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
            "migrated while no process uses it. Nothing was changed."
        )


def _run(owner_url: str, action: Callable[[Config], None]) -> None:
    engine = create_engine(owner_url, connect_args={"prepare_threshold": None} | connect_options(owner_url))
    try:
        with engine.connect() as connection, cut_by_silence(owner_url, raw_of(connection)), connection.begin():
            _run_alone(connection, action)
    except (OperationalError, InterfaceError) as error:
        said = explain(str(error.orig).strip().splitlines()[0])
        is_cut = getattr(error.orig, "sqlstate", None) in {"57014", "55P03"}
        why = (
            "The migration reached a time limit (SLOWWAVE_DATABASE_MIGRATION_SECONDS, or a minute for a lock)"
            if is_cut
            else "The database went away during the migration, or does not exist"
        )
        raise ServiceUnavailableError(f"{why}: {said}") from error
    finally:
        engine.dispose()


def _run_alone(connection: Connection, action: Callable[[Config], None]) -> None:
    """Run everything in the transaction that holds the lock: all revisions or none, and no session keeps any settings."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    config = Config(stdout=StringIO())  # it prints progress; errors are raised
    config.set_main_option("script_location", str(revisions.MIGRATIONS))
    config.attributes["connection"] = connection
    action(config)
