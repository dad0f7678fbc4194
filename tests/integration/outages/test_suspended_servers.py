"""Servers that stand still under commands: a suspended embedded server is named, and long work ends when its server is silent."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import psutil
import psycopg
import pytest

from gateway.in_time import start
from shared.adapters.embedded.processes import wait_until
from shared.adapters.postgres import migrate
from shared.adapters.postgres.backup import archive, restore
from shared.adapters.postgres.backup.save import make_backup
from shared.adapters.postgres.sql import silence
from shared.bootstrap import environment_of, local_servers
from shared.core.errors import ServiceUnavailableError
from shared.settings import Settings
from tests.e2e.drills.own_postgres import OwnPostgres, an_own_postgres
from tests.integration.operations.embedded_support import ROOT, find_server_pids, temporary_data_dir
from tests.support.database.silent import a_silent_port, standing_still

_BOUND_SECONDS = 60.0
_URLS = ("SLOWWAVE_DATABASE_URL", "SLOWWAVE_OWNER_DATABASE_URL", "SLOWWAVE_REDIS_URL")


def run(settings: Settings, *words: str) -> tuple[int, str]:
    """Run a command on the embedded servers of the settings, which it finds by their folder alone."""
    environment = {name: value for name, value in (os.environ | environment_of(settings)).items() if name not in _URLS}
    command = [sys.executable, "-m", "gateway.cli", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_BOUND_SECONDS, check=False
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("name", ["postgres", "valkey"])
def test_commands_and_the_doctor_name_an_embedded_server_that_is_suspended_and_leave_it_alone(name: str) -> None:
    with temporary_data_dir() as folder, local_servers(Settings(data_dir=folder)) as settings:
        servers = [psutil.Process(pid) for pid in find_server_pids(folder)]
        (server,) = [one for one in servers if one.name().startswith(name)]
        with standing_still(server.pid):
            code, said = run(settings, "tenants", "list")
            assert (code, f"kill -CONT {server.pid}" in said, "Traceback" in said) == (6, True, False)
            code, said = run(settings, "doctor")
            assert (code, f"kill -CONT {server.pid}" in said, "free at" in said) == (1, True, True)
        assert run(settings, "tenants", "list")[0] == 0
        assert server.is_running()


#: What the doctor cannot learn while a server is silent, in part.
_HIDDEN = {"postgres": {"beat", "tenants", "exams"}, "valkey": {"workers", "metrics"}, "model": set[str]()}
_CHECKS = {"postgres": "database", "valkey": "redis", "model": "model key"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "silent", [("postgres",), ("valkey",), ("model",), ("postgres", "valkey", "model")], ids="+".join
)
def test_the_doctor_ends_beside_silent_servers_of_others_and_says_what_it_could_not_learn(
    silent: tuple[str, ...],
) -> None:
    with temporary_data_dir() as folder, local_servers(Settings(data_dir=folder)) as settings, ExitStack() as standing:
        servers = [psutil.Process(pid) for pid in find_server_pids(folder)]
        port = standing.enter_context(a_silent_port())
        environment = os.environ | environment_of(settings) | {"SLOWWAVE_DATA_DIR": str(folder / "another")}
        if "model" in silent:
            model = {"LLM": "anthropic", "LLM_API_KEY": "sk-ant-invented", "LLM_BASE_URL": f"http://127.0.0.1:{port}"}
            environment |= {f"SLOWWAVE_{name}": value for name, value in model.items()}
        for server in servers:
            if server.name().startswith(silent):
                standing.enter_context(standing_still(server.pid))
        command = [sys.executable, "-m", "gateway.cli", "doctor", "--json"]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_BOUND_SECONDS, check=False
        )
    assert done.returncode == 1, done.stderr
    found = {finding["check"]: finding for finding in json.loads(done.stdout)}
    failed = {name for name, check in _CHECKS.items() if found[check]["health"] == "fail"}
    assert failed == set(silent)
    assert all(found[_CHECKS[name]]["advice"] for name in silent)
    hidden = set[str]().union(*(_HIDDEN[name] for name in silent))
    assert hidden <= set(re.split(r"[,; ]+", found["not learned"]["found"] if hidden else ""))
    assert ("not learned" in found) == bool(hidden)
    assert {"disk", "secrets key", "settings", "embeddings"} <= found.keys()


@pytest.fixture
def server() -> Iterator[OwnPostgres]:
    with an_own_postgres("keeper", "kept") as own:
        migrate.upgrade(own.url("keeper"))
        yield own


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The answers of a server beside long work so far; it is asked often here."""
    asked: list[bool] = []
    ask = silence._answers

    def noted(url: str) -> bool:
        asked.append(ask(url))
        return asked[-1]

    monkeypatch.setattr(silence, "_answers", noted)
    monkeypatch.setattr(silence, "_ASK_EVERY_SECONDS", 0.02)
    monkeypatch.setattr(silence, "_PATIENCE_SECONDS", 2)
    return asked


def postmaster_of(connection: psycopg.Connection) -> int:
    return psutil.Process(connection.info.backend_pid).ppid()


@pytest.mark.parametrize(
    ("holds", "work"),
    [
        ("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE", lambda url, file: make_backup(url, file, version="1")),
        (f"SELECT pg_advisory_xact_lock({migrate._MIGRATION_LOCK})", lambda url, _: migrate.upgrade(url)),
    ],
    ids=["backup", "migrate"],
)
def test_long_work_goes_on_while_its_server_answers_others_and_ends_when_it_stands_still(
    holds: str, work: Callable[[str, Path], object], server: OwnPostgres, questions: list[bool], tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    with server.admin() as other, other.transaction():
        other.execute(holds.encode())
        running = start(lambda: work(server.url("keeper"), file))
        assert wait_until(lambda: running.done() or len(questions) >= 20, _BOUND_SECONDS)
        assert not running.done(), "it waits for what the other holds"
        with standing_still(postmaster_of(other)), pytest.raises(ServiceUnavailableError, match="has not answered for"):
            running.result(timeout=_BOUND_SECONDS)
    assert not file.exists()


def test_a_restore_into_a_server_that_falls_silent_ends_and_leaves_no_half(
    server: OwnPostgres, questions: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "backup"
    make_backup(server.url("keeper"), file, version="1")
    chunks_of = archive.chunks_of
    with server.admin() as other:
        with ExitStack() as standing:

            def stop_then_write(dump: IO[bytes]) -> Iterator[bytes]:
                standing.enter_context(standing_still(postmaster_of(other)))
                yield from chunks_of(dump)

            monkeypatch.setattr(restore, "chunks_of", stop_then_write)
            running = start(lambda: restore.restore_backup(server.url("keeper"), file, actor="a test"))
            with pytest.raises(ServiceUnavailableError, match="has not answered for"):
                running.result(timeout=_BOUND_SECONDS)
        assert questions[-1] is False
        left = other.execute("SELECT count(*) FROM pg_class WHERE relname = 'memories'").fetchone()
    assert left == (0,)
