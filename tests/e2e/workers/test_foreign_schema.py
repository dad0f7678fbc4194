"""Real processes on a database without a schema, or with one of another version: they say so, or refuse to start."""

import os
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from structlog.testing import capture_logs

from gateway.api.app import create_app
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
from shared.adapters.redis.worker_pulse import WorkerFacts, WorkerPulse
from shared.bootstrap import redis_url
from shared.process_ports import LOOK_EVERY_SECONDS, SchemaWatch
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, a_worker, eventually
from tests.support.servers import a_database, environment_for, open_ports, plain_url

PROCESSES = {
    "worker": ("deploy.entry", "worker"),
    "beat": ("deploy.entry", "beat"),
    "api": ("gateway.cli", "serve", "--port", "0"),
    "up": ("gateway.cli", "up", "--no-flower"),
}
_FOREIGN = "CREATE TABLE alembic_version AS SELECT 'ab12' AS version_num; GRANT SELECT ON alembic_version TO PUBLIC"


@pytest.fixture
def empty(servers: Endpoints) -> Iterator[Settings]:
    with a_database(servers) as settings:
        yield settings


def run(settings: Settings, place: Path, module: str, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", module, *words]
    environment = os.environ | environment_for(settings) | {"SLOWWAVE_DATA_DIR": str(place)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def change(settings: Settings, statements: str) -> None:
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
        owner.execute(statements.encode())


def migrate_to(settings: Settings, revision: str) -> None:
    assert settings.owner_database_url is not None
    migrate.upgrade(settings.owner_database_url.get_secret_value())
    change(settings, f"UPDATE alembic_version SET version_num = '{revision}'")


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_refuses_a_database_without_a_schema_in_a_sentence(
    name: str, empty: Settings, tmp_path: Path
) -> None:
    code, said = run(empty, tmp_path, *PROCESSES[name])
    assert code != 0
    assert f"The database has no schema; this slowwave needs {migrate.find_head()}. Run: slowwave migrate" in said
    assert "Traceback" not in said
    assert "ready" not in said


def test_a_command_on_a_database_without_a_schema_names_the_doctor_who_names_the_command(
    empty: Settings, tmp_path: Path
) -> None:
    code, said = run(empty, tmp_path, "gateway.cli", "tenants", "list")
    assert (code, "slowwave doctor says why" in said, "Unexpected" in said) == (6, True, False)
    code, said = run(empty, tmp_path, "gateway.cli", "doctor")
    assert (code, "Run: slowwave migrate" in said) == (1, True)


def test_a_worker_refuses_the_schema_of_another_program_and_names_what_it_found(
    empty: Settings, tmp_path: Path
) -> None:
    change(empty, _FOREIGN)
    code, said = run(empty, tmp_path, *PROCESSES["worker"])
    assert code != 0
    assert "The database has the schema ab12 of another program" in said
    assert "SLOWWAVE_DATABASE_URL" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("program", ["worker", "beat"])
def test_a_process_beside_a_newer_slowwave_goes_on_and_logs_that_it_is_older(
    program: str, empty: Settings, tmp_path: Path
) -> None:
    migrate_to(empty, "9999")
    log = tmp_path / "process.log"
    with a_worker(empty, log, beat=program == "beat"):
        told = eventually(lambda: find_lines(log, "schema_differs"), "the warning")
    assert len(told) == 1
    assert "the schema 9999 of a newer slowwave" in told[0]
    assert str(migrate.find_head()) in told[0]
    assert "Upgrade this process" in told[0]


def find_lines(log: Path, event: str) -> list[str]:
    return [line for line in log.read_text().splitlines() if event in line]


@pytest.mark.parametrize(
    ("statements", "reason"),
    [("SELECT", "The database has no schema"), (_FOREIGN, "The database has the schema ab12 of another program")],
    ids=["empty", "foreign"],
)
def test_an_api_whose_database_has_no_schema_of_its_own_is_unready_with_the_reason(
    statements: str, reason: str, empty: Settings
) -> None:
    change(empty, statements)
    with open_ports(empty) as ports, TestClient(create_app(ports)) as client:
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, False)
    assert answer.json()["reasons"][0].startswith(reason)


def test_an_api_serves_on_while_a_newer_slowwave_is_rolled_out(empty: Settings) -> None:
    migrate_to(empty, "9999")
    with open_ports(empty) as ports, capture_logs() as log:
        app = create_app(ports)
        app.state.schema_watch = SchemaWatch(empty)
        with TestClient(app) as client:
            assert client.get("/readyz").status_code == 200
            (told,) = eventually(lambda: [one for one in log if one["event"] == "schema_differs"], "the warning")
    assert told["found"] == "the schema 9999 of a newer slowwave"


@pytest.fixture
def pulse(empty: Settings) -> Iterator[WorkerPulse]:
    made = WorkerPulse(redis_url(empty))
    yield made
    made.end("there")


def look_a_minute_later(watch: SchemaWatch, now: list[float]) -> list[MutableMapping[str, Any]]:
    now[0] += LOOK_EVERY_SECONDS
    with capture_logs() as log:
        watch.look()
        watch.look()
    return [one for one in log if one["log_level"] == "warning"]


def test_a_process_whose_schema_moves_on_while_it_runs_says_so_once_for_each_move(empty: Settings) -> None:
    newest, now = migrate.find_head(), [0.0]
    migrate_to(empty, str(newest))
    watch = SchemaWatch(empty, clock=lambda: now[0])
    assert look_a_minute_later(watch, now) == []
    change(empty, "UPDATE alembic_version SET version_num = '9999'")
    (told,) = look_a_minute_later(watch, now)
    assert (told["found"], told["wanted"]) == ("the schema 9999 of a newer slowwave", newest)
    assert "Upgrade this process" in told["advice"]
    assert look_a_minute_later(watch, now) == []
    change(empty, f"UPDATE alembic_version SET version_num = '{newest}'")
    assert look_a_minute_later(watch, now) == []
    change(empty, "UPDATE alembic_version SET version_num = '9999'")
    assert len(look_a_minute_later(watch, now)) == 1


def test_a_process_among_workers_of_another_version_says_so_once(empty: Settings, pulse: WorkerPulse) -> None:
    newest, now = migrate.find_head(), [0.0]
    migrate_to(empty, str(newest))
    watch = SchemaWatch(empty, clock=lambda: now[0])
    pulse.beat("there", lambda: WorkerFacts(pid=1, pool="threads", concurrency=1, schema="9999"))
    (told,) = look_a_minute_later(watch, now)
    assert ("there (schema 9999)" in told["found"], told["wanted"]) == (True, newest)
    assert "Restart" in told["advice"]
    assert look_a_minute_later(watch, now) == []


def test_a_database_that_does_not_answer_is_no_other_version(empty: Settings) -> None:
    gone = empty.model_copy(update={"database_url": SecretStr("postgresql+psycopg://slowwave@127.0.0.1:9/slowwave")})
    assert look_a_minute_later(SchemaWatch(gone, clock=lambda: 0.0), [0.0]) == []
