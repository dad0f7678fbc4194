"""A backup leaves no table out, and a restore touches nothing that holds anything."""

from pathlib import Path

import psycopg
import pytest

from shared.adapters.postgres import migrate
from shared.adapters.postgres.backup.restore import ensure_empty
from shared.adapters.postgres.backup.save import READER, connect, make_backup
from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError
from shared.settings import Settings
from tests.support.builders import texts, write


def owner_url(settings: Settings) -> str:
    assert settings.owner_database_url is not None
    return settings.owner_database_url.get_secret_value()


def test_a_database_that_holds_a_memory_is_not_restored_into(
    fresh_settings: Settings, fresh_ports: Ports, tenant: str
) -> None:
    write(fresh_ports, tenant, texts({"a.md": "# A\n"}))
    url = owner_url(fresh_settings)
    with connect(url) as owner, pytest.raises(ConflictError, match=r"not empty: .*tenants \(1\).*Nothing was changed"):
        ensure_empty(owner, url)
    with fresh_ports.db.transaction(tenant) as uow:
        assert uow.stores.get_tenant().id == tenant


@pytest.mark.own_database
def test_a_schema_as_migrations_leave_it_counts_as_empty_and_another_programs_does_not(
    fresh_settings: Settings, owner: psycopg.Connection
) -> None:
    url = owner_url(fresh_settings)
    with connect(url) as connection:
        ensure_empty(connection, url)
        ensure_empty(connection, url)
        owner.execute("CREATE TABLE invoices (id integer)")
        with pytest.raises(ConflictError, match="contains invoices"):
            ensure_empty(connection, url)


@pytest.mark.own_database
def test_a_table_whose_rows_a_backup_would_not_see_is_refused_until_it_is_migrated(
    fresh_settings: Settings, owner: psycopg.Connection, tmp_path: Path
) -> None:
    url = owner_url(fresh_settings)
    owner.execute("DROP POLICY backup ON memories")
    with pytest.raises(ConflictError, match=f"{READER} cannot see the rows of memories"):
        make_backup(url, tmp_path / "one.tar", version="0.1.0")
    assert list(tmp_path.iterdir()) == []
    migrate.upgrade(url)
    with pytest.raises(BadInputError, match=r"pg_dump \d+ or newer is needed"):
        make_backup(url, tmp_path / "one.tar", version="0.1.0", tools=tmp_path)


def test_the_backup_role_reads_everything_and_writes_nothing(owner_connection: psycopg.Connection) -> None:
    granted = owner_connection.execute(
        "SELECT DISTINCT privilege_type FROM information_schema.role_table_grants WHERE grantee = %s", [READER]
    ).fetchall()
    unseen = owner_connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        " AND NOT has_table_privilege(%s, oid, 'SELECT')",
        [READER],
    ).fetchall()
    assert (granted, unseen) == ([("SELECT",)], [])
