"""A command on a terminal of its own, as a user sees it."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.cli.cli_support import Cli
from tests.e2e.workers.worker_support import ROOT


class Terminal:
    """A running command and its output so far."""

    def __init__(self, process: subprocess.Popen[bytes], reading: int) -> None:
        self._process = process
        self._reading = reading
        self.text = ""

    def until(self, wanted: str, *, seconds: float) -> str:
        """Return everything that was said once it holds these words."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            assert time.monotonic() < end, f"{wanted!r} was not said: {self.text}"
            assert self._read(), self.text
        return self.text

    def interrupt(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self._process.send_signal(signal.SIGINT)
        while self._process.poll() is None:
            self._read()
        return self._process.wait(timeout=60)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._reading], [], [], 0.2)
        if not ready:
            return self._process.poll() is None
        try:
            self.text += os.read(self._reading, 65_536).decode(errors="replace")
        except OSError:  # the other end is closed
            return False
        return True


@contextmanager
def a_terminal(cli: Cli, *arguments: object, **variables: str) -> Iterator[Terminal]:
    """A command on a wide terminal without colours; gone at the end."""
    reading, writing = pty.openpty()
    plain = {"NO_COLOR": "1", "COLUMNS": "200", "TERM": "xterm"}
    process = subprocess.Popen(
        cli.command(*arguments),
        cwd=ROOT,
        env=cli.environment(**plain, **variables),
        stdin=writing,
        stdout=writing,
        stderr=writing,
        start_new_session=True,
    )
    os.close(writing)
    try:
        yield Terminal(process, reading)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
        os.close(reading)
