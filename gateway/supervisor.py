"""Run the worker, beat and Flower as children of this process, restart those that die, and end all of them with it."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from gateway.parent_death import end_with_parent

_ROOT = Path(__file__).parents[1]
_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 30.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 30.0
#: A child that lived this long was healthy: the backoff starts again at its next death.
_HEALTHY_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One child: its name, its command, and its environment variables."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


class Supervisor:
    """Starts programs, keeps them running, and stops them when the context closes."""

    def __init__(
        self,
        programs: tuple[Program, ...],
        environment: Mapping[str, str],
        logs: Path,
        announce: Callable[[str], None],
    ) -> None:
        self._children = [_Child(program, environment, logs) for program in programs]
        self._announce = announce
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        logs.mkdir(mode=0o700, parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        for child in self._children:
            child.start()
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._watcher.join(timeout=5)
        for child in self._children:
            child.ask_to_stop()
        end = time.monotonic() + _GRACE_SECONDS
        for child in self._children:
            child.stop(max(0.1, end - time.monotonic()))

    def _watch(self) -> None:
        while not self._stopping.wait(_LOOK_SECONDS):
            for child in self._children:
                self._look_after(child)

    def _look_after(self, child: "_Child") -> None:
        """Restart a dead child after its backoff, without delaying the others."""
        code = child.exit_code()
        if code is None:
            return
        if child.starts_at is None:
            pause = child.next_pause()
            child.starts_at = time.monotonic() + pause
            self._announce(f"{child.name} ended (exit code {code}); starting it again in {pause:g} s")
        elif time.monotonic() >= child.starts_at:
            try:
                child.start()
            except OSError as error:  # out of memory or processes for the moment
                child.starts_at = time.monotonic() + child.next_pause()
                self._announce(f"{child.name} did not start: {error}")


def _open_private(log: Path) -> BinaryIO:
    """Open a log to append to. It may name tenants and memories, so only its owner reads it, also one of an older version."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "ab")


class _Child:
    def __init__(self, program: Program, environment: Mapping[str, str], logs: Path) -> None:
        self.name = program.name
        self._program = program
        self._environment = {**os.environ, **environment, **program.environment}
        self._log = logs / f"{program.name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.starts_at: float | None = None
        self._started = 0.0
        self._pause = _FIRST_PAUSE_SECONDS

    def start(self) -> None:
        # A process session of its own: Ctrl-C on the terminal reaches only the supervisor, which stops the children in order.
        with _open_private(self._log) as log:
            self._process = subprocess.Popen(  # noqa: S603 - the command is put together from constants
                self._program.command,
                cwd=_ROOT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                umask=0o077,
                preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509 - two system calls
            )
        self._started = time.monotonic()
        self.starts_at = None

    def exit_code(self) -> int | None:
        return self._process.poll() if self._process else None

    def next_pause(self) -> float:
        """Return the backoff before the next start: longer each time, until the child lives for a minute."""
        if time.monotonic() - self._started > _HEALTHY_SECONDS:
            self._pause = _FIRST_PAUSE_SECONDS
        pause, self._pause = self._pause, min(_LONGEST_PAUSE_SECONDS, self._pause * 2)
        return pause

    def ask_to_stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()

    def stop(self, seconds: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=10)
