"""The versions of PostgreSQL that slowwave supports, besides the newest, which is the embedded one: the same program."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
from shared.adapters.postgres.health import examine_database
from shared.core.health import Health
from shared.settings import Settings
from tests.e2e.workers import test_dream_delay
from tests.support.installed.postgres import an_installed_postgres, find_postgres
from tests.support.servers import a_database, plain_url

#: The quick tier has the embedded server; `pytest tests/integration --postgres FOLDER` runs all of it on another one.
pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module", params=["15", "16", "17"])
def on_an_older(request: pytest.FixtureRequest, servers: Endpoints) -> Iterator[Settings]:
    """A migrated database on one of them."""
    with an_installed_postgres(find_postgres(request.param), servers) as found, a_database(found) as settings:
        assert settings.owner_database_url is not None
        migrate.upgrade(settings.owner_database_url.get_secret_value())
        yield settings


def test_the_sweep_finds_a_store_and_a_worker_dreams_over_it(
    on_an_older: Settings, tmp_path: Path, tenant: str
) -> None:
    test_dream_delay.test_beat_finds_a_store_that_became_due_and_a_worker_dreams_over_it_unasked(
        on_an_older, tmp_path, tenant
    )


def test_doctor_finds_nothing_to_say_about_any(on_an_older: Settings) -> None:
    assert on_an_older.database_url is not None
    found = examine_database(on_an_older.database_url.get_secret_value(), 10)
    assert [one for one in found if one.health is Health.FAIL and one.check != "beat"] == []


def test_a_tenant_sees_no_row_of_another_one(on_an_older: Settings) -> None:
    with psycopg.connect(plain_url(on_an_older.database_url)) as app:
        seen = app.execute("SELECT count(*) FROM tenants").fetchone()
    assert seen == (0,), "without a tenant there is nothing to see"
