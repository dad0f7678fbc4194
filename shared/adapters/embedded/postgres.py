"""One real PostgreSQL under a data directory, reachable through a unix socket only.

The wheel's own `get_server` is not used: it opens every parent directory to all users when run as root, keeps
one lock for the whole machine, and takes no server options. Only its binaries are.
"""

import os
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from shared.adapters.embedded.launch import RunAs, find_server_user, launch_server, read_log_tail, rotate_log
from shared.adapters.embedded.postgres_cluster import (
    ensure_cluster,
    find_binaries,
    is_link_to,
    is_stopping,
    link_short_path,
    read_postmaster_pid,
    remove_stale_files,
)
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
from shared.program import connection_name

DATABASE = "slowwave"
OWNER_ROLE = "postgres"
APP_ROLE = "slowwave_app"
START_TIMEOUT_SECONDS = 120  # recovery after a crash replays the log, up to about a gigabyte of it
STOP_TIMEOUT_SECONDS = 30
# A socket's whole path must fit into sockaddr_un: 108 bytes on Linux, 104 on macOS, the final NUL included.
SOCKET_PATH_BYTES = 103
PORT = 5432  # only part of the socket's name; set explicitly because PGPORT in the environment would change it
SOCKET_NAME = f".s.PGSQL.{PORT}"

# The socket is in the data directory itself, which only its owner (and root) may enter.
_OPTIONS = (
    "listen_addresses=",
    "unix_socket_directories=.",
    "unix_socket_permissions=0700",
    f"port={PORT}",
    "shared_buffers=32MB",
    "max_connections=100",
    # A new installation's first import and dream use tables without statistics; until they are analyzed, plans are
    # guesses.
    "autovacuum_naptime=5s",
    "max_parallel_workers_per_gather=0",  # a small server; containers give /dev/shm too little for parallel queries
    "idle_in_transaction_session_timeout=5min",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_min_error_statement=panic",  # statements contain tenants' texts, which must not be logged
    "log_error_verbosity=terse",  # the same for the rows in errors about constraints
)
# Synchronous commit stays on: without it, even a killed server loses acknowledged commits, not only a power cut.
# Without fsync it costs almost nothing.
_NOT_DURABLE_OPTIONS = ("fsync=off", "full_page_writes=off")


@dataclass(frozen=True)
class EmbeddedPostgres:
    """The server of one data directory (an absolute path). Call `start` and `stop` under the directory's lock."""

    data_dir: Path

    @property
    def directory(self) -> Path:
        """The data directory."""
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        """The server's log; the log of the previous run ends in `.1`."""
        return self.directory / "server.log"

    @cached_property
    def marker(self) -> str:
        """The marker in the titles of the server's processes."""
        return build_marker(self.data_dir)

    @cached_property
    def run_as(self) -> RunAs:
        """The user that the server runs as."""
        return find_server_user(self.directory)

    @property
    def socket_directory(self) -> Path:
        """The folder of the Unix socket: the data directory, or a short link to it when that path is too long."""
        path = os.fsencode(self.directory / SOCKET_NAME)
        # libpq reads a comma as the end of a host. The server itself binds a relative path, so it is not affected.
        if len(path) <= SOCKET_PATH_BYTES and b"," not in path:
            return self.directory
        return Path(tempfile.gettempdir()) / f"{self.marker}-{os.geteuid()}"

    def build_url(self, role: str) -> str:
        """Build the SQLAlchemy URL by which that role logs in."""
        host = quote(str(self.socket_directory), safe="/")
        return f"postgresql+psycopg://{role}@/{DATABASE}?host={host}&port={PORT}"

    def answers(self, on_silence: Callable[[], None] = lambda: None) -> bool:
        """Tell whether the server accepts connections; call `on_silence` if it says nothing in time."""
        if self._find_postmaster() is None:
            return False
        try:
            with self._connect():
                return True
        except psycopg.errors.ConnectionTimeout:
            on_silence()
        except psycopg.OperationalError:
            pass  # it refuses in words, as while it starts
        return False

    def start(self, *, durable: bool) -> None:
        """Adopt the running server, or start one, creating what is missing; `durable=False` is for tests only.

        Raises:
            PermanentError: the server's user cannot reach its files, or they could not be created.
            ServiceUnavailableError: the server did not come up; the end of its log is in the message. Or it runs and is silent.
        """
        if not self._adopt():
            self.stop()
            ensure_cluster(self.directory, self.run_as, owner_role=OWNER_ROLE, marker=self.marker, durable=durable)
            remove_stale_files(self.directory, SOCKET_NAME)
            self._link_socket_directory()
            self._launch(durable=durable)
        with self._connect() as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if found is None:
                connection.execute(f'CREATE DATABASE "{DATABASE}"')

    def stop(self) -> None:
        """Stop every process of this server, by force if necessary; without processes, do nothing."""
        postmaster = self._find_postmaster()
        if postmaster is not None:
            # SIGINT to the postmaster is the "fast" shutdown: it ends sessions and writes everything.
            stop_processes([postmaster], signal.SIGINT, STOP_TIMEOUT_SECONDS)
        # Children that outlive their postmaster, or a server that does not listen, would block the next start.
        stop_processes(self._find_all(), signal.SIGQUIT, 5)
        stop_processes(self._find_all(), signal.SIGKILL, 5)
        stop_processes(find_processes("initdb", self.marker, self.run_as.uid), signal.SIGKILL, 5)
        link = self.socket_directory
        if link != self.directory and is_link_to(link, self.directory):
            link.unlink()

    def _adopt(self) -> bool:
        postmaster = self._find_postmaster()
        if postmaster is None:
            return False
        self._link_socket_directory()
        silence = Silence(f"PostgreSQL in {self.directory}", postmaster)
        return wait_until(
            lambda: self.answers(silence.note),
            START_TIMEOUT_SECONDS,
            lambda: not is_alive(postmaster) or is_stopping(self.directory),
        )

    def _launch(self, *, durable: bool) -> None:
        rotate_log(self.log)
        options = [*_OPTIONS, f"cluster_name={self.marker}", *(() if durable else _NOT_DURABLE_OPTIONS)]
        settings = [part for option in options for part in ("-c", option)]
        command = [str(find_binaries() / "postgres"), "-D", ".", *settings]
        pid = launch_server(command, cwd=self.directory, log=self.log.name, run_as=self.run_as)
        if not wait_until(self.answers, START_TIMEOUT_SECONDS, lambda: find_start_mark(pid) is None):
            raise ServiceUnavailableError(
                f"PostgreSQL did not start in {self.directory}. The end of {self.log}:\n{read_log_tail(self.log)}"
            )

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.socket_directory),
            port=PORT,
            user=OWNER_ROLE,
            dbname="postgres",
            connect_timeout=5,
            application_name=connection_name(),
            autocommit=True,
        )

    def _find_all(self) -> list[psutil.Process]:
        return find_processes("postgres", self.marker, self.run_as.uid)

    def _find_postmaster(self) -> psutil.Process | None:
        pid = read_postmaster_pid(self.directory)
        return None if pid is None else find_process(pid, "postgres", self.marker, self.run_as.uid)

    def _link_socket_directory(self) -> None:
        if self.socket_directory != self.directory:
            link_short_path(self.socket_directory, self.directory)
