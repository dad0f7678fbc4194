"""Connections to PostgreSQL: each one has a name, and statements are prepared only where the server itself answers."""

import socket
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from shared import program
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres.pooler import find_pooler
from shared.adapters.postgres.sql.connecting import connect_options, is_pooled
from shared.adapters.postgres.sql.statements import raw_of
from shared.adapters.postgres.sql.transactions import make_engine
from shared.core.health import Health
from shared.settings import Settings
from tests.support.servers import plain_url


class PooledConnection:
    """A connection whose server has another process id than the one that it was greeted with, as behind a pooler."""

    prepare_threshold: int | None = 5
    info = SimpleNamespace(backend_pid=1, dsn="host=/nowhere", password="")

    def execute(self, _: str) -> Any:
        return SimpleNamespace(fetchone=lambda: (2,))


def test_the_server_sees_which_program_on_which_host_is_connected(
    settings: Settings, owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_NAME", ["worker"])
    engine = make_engine(_url(settings), pool_size=1)
    with engine.connect() as connection:
        pid = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        seen = owner_connection.execute(
            "SELECT application_name FROM pg_stat_activity WHERE pid = %s", [pid]
        ).fetchone()
    engine.dispose()
    assert seen == (f"slowwave-worker@{socket.gethostname()}",)


def test_a_name_in_the_address_wins(settings: Settings) -> None:
    assert "application_name" not in connect_options(f"{_url(settings)}&application_name=mine")


def test_a_name_that_postgresql_would_cut_off_is_cut_off_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "ü" * 100)
    assert len(program.connection_name().encode()) == 63


def test_statements_are_prepared_on_connections_of_the_server_itself(settings: Settings) -> None:
    engine = make_engine(_url(settings), pool_size=1)
    with engine.connect() as connection:
        assert raw_of(connection).prepare_threshold == 5
    engine.dispose()


def test_statements_are_not_prepared_behind_a_pooler(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.adapters.postgres.sql.connecting.is_pooled", lambda _: True)
    engine = make_engine(_url(settings), pool_size=1)
    with engine.connect() as connection:
        assert raw_of(connection).prepare_threshold is None
    engine.dispose()


def test_a_pooler_is_known_by_a_process_id_that_is_not_the_servers(servers: Endpoints) -> None:
    with psycopg.connect(plain_url(servers.database_url)) as direct:
        assert not is_pooled(direct)
        assert find_pooler(direct).found == "none: the server itself answers"
    pooled: Any = PooledConnection()
    assert is_pooled(pooled)
    assert find_pooler(pooled).health is Health.OK
    assert "not prepared" in find_pooler(pooled).found


def _url(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()
