"""Databases and ports for tests: one server pair for each xdist worker, any number of databases in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from shared.adapters.embedded.endpoints import Endpoints
from shared.bootstrap import environment_of, make_ports
from shared.ports.ports import Ports
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
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield Settings(
                database_url=SecretStr(_named(servers.database_url, name)),
                owner_database_url=SecretStr(_named(servers.owner_database_url, name)),
                redis_url=SecretStr(servers.redis_url),
                secrets_key=SecretStr("a test's own key of enough characters"),
                busy_polls=0,  # who tests a busy agent does not want to wait for it
                max_active_dreams=1_000_000,  # other tests leave dreams running in the same database
            )
        finally:
            owner.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def environment_for(settings: Settings) -> dict[str, str]:
    """Return what another process needs to work on the same servers, on one database with what other tests left."""
    return environment_of(settings) | {"SLOWWAVE_MAX_ACTIVE_DREAMS": str(settings.max_active_dreams)}


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
