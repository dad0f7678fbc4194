"""Fixtures of every test that needs servers. Nothing starts before a test asks for it."""

import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import structlog
from typer.testing import CliRunner, Result

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.postgres import DATABASE
from shared.adapters.embedded.servers import running_servers
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.postgres import migrate
from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.settings import Settings
from tests.integration.operations.embedded_support import temporary_data_dir
from tests.support.installed.postgres import an_installed_postgres
from tests.support.laws import register_profiles
from tests.support.one_loop import end_loop
from tests.support.servers import SpareDatabase, a_database, open_ports, plain_url

register_profiles()
# A scripted model answers the questions of its test only; tests of the exam switch it on.
os.environ["SLOWWAVE_LLM_EXAM"] = "off"
# A shell that starts the tests in the background ignores Ctrl-C, and each command under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# structlog's own default draws every local variable of every frame of a traceback, which takes ten seconds a time.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


def pytest_collection_finish() -> None:
    """Leave out of garbage collection what lives as long as the run: walking it costs a tenth of the processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_sessionfinish() -> None:
    """End what a process of tests keeps between tests outside of fixtures."""
    end_loop()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests run on another version of PostgreSQL than the embedded one."""
    parser.addoption("--postgres", metavar="FOLDER", help="run on the PostgreSQL whose programs are in this folder")


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[Endpoints]:
    """PostgreSQL and Valkey of this xdist worker. Their own database is migrated and serves as a template only."""
    with ExitStack() as stack:
        directory = stack.enter_context(temporary_data_dir())
        endpoints = stack.enter_context(running_servers(directory, durable=False))
        if programs := request.config.getoption("--postgres"):
            endpoints = stack.enter_context(an_installed_postgres(Path(programs), endpoints))
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


@pytest.fixture(scope="session")
def quiet_ports(session_ports: Ports) -> Ports:
    """One value for all tests of this worker, so that they share what is built over it, such as the API."""
    return _quiet(session_ports, RecordingDispatch())


@pytest.fixture
def dispatch(quiet_ports: Ports) -> RecordingDispatch:
    """The recorded messages of `ports`."""
    found = quiet_ports.dispatch
    assert isinstance(found, RecordingDispatch)
    found.forget()
    return found


@pytest.fixture
def ports(quiet_ports: Ports, dispatch: RecordingDispatch) -> Ports:
    """Real database and lock, a model without a script, nothing sent."""
    assert quiet_ports.dispatch is dispatch
    return quiet_ports


@pytest.fixture
def command_line(ports: Ports, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Call a command in this process: it joins the servers of the tests, and starts none of its own."""
    from gateway.cli.app import app  # noqa: PLC0415 few tests call commands, and importing them all takes half a second
    from gateway.cli.console import session  # noqa: PLC0415 as above

    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    kept = replace(ports, close=lambda: None)
    monkeypatch.setattr(session, "make_ports", lambda *_, **__: kept)

    def call(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(app, arguments, input=typed)

    return call


@pytest.fixture
def tenant() -> str:
    """A tenant that no other test has."""
    return f"t{uuid4().hex}"


@pytest.fixture
def own_settings(servers: Endpoints) -> Iterator[Settings]:
    """The addresses of a database that no other test uses: for changes of the schema, and for plans."""
    with a_database(servers, template=DATABASE) as found:
        yield found


@pytest.fixture(scope="session")
def spare_database(servers: Endpoints) -> Iterator[SpareDatabase]:
    """The database behind `fresh_settings`."""
    with a_database(servers, template=DATABASE) as settings, closing(SpareDatabase(settings)) as spare:
        yield spare


@pytest.fixture
def fresh_settings(request: pytest.FixtureRequest, spare_database: SpareDatabase) -> Settings:
    """The addresses of an empty migrated database: sweeps look at all tenants."""
    if request.node.get_closest_marker("own_database"):
        found: Settings = request.getfixturevalue("own_settings")
        return found
    spare_database.empty()
    return spare_database.settings


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
