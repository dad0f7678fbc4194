"""Deleting a tenant: all of it is gone and proven gone, nothing of anybody else is touched, or nothing happened."""

import threading
from itertools import count
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege
from redis import Redis
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from shared.adapters.postgres import migrate
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import ConflictError, LostLeaseError, NotFoundError, ServiceUnavailableError
from shared.core.memory.model import Author
from shared.core.questions.call_limits import CallCaps, CallScope
from shared.services.memories.write import write_memories
from shared.services.tenants.delete import Erasure, delete_tenant
from shared.settings import Settings
from tests.integration.gates.gate_support import start_and_claim
from tests.integration.tenancy.isolation_support import TENANT_TABLES, Tenants, make_tenants, set_tenant
from tests.support.builders import texts
from tests.support.database.scene import Scene
from tests.support.servers import SpareDatabase, open_ports, plain_url

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="session")
def tenants_scene(spare_database: SpareDatabase) -> tuple[Tenants, list[Scene]]:
    """Tenants and their rows in the database behind `fresh_ports`."""
    with open_ports(spare_database.settings) as ports:
        tenants = make_tenants(ports)
    url = plain_url(spare_database.settings.owner_database_url)
    return tenants, [Scene(url, one) for one in tenants]


@pytest.fixture
def tenants(request: pytest.FixtureRequest, fresh_ports: Ports, owner: psycopg.Connection) -> Tenants:
    if request.node.get_closest_marker("own_database"):
        found = make_tenants(fresh_ports)
    else:
        found, scenes = request.getfixturevalue("tenants_scene")
        for scene in scenes:
            scene.restore()
    _forget_queued(owner)
    return found


def _forget_queued(owner: psycopg.Connection) -> None:
    owner.execute("UPDATE dreams SET state = 'canceled' WHERE state = 'queued'")


def delete(ports: Ports, tenant: str, *, force: bool = False) -> Erasure:
    return delete_tenant(ports.db, ports.lock, tenant, actor="a test", force=force)


def rows_of(owner: psycopg.Connection, tenant: str) -> Rows:
    """Every row of a tenant in every table that the database has, as text, asked of the catalogue."""
    tables = owner.execute(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'"
    ).fetchall()
    found: Rows = {}
    for (name,) in tables:
        query = sql.SQL("SELECT t::text FROM {} t WHERE tenant_id = %s ORDER BY 1").format(sql.Identifier(name))
        found[name] = owner.execute(query, [tenant]).fetchall()
    found["tenants"] = owner.execute("SELECT t::text FROM tenants t WHERE id = %s", [tenant]).fetchall()
    return found


def test_everything_of_a_tenant_is_gone_and_the_others_are_what_they_were(
    fresh_ports: Ports, tenants: Tenants, owner: psycopg.Connection
) -> None:
    mine, theirs = rows_of(owner, tenants.mine), rows_of(owner, tenants.theirs)
    assert all(mine[table] for table in TENANT_TABLES), "a table without a row would prove nothing"
    done = delete(fresh_ports, tenants.mine)
    assert not any(rows_of(owner, tenants.mine).values())
    assert rows_of(owner, tenants.theirs) == theirs
    assert done.rows == {table: len(rows) for table, rows in mine.items()}
    assert set(done.rows) == {*TENANT_TABLES, "tenants"}


def test_the_log_keeps_who_deleted_a_tenant_and_that_no_row_is_left(fresh_ports: Ports, tenants: Tenants) -> None:
    done = delete(fresh_ports, tenants.mine)
    (entry,) = fresh_ports.db.installation.find_log(10)
    assert (entry.actor, entry.action) == ("a test", "tenant.erase")
    assert entry.detail == {"tenant": tenants.mine, "rows": done.rows, "left": 0}


def test_its_locks_go_too_and_those_of_a_tenant_with_a_longer_name_stay(fresh_ports: Ports, tenants: Tenants) -> None:
    longer = f"{tenants.mine}2"
    for tenant in (tenants.mine, longer):
        fresh_ports.lock.acquire(tenant, "default", "drm:1", instead_of=None)
    assert delete(fresh_ports, tenants.mine).keys == 1
    assert fresh_ports.lock.find_holder(tenants.mine, "default") is None
    assert fresh_ports.lock.find_holder(longer, "default") == "drm:1"
    fresh_ports.lock.release(longer, "default", "drm:1")


def test_a_tenant_stays_deleted_although_its_agents_write_meanwhile(
    fresh_ports: Ports, tenants: Tenants, owner: psycopg.Connection
) -> None:
    odd: list[Exception] = []
    begun = threading.Event()

    def write_on() -> None:
        for number in count():
            batch = texts({f"api/{number}.md": "# A\n\nTokens are signed.\n"})
            try:
                write_memories(fresh_ports.db, fresh_ports.ids, tenants.mine, "default", batch, Author.AGENT)
            except NotFoundError:
                return
            except ServiceUnavailableError:  # it held what the deletion wanted: what it tries next finds no store
                continue
            except Exception as error:  # noqa: BLE001 - the test shows it
                odd.append(error)
                return
            begun.set()

    agents = [threading.Thread(target=write_on) for _ in range(3)]
    for agent in agents:
        agent.start()
    begun.wait(30)
    delete(fresh_ports, tenants.mine)
    for agent in agents:
        agent.join(60)
    assert odd == []
    assert not any(rows_of(owner, tenants.mine).values())


def test_no_key_in_redis_names_it_any_more(fresh_ports: Ports, tenants: Tenants, fresh_settings: Settings) -> None:
    limits = CallCaps(per_minute=60, at_once=2)
    scope = CallScope(tenant_id=tenants.mine, endpoint="model", installation=limits, tenant=limits)
    assert fresh_ports.limits.acquire(scope, "call_1", hold_seconds=60) == 0
    fresh_ports.lock.acquire(tenants.mine, "default", "drm:1", instead_of=None)
    assert fresh_settings.redis_url is not None
    with Redis.from_url(fresh_settings.redis_url.get_secret_value(), decode_responses=True) as client:
        assert len([key for key in client.scan_iter() if tenants.mine in key]) == 3, "keys that would be left"
        assert delete(fresh_ports, tenants.mine).keys == 3
        assert [key for key in client.scan_iter() if tenants.mine in key] == []


def test_a_running_dream_holds_up_the_deletion_and_force_ends_it_without_a_write(
    fresh_ports: Ports, tenants: Tenants, owner: psycopg.Connection
) -> None:
    before = rows_of(owner, tenants.mine)
    dream = start_and_claim(fresh_ports, tenants.mine)
    with pytest.raises(ConflictError, match=dream.id):
        delete(fresh_ports, tenants.mine)
    assert len(rows_of(owner, tenants.mine)["memories"]) == len(before["memories"])
    delete(fresh_ports, tenants.mine, force=True)
    with fresh_ports.db.transaction(tenants.mine) as uow, pytest.raises(LostLeaseError):
        uow.dreams.fence(dream.id, dream.epoch, 60)


def test_a_tenant_that_does_not_exist_cannot_be_deleted_and_leaves_no_record(fresh_ports: Ports) -> None:
    with pytest.raises(NotFoundError):
        delete(fresh_ports, "unknown")
    assert fresh_ports.db.installation.find_log(10) == []


def test_a_crash_in_the_middle_leaves_everything_as_it_was(
    fresh_ports: Ports, tenants: Tenants, owner: psycopg.Connection
) -> None:
    before = rows_of(owner, tenants.mine)
    with pytest.raises(RuntimeError):
        _erase_and_die(fresh_ports, tenants.mine)
    assert rows_of(owner, tenants.mine) == before
    assert fresh_ports.db.installation.find_log(10) == []
    delete(fresh_ports, tenants.mine)


def _erase_and_die(ports: Ports, tenant: str) -> None:
    with ports.db.transaction(tenant) as uow:
        uow.purges.erase_tenant("a test")
        raise RuntimeError


@pytest.fixture
def new_table(owner: psycopg.Connection) -> None:
    """A table of tenants, such as a later migration may add, without a rule for purging."""
    owner.execute(
        "CREATE TABLE gadgets (tenant_id text NOT NULL REFERENCES tenants, store_id text,"
        " FOREIGN KEY (tenant_id, store_id) REFERENCES stores)"
    )
    owner.execute("ALTER TABLE gadgets ENABLE ROW LEVEL SECURITY")
    owner.execute("ALTER TABLE gadgets FORCE ROW LEVEL SECURITY")


@pytest.mark.own_database
@pytest.mark.usefixtures("new_table")
def test_a_table_that_is_hidden_from_the_purge_stops_it_instead_of_counting_as_empty(
    fresh_ports: Ports, tenants: Tenants
) -> None:
    with pytest.raises(DBAPIError, match="gadgets hides its rows"):
        delete(fresh_ports, tenants.mine)


@pytest.mark.own_database
@pytest.mark.usefixtures("new_table")
def test_a_new_table_is_opened_by_the_next_migration_and_emptied_in_the_order_of_its_foreign_keys(
    fresh_ports: Ports, tenants: Tenants, owner: psycopg.Connection, fresh_settings: Settings
) -> None:
    assert fresh_settings.owner_database_url is not None
    migrate.upgrade(fresh_settings.owner_database_url.get_secret_value())
    owner.execute("INSERT INTO gadgets SELECT tenant_id, id FROM stores")
    assert delete(fresh_ports, tenants.mine).rows["gadgets"] == 1
    assert owner.execute("SELECT tenant_id FROM gadgets ORDER BY 1").fetchall() == sorted(
        [(tenants.theirs,), (tenants.bare,)]
    )


def test_every_table_of_the_code_is_open_to_the_purge(owner: psycopg.Connection) -> None:
    rows = owner.execute("SELECT tablename FROM pg_policies WHERE 'slowwave_purge' = ANY (roles) AND cmd = 'ALL'")
    # Exams of the installation's models belong to no tenant; the retention of old ones runs in the same role.
    assert {row[0] for row in rows} == {*TENANT_TABLES, "tenants", "installation_exams"}
    assert set(TENANT_TABLES) < set(SQLModel.metadata.tables)


def test_the_purging_role_sees_the_tenant_of_the_transaction_only(tenants: Tenants, owner: psycopg.Connection) -> None:
    with owner.transaction():
        owner.execute("SET LOCAL ROLE slowwave_purge")
        assert owner.execute("SELECT count(*) FROM memories").fetchone() == (0,)
        set_tenant(owner, tenants.mine)
        assert owner.execute("SELECT DISTINCT tenant_id FROM memories").fetchall() == [(tenants.mine,)]
        with pytest.raises(InsufficientPrivilege), owner.transaction():
            owner.execute("UPDATE memories SET content = ''")


@pytest.mark.parametrize(
    "statement",
    [
        b"INSERT INTO installation_log (id, actor, action) VALUES ('x', 'me', 'tenant.erase')",
        b"UPDATE installation_log SET actor = 'another'",
        b"DELETE FROM installation_log",
        b"SELECT slowwave_grant_purge()",
    ],
)
def test_the_application_can_neither_invent_a_deletion_nor_change_the_log(
    statement: bytes, fresh_settings: Settings
) -> None:
    with psycopg.connect(plain_url(fresh_settings.database_url)) as app, pytest.raises(InsufficientPrivilege):
        app.execute(statement)


def test_a_queued_dream_does_not_hold_up_the_deletion(fresh_ports: Ports) -> None:
    bare = make_tenants(fresh_ports).bare
    with fresh_ports.db.transaction(bare) as uow:
        assert uow.dreams.find_recent(limit=1)[0].state is DreamState.QUEUED
    assert delete(fresh_ports, bare).left == 0
