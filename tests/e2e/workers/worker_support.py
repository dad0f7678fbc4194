"""A real Celery worker in a process group of its own, to be watched and killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from shared.settings import Settings
from tests.support.cli_processes import run_code
from tests.support.servers import environment_for

ROOT = Path(__file__).parents[3]
T = TypeVar("T")
_QUEUES = "dream.phase,dream.control"


class Worker:
    """A worker and its log."""

    def __init__(
        self,
        settings: Settings,
        log: Path,
        environment: dict[str, str],
        *,
        beat: bool = False,
        app: str = "workers.app",
    ) -> None:
        self.log = log
        command = [sys.executable, "-m", "celery", "-A", app, "worker", "-Q", _QUEUES, "-c", "2"]
        command += ["--without-gossip", "--without-mingle", "-l", "INFO"]
        if beat:
            command = [sys.executable, "-m", "celery", "-A", "scheduler.app", "beat", "-s", str(log.with_suffix(".db"))]
        self._file = log.open("ab")
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | environment_for(settings) | environment | {"REMAP_SIGTERM": "SIGQUIT"},
            stdout=self._file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def kill(self) -> None:
        """SIGKILL the worker and its children at once, as a lost machine does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)
        self._file.close()


@contextmanager
def a_worker(
    settings: Settings,
    log: Path,
    environment: dict[str, str] | None = None,
    *,
    beat: bool = False,
    app: str = "workers.app",
) -> Iterator[Worker]:
    """A running worker (or beat) that is gone at the end."""
    worker = Worker(settings, log, environment or {}, beat=beat, app=app)
    try:
        yield worker
    finally:
        worker.kill()


def eventually(find: Callable[[], T | None], what: str, seconds: float = 150.0) -> T:
    """Return what `find` returns once it is neither None nor False."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(0.05)
    message = f"{what} did not happen within {seconds:g} s"
    raise AssertionError(message)


def delay_dream(settings: Settings, tenant: str, times: int = 1) -> None:
    """Call `dream.delay` as a user does, from a process of its own that need not import anything."""
    calls = f"dream.delay({tenant!r}, force=True);" * times
    ended = run_code(f"from workers import dream; {calls}", os.environ | environment_for(settings))
    assert ended.code == 0, ended.err.decode()
