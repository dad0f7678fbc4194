"""Fixtures of every test that needs servers. Nothing starts before a test asks for it."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import hypothesis
import psycopg
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.postgres import DATABASE
from shared.adapters.embedded.servers import running_servers
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.postgres import migrate
from shared.ports.ports import Ports
from shared.settings import Settings
from tests.integration.operations.embedded_support import temporary_data_dir
from tests.support.servers import a_database, open_ports, plain_url

#: No law is about how long an example takes: a machine with much to do would fail it.
hypothesis.settings.register_profile("slowwave", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("slowwave")


@pytest.fixture(scope="session")
def servers() -> Iterator[Endpoints]:
    """PostgreSQL and Valkey of this xdist worker. Their own database is migrated and serves as a template only."""
    with temporary_data_dir() as directory, running_servers(directory, durable=False) as endpoints:
        migrate.upgrade(endpoints.owner_database_url)
        yield endpoints


@pytest.fixture(scope="session")
def settings(servers: Endpoints) -> Iterator[Settings]:
    """The addresses of the migrated database that the tests of this worker share."""
    with a_database(servers, template=DATABASE) as found:
        yield found


@pytest.fixture(scope="session")
def session_ports(settings: Settings) -> Iterator[Ports]:
    """Real database and lock; use `ports`, except where Hypothesis forbids a fixture of one test."""
    with open_ports(settings) as found:
        yield found


@pytest.fixture
def dispatch() -> RecordingDispatch:
    """What `ports` sends."""
    return RecordingDispatch()


@pytest.fixture
def ports(session_ports: Ports, dispatch: RecordingDispatch) -> Ports:
    """Real database and lock, a model without a script, nothing sent."""
    return _quiet(session_ports, dispatch)


@pytest.fixture
def tenant() -> str:
    """A tenant that no other test has."""
    return f"t{uuid4().hex}"


@pytest.fixture
def fresh_settings(servers: Endpoints) -> Iterator[Settings]:
    """The addresses of an empty migrated database for one test: sweeps look at all tenants."""
    with a_database(servers, template=DATABASE) as found:
        yield found


@pytest.fixture
def fresh_ports(fresh_settings: Settings, dispatch: RecordingDispatch) -> Iterator[Ports]:
    """The same as `ports` on a database without any tenant."""
    with open_ports(fresh_settings) as found:
        yield _quiet(found, dispatch)


def _quiet(ports: Ports, dispatch: RecordingDispatch) -> Ports:
    return replace(ports, dispatch=dispatch, choose_llm=lambda _: ScriptedLlm())


@pytest.fixture
def app_connection(settings: Settings) -> Iterator[psycopg.Connection]:
    """The application role, without the code that sets the tenant. Rolled back at the end."""
    with psycopg.connect(plain_url(settings.database_url)) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def owner_connection(settings: Settings) -> Iterator[psycopg.Connection]:
    """The tables' owner, who sees everything: to arrange what the application may not."""
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as connection:
        yield connection
