"""Servers that accept connections and never answer: nothing waits for them for ever, and everything says so.

The waits are bounded by the calls' own time limits, generously: without a deadline of its own, each call here would hang.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from gateway.api.app import create_app
from gateway.health import examine
from gateway.in_time import start
from gateway.metrics import render_metrics
from shared.adapters.postgres.database import PostgresDatabase
from shared.adapters.postgres.sql.transactions import TimeLimits
from shared.bootstrap import make_counters
from shared.core.errors import DatabaseRefusesError
from shared.core.health import Health
from shared.settings import Settings
from shared.working import Work
from tests.e2e.drills.own_postgres import an_own_postgres
from tests.support.database.silent import a_silent_port, standing_still
from tests.support.servers import open_ports

_BOUND_SECONDS = 60.0


@pytest.fixture
def silent(fresh_settings: Settings) -> Iterator[Settings]:
    """An installation whose database is silent, and whose Redis answers."""
    with a_silent_port() as port:
        url = SecretStr(f"postgresql+psycopg://slowwave_app@127.0.0.1:{port}/slowwave")
        yield fresh_settings.model_copy(update={"database_url": url})


def test_the_doctor_says_of_each_silent_server_that_it_is_silent_and_checks_the_rest(silent: Settings) -> None:
    with a_silent_port() as redis, a_silent_port() as model:
        settings = silent.model_copy(
            update={
                "redis_url": SecretStr(f"redis://127.0.0.1:{redis}/0"),
                "llm": "anthropic",
                "llm_api_key": SecretStr("sk-ant-invented-key-of-a-test"),
                "llm_base_url": f"http://127.0.0.1:{model}",
            }
        )
        with open_ports(settings) as ports:
            found = start(lambda: examine(settings, ports.db)).result(timeout=_BOUND_SECONDS)
    health = {finding.check: finding.health for finding in found}
    assert health["database"] is health["redis"] is health["model key"] is Health.FAIL
    assert {"disk", "secrets key", "settings", "embeddings"} <= health.keys()
    (unlearned,) = [finding.found for finding in found if finding.check == "not learned"]
    assert {"beat", "tenants", "exams", "workers"} <= set(re.split(r"[,; ]+", unlearned))


@pytest.fixture(params=["database", "redis"])
def silent_one(request: pytest.FixtureRequest, fresh_settings: Settings) -> Iterator[tuple[str, Settings]]:
    """An installation of which one server is silent, and which one."""
    with a_silent_port() as port:
        url = f"redis://127.0.0.1:{port}/0"
        if request.param == "database":
            url = f"postgresql+psycopg://slowwave_app@127.0.0.1:{port}/slowwave"
        yield request.param, fresh_settings.model_copy(update={f"{request.param}_url": SecretStr(url)})


def test_a_server_is_unready_with_the_reason_and_alive_while_its_database_or_redis_is_silent(
    silent_one: tuple[str, Settings],
) -> None:
    name, settings = silent_one
    with open_ports(settings) as ports, TestClient(create_app(ports)) as client, ThreadPoolExecutor(40) as many:
        answers = list(many.map(lambda _: client.get("/readyz"), range(40)))
        alive = client.get("/healthz")
    assert {answer.status_code for answer in answers} == {503}
    (reason,) = answers[0].json()["reasons"]
    assert reason.startswith({"database": "The database has not answered within 4 s", "redis": "Redis "}[name])
    assert {one for one in ("database", "redis") if not answers[0].json()[one]} == {name}
    assert alive.status_code == 200


def test_the_metrics_are_answered_without_a_silent_database_or_redis(silent_one: tuple[str, Settings]) -> None:
    name, settings = silent_one
    counters = make_counters(settings)
    with open_ports(settings) as ports:
        scraping = start(lambda: render_metrics(ports.db, counters, by_tenant=True))
        text = scraping.result(timeout=_BOUND_SECONDS)
    counters.close()
    up = dict(re.findall(r'^slowwave_source_up{source="(\w+)"} ([\d.]+)', text, re.MULTILINE))
    assert up == {"database": "1.0", "redis": "1.0"} | {name: "0.0"}


def test_an_open_connection_to_a_server_that_stands_still_is_given_up_and_replaced_when_it_goes_on() -> None:
    limits = TimeLimits(usual=Work.TASK, statement_seconds=dict.fromkeys(Work, 0.5), lock_seconds={})
    with an_own_postgres("owner", "memories") as server:
        db = PostgresDatabase(server.url("owner"), limits=limits)
        with server.admin() as admin:
            postmaster = _postmaster_of(admin.info.backend_pid)
        _open(db)
        with standing_still(postmaster), pytest.raises(DatabaseRefusesError, match="does not answer"):
            start(lambda: _open(db)).result(timeout=_BOUND_SECONDS)
        _open(db)
        db.dispose()


def _open(db: PostgresDatabase) -> None:
    with db.transaction("acme"):
        pass


def _postmaster_of(backend: int) -> int:
    parent = psutil.Process(backend).parent()
    assert parent is not None
    return parent.pid
