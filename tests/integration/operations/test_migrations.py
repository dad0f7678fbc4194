"""Migrations on a database that holds nothing but them."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlmodel import SQLModel
from typer.testing import CliRunner

from deploy import check_migrations
from gateway.cli.app import app
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate, revisions
from shared.adapters.postgres.revisions import read_schema
from shared.core.errors import ConflictError, OutdatedDataError, ServiceUnavailableError
from tests.support.database.migrations import add_a_revision
from tests.support.servers import a_database, plain_url

#: What makes up a schema: columns, indexes, constraints, policies, functions, rights.
CATALOGUE = (
    (
        "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'public'"
    ),
    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    (
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace"
    ),
    "SELECT tablename, policyname, roles::text, cmd, qual, with_check FROM pg_policies",
    (
        "SELECT relname, relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class"
        " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    ),
    (
        "SELECT proname, prosrc, proconfig::text, proacl::text, pg_get_userbyid(proowner) FROM pg_proc"
        " WHERE pronamespace = 'public'::regnamespace"
    ),
)


@pytest.fixture
def owner_url(servers: Endpoints) -> Iterator[str]:
    with a_database(servers) as settings:
        assert settings.owner_database_url is not None
        yield settings.owner_database_url.get_secret_value()


def is_usable(owner_url: str) -> bool:
    return read_schema(owner_url).is_usable


def read_catalogue(owner_url: str) -> list[list[tuple[object, ...]]]:
    with psycopg.connect(plain_url(owner_url)) as connection:
        return [sorted(connection.execute(query.encode()).fetchall(), key=repr) for query in CATALOGUE]


def test_a_schema_that_was_migrated_down_comes_up_the_same(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    first = read_catalogue(owner_url)
    migrate.downgrade(owner_url, "base")
    migrate.upgrade(owner_url)
    assert read_catalogue(owner_url) == first


def test_a_database_that_is_killed_during_a_migration_is_told_in_a_sentence_and_migrated_later(
    owner_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_the_connection(config: Config, _: str) -> None:
        config.attributes["connection"].execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with monkeypatch.context() as patch:
        patch.setattr("shared.adapters.postgres.migrate.command.upgrade", lose_the_connection)
        with pytest.raises(ServiceUnavailableError, match="went away during the migration"):
            migrate.upgrade(owner_url)
    migrate.upgrade(owner_url)
    migrate.check(owner_url)


def test_every_single_step_down_can_be_taken_up_again(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    top = read_catalogue(owner_url)
    migrate.downgrade(owner_url, "-1")
    assert read_catalogue(owner_url) != top
    migrate.upgrade(owner_url, "+1")
    assert read_catalogue(owner_url) == top


def test_a_database_of_the_first_release_is_upgraded_to_a_later_revision_and_keeps_its_rows(
    owner_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    migrate.upgrade(owner_url, "0001")
    baseline = read_catalogue(owner_url)
    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        connection.execute("INSERT INTO tenants (id) VALUES ('acme')")

    add_a_revision(monkeypatch, tmp_path)
    migrate.upgrade(owner_url)

    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        assert connection.execute("SELECT id FROM tenants").fetchall() == [("acme",)]
        purged = "SELECT has_table_privilege('slowwave_purge', 'gadgets', 'DELETE')"
        assert connection.execute(purged).fetchone() == (True,), "rows of the new table would outlive their tenant"
    migrate.downgrade(owner_url, "-1")
    assert read_catalogue(owner_url) == baseline


def test_the_way_down_leaves_nothing_behind(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    migrate.downgrade(owner_url, "base")
    with psycopg.connect(plain_url(owner_url)) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        functions = "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        assert tables == [("alembic_version",)]
        assert connection.execute(functions).fetchone() == (0,)


def test_migrating_twice_changes_nothing(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    first = read_catalogue(owner_url)
    migrate.upgrade(owner_url)
    assert read_catalogue(owner_url) == first


def test_the_code_and_the_migrated_database_have_the_same_tables(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    migrate.check(owner_url)
    with psycopg.connect(plain_url(owner_url)) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert {row[0] for row in rows} == {*SQLModel.metadata.tables, "alembic_version"}


def test_a_column_that_no_migration_knows_is_noticed(owner_url: str) -> None:
    migrate.upgrade(owner_url)
    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        connection.execute("ALTER TABLE memories DROP COLUMN stub")
    with pytest.raises(migrate.MigrationError, match="stub"):
        migrate.check(owner_url)


def test_two_processes_that_migrate_at_once_take_turns(owner_url: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(migrate.upgrade, owner_url) for _ in range(2)]:
            done.result()
    migrate.check(owner_url)


def test_a_database_says_whether_it_is_up_to_date(
    owner_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engine = create_engine(owner_url)
    try:
        migrate.upgrade(owner_url)
        with engine.connect() as connection:
            assert migrate.is_at_head(connection)
            add_a_revision(monkeypatch, tmp_path)
            assert not migrate.is_at_head(connection)
    finally:
        engine.dispose()


def test_a_database_from_before_the_first_release_is_left_alone_with_a_sentence_that_says_what_to_do(
    owner_url: str,
) -> None:
    with psycopg.connect(plain_url(owner_url), autocommit=True) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num varchar(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('0035')")
        connection.execute("CREATE TABLE stores (id text)")
    before = read_catalogue(owner_url)

    with pytest.raises(OutdatedDataError, match="before the first release") as told:
        migrate.upgrade(owner_url)

    assert "0035" in str(told.value)
    assert "move the data directory (.slowwave) away" in str(told.value)
    assert read_catalogue(owner_url) == before


def test_a_database_of_an_earlier_baseline_with_the_same_number_is_left_alone_with_the_same_sentence(
    owner_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(revisions, "fingerprint_baseline", lambda: "of an earlier checkout")
        migrate.upgrade(owner_url)
        assert is_usable(owner_url)
    before = read_catalogue(owner_url)

    assert not is_usable(owner_url)
    with pytest.raises(OutdatedDataError, match=r"before the first release made this database \(schema 0001\)"):
        migrate.upgrade(owner_url)

    assert read_catalogue(owner_url) == before


def test_only_what_the_baseline_runs_tells_two_baselines_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fingerprint(statements: str) -> str:
        (tmp_path / "schema" / "tables.sql").write_text(statements, "utf-8")
        return revisions.fingerprint_baseline.__wrapped__()

    (tmp_path / "schema").mkdir()
    monkeypatch.setattr(revisions, "MIGRATIONS", tmp_path)
    plain = fingerprint("CREATE TABLE a (id text);\n")
    assert fingerprint("-- What it is for.\n\nCREATE TABLE a (id text);  \n") == plain
    assert fingerprint("CREATE TABLE a (id text, name text);\n") != plain


def test_a_process_waits_for_the_migration_but_not_for_that_of_a_newer_version(
    owner_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not is_usable(owner_url)
    migrate.upgrade(owner_url)
    assert is_usable(owner_url)
    with monkeypatch.context() as newer:
        add_a_revision(newer, tmp_path)
        assert not is_usable(owner_url)
        migrate.upgrade(owner_url)
        assert is_usable(owner_url)
    assert is_usable(owner_url), "an older process still starts while a newer version is rolled out"
    assert not read_schema(owner_url).is_newest


def test_migrate_check_changes_nothing_and_says_in_its_exit_code_what_it_found(
    owner_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> tuple[object, dict[str, object]]:
        result = CliRunner().invoke(app, ["migrate", "--check", "--json"])
        return result.exception, json.loads(result.output or "{}")

    monkeypatch.setenv("SLOWWAVE_DATABASE_URL", owner_url)
    error, _ = run()
    assert isinstance(error, ConflictError)
    assert "slowwave migrate" in str(error)
    assert read_catalogue(owner_url)[0] == []
    migrate.upgrade(owner_url)
    assert run() == (None, {"migrated": True, "message": "The database has the schema that this version needs."})
    monkeypatch.setenv("SLOWWAVE_DATABASE_URL", "postgresql+psycopg://slowwave@127.0.0.1:1/slowwave")
    assert isinstance(run()[0], ServiceUnavailableError)


@pytest.mark.thorough
def test_make_check_passes_on_the_migrations_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_migrations.main() == 0
    assert capsys.readouterr().out.startswith("migrations: up, down and up again")


def test_make_check_fails_when_the_code_has_a_table_that_no_migration_makes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def differ(_owner_url: str) -> None:
        raise migrate.MigrationError("New upgrade operations detected: [('add_table', 'dreams')]")

    monkeypatch.setattr(migrate, "check", differ)
    assert check_migrations.main() == 1
    assert "add_table" in capsys.readouterr().out
