"""Find running processes: holders by a mark that tells reused pids apart, servers by the marker in their title."""

import contextlib
import hashlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from shared.core.errors import ServiceUnavailableError

POLL_SECONDS = 0.02
MARKER_PREFIX = "slowwave-"
#: A server that answers none of so many questions one after the other is silent, however busy the machine is.
_MOST_SILENCES = 2


def find_start_mark(pid: int) -> str | None:
    """Return a mark that distinguishes this process from a later one with its pid; None if it is gone or a zombie."""
    try:
        # The name in parentheses may have spaces; the fields after it are fixed: state is the 1st, start time the 20th.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None if Path("/proc/self/stat").exists() else _find_start_mark_without_proc(pid)
    if fields[0] in "ZX":
        return None
    # Ticks since boot do not change when the clock is set; a restarted machine starts a new count.
    return f"{_read_boot_id()}:{fields[19]}"


def _find_start_mark_without_proc(pid: int) -> str | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else f"{process.create_time():.2f}"
    except psutil.Error:
        return None


def _read_boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "boot"


def build_marker(data_dir: Path) -> str:
    """Build the marker in the process titles of all servers of this data directory.

    All users can read the title, while even root cannot read the working directory of another user's process in a
    container without CAP_SYS_PTRACE.
    """
    return MARKER_PREFIX + hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]


def find_processes(name: str, marker: str, uid: int) -> list[psutil.Process]:
    """Find the living processes of that name and user whose title carries the marker, postmasters before children."""
    return [process for process in psutil.process_iter() if _is_server(process, name, marker, uid)]


def find_process(pid: int, name: str, marker: str, uid: int) -> psutil.Process | None:
    """Find the process with this pid if `find_processes` would find it, without checking all others."""
    with contextlib.suppress(psutil.Error, ValueError):  # a pid file may hold a negative number
        process = psutil.Process(pid)
        return process if _is_server(process, name, marker, uid) else None
    return None


def _is_server(process: psutil.Process, name: str, marker: str, uid: int) -> bool:
    try:
        mine = process.name() == name and process.uids().real == uid
        return mine and marker in " ".join(process.cmdline()) and is_alive(process)
    except psutil.Error:
        return False


def is_alive(process: psutil.Process) -> bool:
    """Tell whether a process is running; a zombie does not count."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


class Silence:
    """Tells a server that says nothing from one that is still starting: only the latter refuses connections in words."""

    def __init__(self, server: str, process: psutil.Process) -> None:
        self._server = server
        self._process = process
        self._times = 0

    def note(self) -> None:
        """Count a question without any answer in time.

        Raises:
            ServiceUnavailableError: the server is suspended, or has answered none of several questions.
        """
        self._times += 1
        pid, named = self._process.pid, f"{self._server} (process {self._process.pid})"
        if _is_suspended(self._process):
            raise ServiceUnavailableError(f"{named} was suspended by a signal; it goes on with: kill -CONT {pid}")
        if self._times >= _MOST_SILENCES and is_alive(self._process):
            advice = "find out what it waits for, such as a disk, or end it: the next command starts it again"
            raise ServiceUnavailableError(f"{named} takes connections and does not answer; {advice}")


def _is_suspended(process: psutil.Process) -> bool:
    try:
        return process.status() in {psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP}
    except psutil.Error:
        return False


def stop_processes(processes: Sequence[psutil.Process], signal_number: signal.Signals, timeout_seconds: float) -> None:
    """Signal processes and wait for their end, at most for the timeout; the caller checks what is left.

    A suspended one goes on, so that it can end as it should.
    """
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(signal_number)
            process.send_signal(signal.SIGCONT)
    wait_until(lambda: not any(map(is_alive, processes)), timeout_seconds)


def wait_until(
    is_done: Callable[[], bool], timeout_seconds: float, is_hopeless: Callable[[], bool] = lambda: False
) -> bool:
    """Poll a condition; return whether it became true before the timeout and before it became hopeless."""
    deadline = time.monotonic() + timeout_seconds
    while not is_done():
        if is_hopeless() or time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
