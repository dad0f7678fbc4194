"""A newer slowwave over a data directory that an older one still uses: its database is not changed under it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.servers import running_servers
from shared.adapters.postgres import migrate
from shared.adapters.postgres.health import find_schema
from shared.bootstrap import local_servers
from shared.core.errors import ConflictError, OutdatedDataError
from shared.settings import Settings
from tests.integration.operations.embedded_support import connect, holding, temporary_data_dir
from tests.support.database.migrations import add_a_revision


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with temporary_data_dir() as directory:
        yield directory


def read_revision(endpoints: Endpoints) -> str:
    with connect(endpoints) as connection:
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        return str(revision)


def test_a_database_is_not_migrated_under_a_process_of_an_older_version(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(data_dir=data_dir)
    with holding(data_dir) as older_up:
        endpoints = older_up.wait_for_endpoints()
        migrate.upgrade(endpoints.owner_database_url)
        older = read_revision(endpoints)
        add_a_revision(monkeypatch, tmp_path)

        with (
            pytest.raises(ConflictError, match=rf"{older}.*process {older_up.process.pid}\b.*Ctrl-C"),
            local_servers(settings, durable=False),
        ):
            pass
        assert read_revision(endpoints) == older, "it was migrated anyway"
        older_up.leave()

    with local_servers(settings, durable=False), running_servers(data_dir, durable=False) as endpoints:
        assert read_revision(endpoints) == migrate.find_head() != older


@pytest.mark.thorough
def test_processes_of_one_version_share_a_database_and_an_empty_one_is_filled_beside_another(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    with holding(data_dir) as other:  # has started the servers, and migrated nothing
        endpoints = other.wait_for_endpoints()
        with local_servers(settings, durable=False):
            newest = read_revision(endpoints)
        with local_servers(settings, durable=False):
            assert read_revision(endpoints) == newest
        other.leave()


@pytest.mark.thorough
def test_a_database_of_a_newer_version_is_left_alone_and_told_of(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    with local_servers(settings, durable=False), running_servers(data_dir, durable=False) as endpoints:
        with connect(endpoints) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        engine = create_engine(endpoints.owner_database_url)
        with engine.connect() as connection:
            finding = find_schema(connection)
        engine.dispose()
        assert "newer slowwave" in finding.found
        assert "migrate" not in finding.advice

    with (
        pytest.raises(ConflictError, match="newer slowwave has migrated this database"),
        local_servers(settings, durable=False),
    ):
        pass


@pytest.mark.thorough
def test_a_data_directory_from_before_the_first_release_is_left_alone_and_told_of(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    with running_servers(data_dir, durable=False) as endpoints:
        with connect(endpoints) as connection:
            connection.execute("CREATE TABLE alembic_version (version_num varchar(32) NOT NULL)")
            connection.execute("INSERT INTO alembic_version VALUES ('0035')")
        engine = create_engine(endpoints.owner_database_url)
        with engine.connect() as connection:
            finding = find_schema(connection)
        engine.dispose()
        assert "before the first release" in finding.found
        assert "slowwave migrate" not in finding.advice

    with (
        pytest.raises(OutdatedDataError, match="move the data directory"),
        local_servers(settings, durable=False),
    ):
        pass
