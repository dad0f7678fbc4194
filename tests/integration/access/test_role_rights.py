"""The rights of the application's database role, and what sweeps may see."""

import re
from collections.abc import Iterator
from typing import LiteralString

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from shared.adapters.postgres.tables.text_places import find_tenant_tables, find_text_places
from shared.all_ports import Ports
from shared.core.forgetting.places import Treatment
from shared.settings import Settings
from tests.integration.tenancy.isolation_support import (
    ALL_TABLES,
    APPEND_ONLY,
    CLOSED,
    DERIVED,
    Tenants,
    make_tenants,
    set_tenant,
)
from tests.support.servers import plain_url


@pytest.fixture(scope="module")
def tenants(session_ports: Ports) -> Tenants:
    return make_tenants(session_ports)


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("verb", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {}"])
def test_history_can_only_grow(
    table: str, verb: LiteralString, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    set_tenant(app_connection, tenants.mine)
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute(sql.SQL(verb).format(sql.Identifier(table)))


@pytest.mark.parametrize("table", CLOSED)
@pytest.mark.parametrize(
    "verb",
    ["SELECT FROM {}", "SELECT id FROM {}", "INSERT INTO {} DEFAULT VALUES", "UPDATE {} SET id = id", "DELETE FROM {}"],
)
def test_a_dream_has_no_right_on_what_it_is_measured_by(
    table: str, verb: LiteralString, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    """Workers log in as the application. That nothing of a dream calls the reader: tests/architecture/test_phase_shape.py."""
    set_tenant(app_connection, tenants.mine)
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute(sql.SQL(verb).format(sql.Identifier(table)))


#: Suggestions that were considered, a model's answers of a day ago, vectors and links of texts that changed, old findings, questions and answers that have been turned into
#: others, prices of questions that are answered, alerts of budgets whose period is long over, and
#: filters that a person keeps no longer.
DELETABLE = (
    "pending_merges", "evaluation_answers", "memory_vectors", "api_requests", "batch_calls", "cost_reservations", "budget_alerts", "saved_filters", *DERIVED,
)  # fmt: skip


@pytest.mark.parametrize("table", [name for name in ALL_TABLES if name not in DELETABLE])
def test_the_application_role_may_not_delete_rows_of_these_tables(
    table: str, tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    set_tenant(app_connection, tenants.mine)
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE memories NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY tenant_only ON memories",
        "CREATE POLICY mine ON memories USING (true)",
        "ALTER ROLE slowwave_app BYPASSRLS",
        "ALTER ROLE slowwave_app SUPERUSER",
        "SET ROLE postgres",
        "SET ROLE slowwave_sweep",
        "SET ROLE slowwave_keys",
        "SET ROLE slowwave_audit",
        "SET ROLE slowwave_redact",
        "SET ROLE slowwave_searches",
        "SET SESSION AUTHORIZATION slowwave_sweep",
        "GRANT slowwave_sweep TO slowwave_app",
        "CREATE TABLE public.copies (tenant_id text)",
        "COPY memories TO '/tmp/memories'",
    ],
)
def test_the_application_cannot_widen_its_rights(statement: LiteralString, app_connection: psycopg.Connection) -> None:
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute(sql.SQL(statement))


def test_the_application_role_has_no_attribute_that_rights_could_come_from(
    owner_connection: psycopg.Connection,
) -> None:
    row = owner_connection.execute(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolinherit FROM pg_roles WHERE rolname = %s",
        ["slowwave_app"],
    ).fetchone()
    memberships = "SELECT count(*) FROM pg_auth_members WHERE member = 'slowwave_app'::regrole"
    assert row == (False, False, False, False, False)
    assert owner_connection.execute(memberships).fetchone() == (0,)


def test_switching_row_security_off_is_an_error_not_a_way_out(
    tenants: Tenants, app_connection: psycopg.Connection
) -> None:
    set_tenant(app_connection, tenants.mine)
    app_connection.execute("SET row_security = off")
    with pytest.raises(InsufficientPrivilege):
        app_connection.execute("SELECT * FROM memories")


#: What operators read across tenants: ids, names and fields, no text of a memory.
AUDIT = "slowwave_read_audit"
REDACTIONS = ("slowwave_redact_version", "slowwave_forget_session", "slowwave_forget_row")
SEARCHES = ("slowwave_write_searches", "slowwave_read_searches")
PURGES = (
    "slowwave_erase_tenant",
    "slowwave_delete_session",
    "slowwave_delete_store",
    "slowwave_purge_aged",
    "slowwave_purge_replaced",
)
SWEEPS: tuple[tuple[LiteralString, set[str]], ...] = (
    ("SELECT * FROM slowwave_claim_due_stores(0, 60)", {"tenant_id", "store_name", "due_at"}),
    ("SELECT * FROM slowwave_claim_due_digests(0, 60)", {"tenant_id", "store_name", "due_at"}),
    ("SELECT * FROM slowwave_claim_due_compactions(0, 60)", {"tenant_id", "store_name", "due_at"}),
    ("SELECT * FROM slowwave_find_stalled_dreams(1000, 0)", {"tenant_id", "dream_id"}),
    ("SELECT * FROM slowwave_find_evaluations(0, 10)", {"tenant_id", "evaluation_id"}),
    (
        "SELECT * FROM slowwave_find_batched_dreams(10)",
        {"tenant_id", "dream_id", "state", "batch_id", "since"},
    ),
    ("SELECT * FROM slowwave_list_tenants()", {"tenant_id"}),
    ("SELECT slowwave_count_active_dreams(16) AS number", {"number"}),
    ("SELECT slowwave_count_running_dreams() AS number", {"number"}),
    ("SELECT * FROM slowwave_find_next_dreams(1000)", {"tenant_id", "dream_id"}),
    ("SELECT * FROM slowwave_claim_tenants_to_purge(0, 60)", {"tenant_id"}),
    ("SELECT * FROM slowwave_claim_deliveries(0, 1, 60)", {"tenant_id", "delivery_id", "claim"}),
    ("SELECT * FROM slowwave_find_due_digests(10)", {"tenant_id"}),
    (
        "SELECT * FROM slowwave_measure_days(3)",
        {"day", "state", "dreams", "tokens", "cost_usd", "model_calls"},
    ),
    ("SELECT * FROM slowwave_measure_costs(3, 'store')", {"name", "model_calls", "tokens", "cost_usd"}),
    ("SELECT * FROM slowwave_measure()", {"name", "state", "value"}),
    ("SELECT * FROM slowwave_measure_budgets()", {"tenant_id", "store", "period", "limit_usd", "spent_usd"}),
    ("SELECT slowwave_count_quarantined_stores() AS number", {"number"}),
    ("SELECT * FROM slowwave_list_quarantined_stores('', '', 1)", {"tenant_id", "store_name"}),
    ("SELECT * FROM slowwave_find_owner_of_dream('drm_0')", {"tenant_id"}),
    ("SELECT * FROM slowwave_measure_recent()", {"name", "state", "value"}),
    (
        "SELECT * FROM slowwave_rank_tenants('attention', '', NULL, '', 1)",
        {"tenant_id", "rank", "is_paused", "quarantined", "failed", "partial", "overdue", "to_review", "running"}
        | {"tokens_today", "cost_today", "spent"},
    ),
)


@pytest.mark.parametrize(("query", "columns"), SWEEPS)
def test_a_sweep_learns_ids_times_and_numbers_and_nothing_else(
    query: LiteralString, columns: set[str], app_connection: psycopg.Connection
) -> None:
    found = app_connection.execute(query)
    assert found.description is not None
    assert {column.name for column in found.description} == columns


#: The one question that is asked before the tenant is known: whose key is that?
KEY_LOOKUP = "slowwave_find_api_key"


def test_no_function_but_sweeps_purges_and_the_key_lookup_runs_with_anothers_rights(
    owner_connection: psycopg.Connection,
) -> None:
    rows = owner_connection.execute(
        "SELECT proname, pg_get_userbyid(proowner), has_function_privilege('public', oid, 'execute') FROM pg_proc"
        " WHERE prosecdef AND pronamespace = 'public'::regnamespace",
    ).fetchall()
    sweeps = {match for query, _ in SWEEPS for match in re.findall(r"slowwave_\w+", query)}
    expected = {(name, "slowwave_sweep", False) for name in sweeps} | {
        (name, "slowwave_purge", False) for name in PURGES
    }
    expected |= {(name, "slowwave_searches", False) for name in SEARCHES}
    expected |= {(AUDIT, "slowwave_audit", False), (KEY_LOOKUP, "slowwave_keys", False)}
    assert set(rows) == expected | {(name, "slowwave_redact", False) for name in REDACTIONS}


def test_the_key_lookup_reads_keys_and_nothing_else_and_only_by_an_id(
    tenants: Tenants, app_connection: psycopg.Connection, owner_connection: psycopg.Connection
) -> None:
    readable = owner_connection.execute(
        "SELECT DISTINCT table_name FROM information_schema.column_privileges"
        " WHERE grantee = 'slowwave_keys' AND table_schema = 'public'",
    ).fetchall()
    assert readable == [("api_keys",)]
    look_up = "SELECT tenant_id FROM slowwave_find_api_key(%s)"
    assert app_connection.execute(look_up, [f"key_{tenants.theirs}"]).fetchall() == [(tenants.theirs,)]
    assert app_connection.execute(look_up, ["key_%"]).fetchall() == []
    assert app_connection.execute("SELECT * FROM api_keys").fetchall() == []


def test_redaction_can_empty_texts_and_write_the_audit_log_and_nothing_else(
    owner_connection: psycopg.Connection,
) -> None:
    granted = owner_connection.execute(
        "SELECT table_name, privilege_type, array_agg(column_name::text ORDER BY column_name)"
        " FROM information_schema.column_privileges"
        " WHERE grantee = 'slowwave_redact' AND table_schema = 'public' AND privilege_type <> 'SELECT' GROUP BY 1, 2",
    ).fetchall()
    changes = {table: set(columns) for table, verb, columns in granted if verb == "UPDATE"}
    places = [place for table in find_tenant_tables() for place in find_text_places(table)]
    changing = {Treatment.REPLACED, Treatment.RENAMED, Treatment.EMPTIED}
    expected: dict[str, set[str]] = {
        "memory_versions": {"redacted_at"},
        "memories": {"content", "content_hash", "title", "summary", "doc_type", "size_chars", "stub"},
        "pending_merges": {"reason"},
    }
    for place in places:
        if place.treatment in changing:
            expected.setdefault(place.table, set()).add(place.column)
    assert changes == expected
    deletable = owner_connection.execute(
        "SELECT table_name::text FROM information_schema.role_table_grants"
        " WHERE grantee = 'slowwave_redact' AND table_schema = 'public' AND privilege_type = 'DELETE'",
    ).fetchall()
    assert {table for (table,) in deletable} == {one.table for one in places if one.treatment is Treatment.DELETED} | {
        "memory_vectors"
    }
    assert {table for table, verb, _ in granted if verb == "INSERT"} == {"audit_log"}


def test_the_sweep_role_reads_no_content(owner_connection: psycopg.Connection) -> None:
    readable = owner_connection.execute(
        "SELECT table_name, column_name FROM information_schema.column_privileges"
        " WHERE grantee = 'slowwave_sweep' AND table_schema = 'public'",
    ).fetchall()
    tables = {table for table, _ in readable}
    texts_of_tenants = {
        "content",
        "title",
        "summary",
        "overrides",
        "llm",
        "reason",
        "before",
        "last_verdict",
        "body",
        "url",
        "sealed",
        "answer",
        "prompt",
        "request",
        "result",
    }
    assert tables == {
        "stores",
        "dreams",
        "evaluations",
        "evaluation_answers",
        "tenants",
        "pending_merges",
        "operations",
        "installation",
        "webhook_deliveries",
        "webhook_endpoints",
        "llm_calls",
        "batch_calls",
    }
    assert not {column for _, column in readable} & texts_of_tenants


@pytest.fixture
def look_alikes(settings: Settings) -> Iterator[psycopg.Connection]:
    """Temporary tables that carry the names of the real ones: they come first in a careless search path."""
    with psycopg.connect(plain_url(settings.database_url)) as connection:
        connection.execute("CREATE TEMP TABLE tenants (id text)")
        connection.execute("INSERT INTO tenants VALUES ('a look-alike')")
        connection.execute("GRANT SELECT ON tenants TO slowwave_sweep")
        yield connection
        connection.rollback()


def test_a_sweep_is_not_fooled_by_a_table_of_the_same_name(tenants: Tenants, look_alikes: psycopg.Connection) -> None:
    found = {row[0] for row in look_alikes.execute("SELECT * FROM slowwave_list_tenants()")}
    assert set(tenants) <= found
    assert "a look-alike" not in found


def test_the_operators_view_of_the_audit_log_reads_the_two_logs_and_nothing_else(
    owner_connection: psycopg.Connection,
) -> None:
    granted = owner_connection.execute(
        "SELECT DISTINCT table_name, privilege_type FROM information_schema.column_privileges"
        " WHERE grantee = 'slowwave_audit' AND table_schema = 'public'",
    ).fetchall()
    assert set(granted) == {("audit_log", "SELECT"), ("installation_log", "SELECT")}
