"""Databases and ports for tests: one server pair for each xdist worker, any number of databases in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
from psycopg import sql
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from shared.adapters.embedded.endpoints import Endpoints
from shared.all_ports import Ports
from shared.bootstrap import environment_of, make_ports
from shared.settings import Settings


def plain_url(url: SecretStr | str | None) -> str:
    """The address as psycopg takes it."""
    assert url is not None
    text = url.get_secret_value() if isinstance(url, SecretStr) else url
    return text.replace("postgresql+psycopg://", "postgresql://")


@contextmanager
def a_database(servers: Endpoints, *, template: str = "template0") -> Iterator[Settings]:
    """A database of its own in the same server, dropped at the end."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(plain_url(_named(servers.owner_database_url, "postgres")), autocommit=True) as owner:
        # Copying files costs a quarter less than writing every block to the log, which nothing here reads.
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        try:
            yield Settings(
                database_url=SecretStr(_named(servers.database_url, name)),
                owner_database_url=SecretStr(_named(servers.owner_database_url, name)),
                redis_url=SecretStr(servers.redis_url),
                secrets_key=SecretStr("a test's own key of enough characters"),
                busy_polls=0,  # who tests a busy agent does not want to wait for it
                api_failed_keys_per_minute=1_000_000,  # all tests ask from the same address
                max_active_dreams=1_000_000,  # other tests leave dreams running in the same database
            )
        finally:
            owner.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class SpareDatabase:
    """One migrated database that tests use in turn, each finding it as migrations leave it.

    Emptying a database takes a few milliseconds, creating one 150 to 200 ms of processor time. A test that changes
    the schema, or reads plans that depend on a table's size, takes a database of its own instead.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._owner = psycopg.connect(plain_url(settings.owner_database_url), autocommit=True)
        names = self._owner.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").fetchall()
        self._tables = [sql.Identifier(name) for (name,) in names if name != "alembic_version"]
        self._first_rows = [
            (table, row)
            for table in self._tables
            for (row,) in self._owner.execute(sql.SQL("SELECT to_json(t)::text FROM {} t").format(table))
        ]

    def empty(self) -> None:
        """End what is still connected, delete every row, and put back those that migrations insert."""
        with self._owner.transaction():
            self._owner.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            self._owner.execute("SET LOCAL session_replication_role = replica")  # no triggers, no order of tables
            for table in self._tables:
                self._owner.execute(sql.SQL("DELETE FROM {}").format(table))
            for table, row in self._first_rows:
                statement = sql.SQL("INSERT INTO {0} SELECT * FROM json_populate_record(NULL::{0}, %s)").format(table)
                self._owner.execute(statement, [row])

    def close(self) -> None:
        """Close the connection; the database goes with its server."""
        self._owner.close()


def environment_for(settings: Settings) -> dict[str, str]:
    """Return what another process needs to work on the same servers, on one database with what other tests left.

    A worker stands back for nothing: other tests keep the machine busy all the time.
    """
    own = {"SLOWWAVE_MAX_ACTIVE_DREAMS": str(settings.max_active_dreams), "SLOWWAVE_WORKER_NICE": "0"}
    return environment_of(settings) | own


@contextmanager
def open_ports(settings: Settings) -> Iterator[Ports]:
    """Ports whose connections are closed at the end."""
    ports = make_ports(settings)
    try:
        yield ports
    finally:
        ports.close()


def _named(url: str, database: str) -> str:
    return make_url(url).set(database=database).render_as_string(hide_password=False)
