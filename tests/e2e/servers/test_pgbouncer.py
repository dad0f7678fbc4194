"""PostgreSQL behind Debian's pgbouncer in transaction mode: the same program, by URL alone."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
from shared.adapters.postgres.health import examine_database
from shared.core.health import Health
from shared.settings import Settings
from tests.e2e.workers import test_dream_delay
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store
from tests.support.installed.pgbouncer import behind_pgbouncer, skip_without_pgbouncer
from tests.support.servers import a_database, open_ports, plain_url

#: The quick tier has the server itself: tests/e2e/workers/test_dream_delay.py and tests/integration.
pytestmark = pytest.mark.thorough

_ROUNDS = 40


@pytest.fixture
def behind(fresh_settings: Settings) -> Iterator[Settings]:
    """An empty database whose address is that of a pgbouncer."""
    skip_without_pgbouncer()
    with behind_pgbouncer(fresh_settings) as found:
        yield found


def test_the_sweep_finds_a_store_and_a_worker_dreams_over_it(behind: Settings, tmp_path: Path, tenant: str) -> None:
    test_dream_delay.test_beat_finds_a_store_that_became_due_and_a_worker_dreams_over_it_unasked(
        behind, tmp_path, tenant
    )


def test_requests_of_the_api_find_their_own_tenant_whichever_connection_they_get(behind: Settings) -> None:
    with open_ports(behind) as ports:
        client = a_client(an_app(ports))
        for number in range(4):
            a_store(ports, f"t{number}")
        tenants = {f"t{number}": bearer(a_token(ports, f"t{number}")) for number in range(4)}

        def add(name: str, number: int) -> int:
            body = {"path": f"notes/{number}.md", "content": f"# Note {number}\n\nThe note {number} of {name}.\n"}
            return client.post("/api/stores/default/memories", headers=tenants[name], json=body).status_code

        with ThreadPoolExecutor(8) as threads:
            wanted = [(name, number) for number in range(_ROUNDS) for name in tenants]
            answers = set(threads.map(lambda one: add(*one), wanted))
        assert answers == {201}
        for name, header in tenants.items():
            found = client.get("/api/stores/default/memories?limit=100", headers=header).json()["data"]
            assert len(found) == _ROUNDS
            first = client.get(f"/api/stores/default/memories/{found[0]['id']}", headers=header)
            assert f"of {name}." in first.json()["content"]


def test_an_empty_database_is_migrated_and_no_session_is_left_with_a_lock_or_a_limit(servers: Endpoints) -> None:
    skip_without_pgbouncer()
    with a_database(servers) as empty, behind_pgbouncer(empty) as found:
        owner = found.owner_database_url
        assert owner is not None
        with ThreadPoolExecutor(3) as threads:
            list(threads.map(lambda _: migrate.upgrade(owner.get_secret_value(), statement_seconds=600), range(3)))
        migrate.check(owner.get_secret_value())
        with psycopg.connect(plain_url(empty.owner_database_url), autocommit=True) as direct:
            locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            assert direct.execute(locks).fetchone() == (0,)
        with psycopg.connect(plain_url(owner), autocommit=True, prepare_threshold=None) as pooled:
            kept = {pooled.execute("SHOW statement_timeout").fetchone() for _ in range(12)}
        assert kept == {("0",)}, "the limits of a migration stay on the server's connections"


def test_the_doctor_says_which_pooler_it_found_and_how_it_is_set(behind: Settings) -> None:
    assert behind.database_url is not None
    found = {one.check: one for one in examine_database(behind.database_url.get_secret_value(), 10)}
    assert found["pooler"].health is Health.OK
    assert "pool_mode transaction, 6 connections a pool" in found["pooler"].found


def test_a_pooler_that_tears_transactions_apart_is_told_in_its_own_words(fresh_settings: Settings) -> None:
    skip_without_pgbouncer()
    with behind_pgbouncer(fresh_settings, mode="statement") as behind:
        assert behind.database_url is not None
        found = {one.check: one for one in examine_database(behind.database_url.get_secret_value(), 10)}
    assert found["database"].health is Health.FAIL
    assert "statement pooling" in found["database"].found
