"""The logs of the programs under `slowwave up`: only their owner reads them, whatever the shell's umask allows."""

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from gateway.supervisor import Program, Supervisor

_WRITES_A_FILE = "import sys; open(sys.argv[1], 'w').close()"


@pytest.fixture
def open_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("open_umask")
def test_the_logs_and_what_the_programs_write_are_for_their_owner_alone(tmp_path: Path) -> None:
    logs, written = tmp_path / "logs", tmp_path / "schedule"
    program = Program(name="beat", command=(sys.executable, "-c", _WRITES_A_FILE, str(written)))
    with Supervisor((program,), {}, logs, lambda _: None):
        until = time.monotonic() + 20
        while not written.exists() and time.monotonic() < until:
            time.sleep(0.01)
    assert [mode_of(path) for path in (logs, logs / "beat.log", written)] == [0o700, 0o600, 0o600]


@pytest.mark.usefixtures("open_umask")
def test_a_log_of_an_older_version_is_closed_to_others(tmp_path: Path) -> None:
    log = tmp_path / "beat.log"
    log.write_text("before\n")
    log.chmod(0o644)
    with Supervisor((Program(name="beat", command=(sys.executable, "-c", "pass")),), {}, tmp_path, lambda _: None):
        pass
    assert (mode_of(log), log.read_text()) == (0o600, "before\n")
