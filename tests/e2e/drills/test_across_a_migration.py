"""Real processes of two versions during an upgrade: the newer ones wait for the migration, the older ones hear of it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.support.database.migrations import MADE_UP, REVISION
from tests.support.servers import a_database, environment_for

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(300)]

_PACKAGES = ("shared", "gateway", "workers", "scheduler", "deploy")
_RUNNING = {"worker": "ready", "beat": "beat: Starting", "serve --port 0": "listens at"}


@dataclass(frozen=True, kw_only=True)
class Version:
    """A checkout of slowwave, and the processes that run from it."""

    checkout: Path
    settings: Settings
    processes: ExitStack

    def run(self, words: str) -> tuple[int, str]:
        """Run a program that should end by itself; return its exit code and what it said."""
        done = subprocess.run(
            self._command(words), cwd=self.checkout, env=self._environment(), capture_output=True, text=True, timeout=60,
            check=False,
        )  # fmt: skip
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def start(self, words: str) -> Path:
        """Start a program that goes on; return its log once it is ready."""
        log = self.checkout / f"{words.split(maxsplit=1)[0]}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                self._command(words),
                cwd=self.checkout,
                env=self._environment(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        self.processes.callback(process.wait, timeout=30)
        self.processes.callback(process.kill)
        eventually(lambda: _RUNNING[words] in log.read_text(), f"{words} is ready")
        return log

    def _command(self, words: str) -> list[str]:
        return [sys.executable, "-m", "deploy.entry", *words.split()]

    def _environment(self) -> dict[str, str]:
        return os.environ | environment_for(self.settings) | {"SLOWWAVE_DATA_DIR": str(self.checkout / "data")}


def check_out(folder: Path, settings: Settings, processes: ExitStack) -> Version:
    """This version in a folder of its own, whose processes look at the schema every second."""
    for name in _PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "shared" / "process_ports.py"
    text = file.read_text()
    assert "LOOK_EVERY_SECONDS = 60.0" in text
    file.write_text(text.replace("LOOK_EVERY_SECONDS = 60.0", "LOOK_EVERY_SECONDS = 1.0"))
    return Version(checkout=folder, settings=settings, processes=processes)


@pytest.fixture
def versions(servers: Endpoints, tmp_path: Path) -> Iterator[tuple[Version, Version]]:
    """This version, to which the database is migrated, and one with a revision more."""
    with a_database(servers) as settings, ExitStack() as processes:
        assert settings.owner_database_url is not None
        migrate.upgrade(settings.owner_database_url.get_secret_value())
        old, new = (check_out(tmp_path / name, settings, processes) for name in ("old", "new"))
        added = new.checkout / "shared" / "adapters" / "postgres" / "migrations" / "versions" / f"{REVISION}.py"
        added.write_text(MADE_UP.format(head=migrate.find_head()))
        yield old, new


def find_told(log: Path, event: str) -> str:
    return " ".join(" ".join(line for line in log.read_text().splitlines() if event in line).split())


def test_newer_processes_refuse_the_older_schema_and_older_ones_hear_of_the_newer_one_and_go_on(
    versions: tuple[Version, Version],
) -> None:
    old, new = versions
    head = migrate.find_head()
    logs = {words: old.start(words) for words in _RUNNING}
    for words in (*_RUNNING, "migrate --check"):
        code, said = new.run(words)
        wanted = f"The database has the older schema {head}; this slowwave needs {REVISION}. Run: slowwave migrate"
        assert (code != 0, wanted in said, "Traceback" in said) == (True, True, False), f"{words}: {said}"
    assert not any(find_told(log, "schema_differs") for log in logs.values())

    assert new.run("migrate")[0] == 0
    for words, log in logs.items():
        told = eventually(partial(find_told, log, "schema_differs"), f"the old {words} hears of it")
        assert f"the schema {REVISION} of a newer slowwave" in told
        assert str(head) in told
    address = logs["serve --port 0"].read_text().partition("listens at ")[2].split()[0]
    assert httpx.get(f"{address}/readyz", timeout=30).status_code == 200

    new.start("worker")
    code, said = new.run("doctor")
    assert f"(schema {head})" in said, "the doctor names the old worker in company"
    new.start("beat")
    told = eventually(lambda: find_told(new.checkout / "worker.log", "workers_differ"), "the new worker hears of it")
    assert f"(schema {head})" in told
