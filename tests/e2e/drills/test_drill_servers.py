"""Drills: something of the installation itself is down, and its runbook brings it back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

import psycopg
import pytest
import redis
from sqlalchemy.engine import make_url

from shared.settings import Settings
from tests.e2e.drills.drill import Drill, a_drill
from tests.e2e.workers.worker_support import eventually
from tests.support.servers import plain_url

#: One drill is quick (test_drill_dreams.py); tests/architecture checks every page.
pytestmark = pytest.mark.thorough

DRILLED = (
    "sweep-stale", "worker-dead", "redis-lost", "database-lost", "database-refuses", "lost-lease-spike", "upgrade",
    "metrics-down",
)  # fmt: skip
ALL = ("slowwave-worker", "slowwave-beat")


@pytest.fixture
def settings(fresh_settings: Settings) -> Iterator[Settings]:
    """An empty database and an unused broker."""
    flush(fresh_settings)
    yield fresh_settings
    flush(fresh_settings)


def flush(settings: Settings) -> None:
    assert settings.redis_url is not None
    with redis.Redis.from_url(settings.redis_url.get_secret_value()) as client:
        client.flushall()


def is_well(drill: Drill) -> bool:
    return drill.run("slowwave doctor")[0] == 0


def test_beat_is_gone_and_nothing_is_swept(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, "slowwave-worker") as drill:
        drill.follow("sweep-stale")


def test_the_worker_is_gone_and_nothing_is_taken(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, "slowwave-beat") as drill:
        drill.follow("worker-dead")


def test_the_metrics_server_is_gone_and_no_alert_can_fire(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path) as drill:
        drill.follow("metrics-down")


def test_redis_comes_back_empty_under_a_queued_dream(settings: Settings, tmp_path: Path, tenant: str) -> None:
    with a_drill(settings, tmp_path, "slowwave-beat") as drill:
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "limits.md").write_text("# Limits\n\nThe API allows 600 calls a minute.\n")
        assert drill.run(f"slowwave import {tmp_path / 'notes'} --tenant {tenant}")[0] == 0
        assert drill.run(f"slowwave dream {tenant} --force --detach")[0] == 0
        flush(settings)
        drill.servers["redis-server"] = lambda: None  # it is back already, with nothing in it
        drill.follow("redis-lost", TENANT=tenant)
        ended = f"slowwave dreams list {tenant} --state completed --json"
        eventually(lambda: "drm_" in drill.run(ended)[1], "the queued dream runs")


def test_the_database_takes_no_connections_and_comes_back(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, *ALL) as drill:
        eventually(lambda: is_well(drill), "all is well before")
        with no_connections(settings) as allow:
            drill.servers["postgresql"] = allow.start
            drill.follow("database-lost")


def test_the_database_takes_no_writes_and_takes_them_again(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, *ALL) as drill:
        eventually(lambda: is_well(drill), "all is well before")
        with no_connections(settings, "default_transaction_read_only = on") as allow:
            drill.servers["postgresql"] = allow.start
            drill.follow("database-refuses")


class no_connections:  # noqa: N801 - reads as a statement of the test
    """Refuse all connections to the database, or only what a setting says, until it is started or the block ends."""

    def __init__(self, settings: Settings, setting: str = "") -> None:
        self._refuse = f"SET {setting}" if setting else "ALLOW_CONNECTIONS false"
        self._allow = "RESET ALL" if setting else "ALLOW_CONNECTIONS true"
        assert settings.owner_database_url is not None
        url = make_url(settings.owner_database_url.get_secret_value())
        self._name = url.database
        self._url = plain_url(url.set(database="postgres").render_as_string(hide_password=False))

    def __enter__(self) -> Self:
        self._run(f'ALTER DATABASE "{self._name}" {self._refuse}')
        self._run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'")
        return self

    def __exit__(self, *_: object) -> None:
        self.start()

    def start(self) -> None:
        self._run(f'ALTER DATABASE "{self._name}" {self._allow}')
        self._run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'")

    def _run(self, statement: str) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statement.encode())


def test_leases_are_lost_and_the_worker_is_started_anew(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, *ALL) as drill:
        eventually(lambda: is_well(drill), "all is well before")
        drill.follow("lost-lease-spike")


def test_an_upgrade_ends_with_everything_running(settings: Settings, tmp_path: Path) -> None:
    with a_drill(settings, tmp_path, *ALL, "slowwave-serve", "slowwave-flower") as drill:
        eventually(lambda: is_well(drill), "all is well before")
        drill.follow("upgrade", BACKUP=str(tmp_path / "before.dump"))
        assert (tmp_path / "before.dump").stat().st_size > 0
