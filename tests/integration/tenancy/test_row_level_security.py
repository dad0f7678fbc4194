"""Row-level security: a query without a tenant sees nothing, and a row refers to its own tenant only."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import ForeignKeyViolation, InsufficientPrivilege
from sqlmodel import SQLModel

from shared.all_ports import Ports
from tests.integration.tenancy.isolation_support import (
    ALL_TABLES,
    APPEND_ONLY,
    CLOSED,
    DERIVED,
    TENANT_TABLES,
    Tenants,
    make_tenants,
    set_tenant,
)
from tests.support.builders import a_store

OPEN_TABLES = [name for name in TENANT_TABLES if name not in CLOSED]


@pytest.fixture(scope="module")
def tenants(session_ports: Ports) -> Tenants:
    return make_tenants(session_ports)


def test_the_fixture_fills_every_table(tenants: Tenants, owner_connection: psycopg.Connection) -> None:
    for tenant in (tenants.mine, tenants.theirs):
        empty = [name for name in TENANT_TABLES if not _count(owner_connection, name, f"tenant_id = '{tenant}'")]
        assert empty == []


@pytest.mark.parametrize("table", ALL_TABLES)
def test_every_table_is_isolated_even_from_its_owner(table: str, owner_connection: psycopg.Connection) -> None:
    row = owner_connection.execute(
        "SELECT relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner) FROM pg_class WHERE oid = %s::regclass",
        [table],
    ).fetchone()
    assert row is not None
    assert row[:2] == (True, True)
    assert row[2] != "slowwave_app"


@pytest.mark.parametrize("table", OPEN_TABLES)
def test_a_query_that_forgot_its_tenant_filter_sees_its_own_rows_only(
    table: str, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    set_tenant(app_connection, tenants.mine)
    rows = app_connection.execute(sql.SQL("SELECT DISTINCT tenant_id FROM {}").format(sql.Identifier(table)))
    assert rows.fetchall() == [(tenants.mine,)]


def test_a_tenant_sees_itself_only_among_the_tenants(tenants: Tenants, app_connection: psycopg.Connection) -> None:
    set_tenant(app_connection, tenants.mine)
    assert app_connection.execute("SELECT id FROM tenants").fetchall() == [(tenants.mine,)]


@pytest.mark.parametrize(
    "table", [name for name in ALL_TABLES if not name.startswith("installation") and name not in CLOSED]
)
@pytest.mark.parametrize("forgotten", [None, ""])
def test_without_a_tenant_there_is_nothing_to_see(
    table: str, forgotten: str | None, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    assert tenants
    if forgotten is not None:
        set_tenant(app_connection, forgotten)
    assert _count(app_connection, table) == 0


@pytest.mark.parametrize("table", OPEN_TABLES)
def test_no_tenant_writes_for_another(table: str, tenants: Tenants, app_connection: psycopg.Connection) -> None:
    columns = [column.name for column in SQLModel.metadata.tables[table].columns if column.computed is None]
    set_tenant(app_connection, tenants.mine)
    chosen = sql.SQL(", ").join(
        sql.Literal(tenants.theirs) if name == "tenant_id" else sql.Identifier(name) for name in columns
    )
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL("INSERT INTO {0} ({1}) SELECT {2} FROM {0}").format(sql.Identifier(table), names, chosen)
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        app_connection.execute(statement)


@pytest.mark.parametrize("table", [name for name in OPEN_TABLES if name not in (*APPEND_ONLY, *DERIVED)])
def test_rows_can_neither_be_given_away_nor_changed_for_another_tenant(
    table: str, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    set_tenant(app_connection, tenants.mine)
    name = sql.Identifier(table)
    foreign = sql.SQL("UPDATE {} SET tenant_id = tenant_id WHERE tenant_id = {}")
    assert app_connection.execute(foreign.format(name, sql.Literal(tenants.theirs))).rowcount == 0
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        app_connection.execute(sql.SQL("UPDATE {} SET tenant_id = {}").format(name, sql.Literal(tenants.theirs)))


LINKED = [
    (name, column.name)
    for name in TENANT_TABLES
    for column in SQLModel.metadata.tables[name].columns
    if column.name in {"store_id", "dream_id"} and column.foreign_keys
]


@pytest.mark.parametrize(("table", "column"), LINKED)
def test_a_row_cannot_hang_on_anothers_store_or_dream(
    table: str, column: str, tenants: Tenants, owner_connection: psycopg.Connection
) -> None:
    """Foreign keys are checked behind row-level security's back, so the tenant must be part of them."""
    target = {"store_id": "stores", "dream_id": "dreams"}[column]
    foreign = sql.SQL("UPDATE {} SET {} = (SELECT id FROM {} WHERE tenant_id = {}) WHERE tenant_id = {}").format(
        *map(sql.Identifier, (table, column, target)), sql.Literal(tenants.bare), sql.Literal(tenants.mine)
    )
    with pytest.raises(ForeignKeyViolation):
        owner_connection.execute(foreign)


Use = Callable[[Any, str], object]


@pytest.mark.parametrize(
    "use",
    [
        lambda uow, store: uow.memories(store).find_heads(),
        lambda uow, store: uow.memories(store).find_heads(["a"]),
        lambda uow, store: uow.memories(store).find_live(),
        lambda uow, store: uow.memories(store).find_retired(),
        lambda uow, store: uow.memories(store).find_moves(),
        lambda uow, store: uow.catalog(store).find_paths(""),
        lambda uow, store: uow.memory_listing(store).find_tree_page(prefix="", depth=1, after_path="", limit=10),
        lambda uow, store: uow.merges(store).find_open(),
        lambda uow, store: uow.dreams.find_recent(store_id=store, limit=10),
        lambda uow, store: uow.operations.find_pending(store_id=store, limit=10),
        lambda uow, store: uow.sessions(store).find_recent(10),
        lambda uow, store: uow.gathering(store).find_ungathered(10, with_current=True),
        lambda uow, store: uow.gathering(store).find_themes(min_sessions=1, limit=10),
        lambda uow, store: uow.gathering(store).search("blue", 10),
    ],
)
def test_the_id_of_anothers_store_opens_nothing(use: Use, tenants: Tenants, session_ports: Ports) -> None:
    theirs = a_store(session_ports, tenants.theirs)
    with session_ports.db.transaction(tenants.mine) as uow:
        assert use(uow, theirs.id) == []


def _count(connection: psycopg.Connection, table: str, condition: str = "true") -> int:
    statement = f"SELECT count(*) FROM {table} WHERE {condition}"
    row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return int(row[0])
