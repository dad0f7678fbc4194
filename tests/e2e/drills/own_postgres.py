"""A PostgreSQL beside the tests' own, as a provider runs it: its tables' owner is not a superuser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import sql

from shared.adapters.embedded.postgres import PORT, EmbeddedPostgres
from tests.integration.operations.embedded_support import temporary_data_dir


@dataclass(frozen=True, slots=True)
class OwnPostgres:
    """A running server, and the role that owns an empty database there."""

    host: str
    owner: str
    database: str

    def url(self, role: str) -> str:
        """The address as settings name it."""
        return f"postgresql+psycopg://{role}@/{self.database}?host={self.host}&port={PORT}"

    def admin(self) -> psycopg.Connection:
        """A connection of the server's operator."""
        return psycopg.connect(host=self.host, port=PORT, user="postgres", dbname=self.database, autocommit=True)


@contextmanager
def an_own_postgres(owner: str, database: str) -> Iterator[OwnPostgres]:
    """Start a server with an owner that may make roles and nothing else, and an empty database of that owner."""
    with temporary_data_dir() as directory:
        directory.mkdir(mode=0o755)
        server = EmbeddedPostgres(directory)
        server.start(durable=False)
        try:
            found = OwnPostgres(host=str(server.socket_directory), owner=owner, database=database)
            with psycopg.connect(
                host=found.host, port=PORT, user="postgres", dbname="postgres", autocommit=True
            ) as admin:
                role, name = sql.Identifier(owner), sql.Identifier(database)
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS").format(role))
                admin.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, role))
            yield found
        finally:
            server.stop()
