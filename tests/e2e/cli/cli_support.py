"""The real command line in processes of their own, over a data directory of the test's own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from pydantic import SecretStr
from redis import Redis
from sqlalchemy.engine import make_url

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.postgres import DATABASE
from shared.adapters.embedded.servers import running_servers
from shared.core.trust.sidecar import WRITERS_FILE
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.integration.operations.embedded_support import temporary_data_dir
from tests.support.cli_processes import run_command
from tests.support.servers import a_database, environment_for

#: Other tests of this worker count what waits in the first.
_OWN_REDIS = "1"
DEMO_NOTES = ROOT / "gateway" / "demo_tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cli:
    """Runs commands over one data directory, or over servers beside it. None of them may ever show a traceback."""

    data_dir: Path
    settings: Settings | None = None

    def run(self, *arguments: object, expect: int = 0, **variables: str) -> Ran:
        """Run a command without a terminal and check its exit code."""
        ended = run_command([*map(str, arguments)], self.environment(**variables))
        ran = Ran(code=ended.code, out=ended.out.decode(), err=ended.err.decode())
        assert "Traceback" not in ran.err + ran.out, ran.err
        assert ran.code == expect, ran
        return ran

    def json(self, *arguments: object, expect: int = 0, **variables: str) -> Any:
        """Run a command with `--json` and return all of its standard output, which must be JSON and nothing else."""
        return json.loads(self.run(*arguments, "--json", expect=expect, **variables).out)

    def command(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "gateway.cli", *map(str, arguments)]

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the environment without the settings of the user who runs the tests."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SLOWWAVE_")}
        servers = environment_for(self.settings) if self.settings else {}
        return kept | servers | {"SLOWWAVE_DATA_DIR": str(self.data_dir)} | variables


@contextmanager
def a_cli(*, servers: bool = True) -> Iterator[Cli]:
    """A command line over a new data directory; with servers that stay up between commands, which saves their start."""
    with temporary_data_dir() as data_dir:
        if not servers:
            yield Cli(data_dir=data_dir)
            return
        with running_servers(data_dir):
            yield Cli(data_dir=data_dir)


@contextmanager
def a_cli_beside(servers: Endpoints, data_dir: Path) -> Iterator[Cli]:
    """A command line over a database of its own in servers that run already: nothing to start, nothing to migrate."""
    with a_database(servers, template=DATABASE) as settings:
        url = make_url(servers.redis_url).set(database=_OWN_REDIS).render_as_string(hide_password=False)
        with Redis.from_url(url) as client:
            client.flushdb()
        yield Cli(data_dir=data_dir, settings=settings.model_copy(update={"redis_url": SecretStr(url)}))


class Up:
    """`slowwave up` in the background."""

    def __init__(self, cli: Cli, log: Path, *options: str, **variables: str) -> None:
        self._log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                cli.command("up", *options),
                cwd=ROOT,
                env=cli.environment(**variables),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.seen: set[psutil.Process] = set()

    def text(self) -> str:
        return self._log.read_text()

    def find_worker(self) -> psutil.Process | None:
        """Find the worker's main process."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        self.seen.update(children)
        workers = [child for child in children if child.ppid() == self.process.pid and "worker" in _command(child)]
        return workers[0] if workers else None

    def stop(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self.find_worker()
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@contextmanager
def an_up(cli: Cli, log: Path, *options: str, **variables: str) -> Iterator[Up]:
    """A running `slowwave up` that reported it is ready; stopped at the end in any case."""
    up = Up(cli, log, *options, **variables)
    try:
        eventually(lambda: "Ctrl-C stops everything" in up.text() or up.process.poll() is not None, "up")
        assert up.process.poll() is None, up.text()
        yield up
    finally:
        if up.process.poll() is None:
            up.stop()
        _, left = psutil.wait_procs(list(up.seen), timeout=30)
        for process in left:
            process.kill()


def files_of(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder by its relative path, without the one that says who wrote what in an export."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {path: data for path, data in found.items() if path != WRITERS_FILE}


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
