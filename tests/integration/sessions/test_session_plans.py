"""Plans that an import and a list depend on, whatever PostgreSQL knows of a table that was empty a moment ago."""

import psycopg

from shared.all_ports import Ports
from tests.support.builders import a_store

_CHECK_OF_AN_EVENT = "SELECT 1 FROM ONLY sessions x WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE OF x"
_LIST_BY_AGE = (
    "SELECT * FROM sessions WHERE tenant_id = $1 AND created_at > '-infinity' AND created_at < now() "
    "ORDER BY created_at DESC, id DESC LIMIT 20"
)


def plan_of(owner: psycopg.Connection, statement: str, arguments: str, parameters: str) -> str:
    owner.execute("SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan")
    owner.execute(f"PREPARE planned({parameters}) AS {statement}".encode())
    return "\n".join(row[0] for row in owner.execute(f"EXPLAIN EXECUTE planned({arguments})".encode()))


def test_the_check_of_each_event_is_never_planned_over_all_sessions_of_a_tenant(
    owner_connection: psycopg.Connection,
) -> None:
    plan = plan_of(owner_connection, _CHECK_OF_AN_EVENT, "'a', 'b'", "text, text")
    assert "ix_sessions_created" not in plan
    assert "uq_sessions_tenant_id" in plan or "sessions_pkey" in plan


def test_a_list_by_age_still_has_its_index(ports: Ports, tenant: str, owner_connection: psycopg.Connection) -> None:
    a_store(ports, tenant)
    assert "ix_sessions_created" in plan_of(owner_connection, _LIST_BY_AGE, "'a'", "text")
