"""Real processes on a database without a schema, or with one of another version: they say so, or refuse to start."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from gateway.api.app import create_app
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
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


def test_a_worker_beside_a_newer_slowwave_starts_and_logs_that_it_is_older(empty: Settings, tmp_path: Path) -> None:
    migrate_to(empty, "9999")
    log = tmp_path / "worker.log"
    with a_worker(empty, log):
        eventually(lambda: "ready." in log.read_text(), "the worker is ready")
    assert "schema_is_newer" in log.read_text()
    assert "9999" in log.read_text()


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
    with open_ports(empty) as ports, TestClient(create_app(ports)) as client:
        assert client.get("/readyz").status_code == 200
