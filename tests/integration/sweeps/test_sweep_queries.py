"""The cost of a sweep in the database, and its error when there is no database."""

import json
from collections.abc import Callable
from typing import LiteralString

import psycopg
import pytest

from shared.adapters.postgres.database import PostgresDatabase
from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from tests.support.builders import write


def explain(owner: psycopg.Connection, function: LiteralString, arguments: LiteralString) -> str:
    """The plan of the body of a sweep function, run as the sweep role."""
    row = owner.execute("SELECT prosrc, proargnames FROM pg_proc WHERE proname = %s", [function]).fetchone()
    assert row is not None
    body = str(row[0])
    for number, name in enumerate((name for name in row[1] or () if name.startswith("p_")), 1):
        body = body.replace(name, f"${number}")
    owner.execute("SET ROLE slowwave_sweep")
    owner.execute(f"PREPARE swept(integer, double precision) AS {body}".encode())
    plan = owner.execute(f"EXPLAIN (FORMAT json) EXECUTE swept({arguments})".encode()).fetchone()
    owner.execute("RESET ROLE")
    return json.dumps(plan)


@pytest.mark.own_database
@pytest.mark.parametrize(
    ("function", "arguments", "indexes"),
    [
        ("slowwave_claim_due_stores", "16, 600", {"ix_stores_due"}),
        ("slowwave_claim_due_digests", "16, 600", {"ix_stores_digest_due"}),
        ("slowwave_claim_due_compactions", "16, 600", {"ix_stores_compaction_due"}),
        ("slowwave_find_stalled_dreams", "100, 30", {"ix_dreams_active", "uq_dreams_one_active"}),
    ],
)
def test_a_sweep_goes_by_an_index_however_many_rest(
    function: LiteralString, arguments: LiteralString, indexes: set[str], fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    """Idle tenants cost nothing: of 5,000 stores with a dream each, three are due and three dreams run."""
    write(fresh_ports, "acme", {"web/a.md": "# Note\n"})
    owner.execute("INSERT INTO tenants (id) SELECT 'many' || n FROM generate_series(1, 5000) n")
    owner.execute(
        "INSERT INTO stores (id, tenant_id, name, next_check_at, digest_check_at, compaction_check_at)"
        " SELECT 's' || n, 'many' || n, 'default', at, at, at FROM (SELECT n,"
        " CASE WHEN n <= 3 THEN now() - interval '1 minute' END AS at FROM generate_series(1, 5000) n) due",
    )
    owner.execute(
        "INSERT INTO dreams (id, tenant_id, store_id, state, trigger, is_forced, is_dry_run, model, reason, lease_until)"
        " SELECT 'd' || n, 'many' || n, 's' || n, CASE WHEN n <= 3 THEN 'running' ELSE 'completed' END, 'sweep',"
        " false, false, '', '', now() FROM generate_series(1, 5000) n",
    )
    owner.execute("ANALYZE")
    plan = explain(owner, function, arguments)
    assert "Seq Scan" not in plan
    assert any(index in plan for index in indexes)


def test_sweeps_say_when_the_database_does_not_answer() -> None:
    nowhere = PostgresDatabase("postgresql+psycopg://slowwave_app@/slowwave?host=/nonexistent").sweeps
    asked: list[Callable[[], object]] = [
        lambda: nowhere.claim_due_stores(1, 1),
        lambda: nowhere.find_stalled_dreams(1, 1),
        lambda: nowhere.count_active_dreams(1),
        nowhere.find_tenants,
    ]
    for ask in asked:
        with pytest.raises(ServiceUnavailableError, match="does not answer"):
            ask()
