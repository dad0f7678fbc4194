"""Helpers for the tests of the embedded servers: directories that are checked for leftovers, and holders to kill."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg
from redis import Redis

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.processes import build_marker, is_alive, stop_processes, wait_until

ROOT = Path(__file__).parents[3]
CAN_BECOME_ANOTHER = os.geteuid() == 0

# Everything is imported before the user changes: another user may not be able to read this interpreter's files.
HOLDER = """
import json, os, sys
from dataclasses import asdict
from pathlib import Path
from shared.adapters.embedded.servers import running_servers
"x".encode("idna")
if len(sys.argv) > 2:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
with running_servers(Path(sys.argv[1]), durable=False) as endpoints:
    print(json.dumps(asdict(endpoints)), flush=True)
    sys.stdin.read()
"""


class HolderProcess:
    """Another process that uses the servers until it is told to leave, or killed."""

    def __init__(self, data_dir: Path, *user: str) -> None:
        command = [sys.executable, "-c", HOLDER, str(data_dir), *user]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def wait_for_endpoints(self) -> Endpoints:
        assert self.process.stdout
        return Endpoints(**json.loads(self.process.stdout.readline()))

    def leave(self) -> None:
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=60)


@contextmanager
def holding(data_dir: Path, *user: str) -> Iterator[HolderProcess]:
    holder = HolderProcess(data_dir, *user)
    try:
        yield holder
    finally:
        if holder.process.returncode is None:
            holder.kill()


def find_all_processes(data_dir: Path) -> list[psutil.Process]:
    """Find every process whose title or arguments name this directory's servers, whatever its user."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if build_marker(data_dir) in " ".join(process.cmdline()) and is_alive(process):
                found.append(process)
    return found


def find_server_pids(data_dir: Path) -> set[int]:
    """Find the two processes that are the servers, without PostgreSQL's children."""
    parents = {}
    for process in find_all_processes(data_dir):
        with contextlib.suppress(psutil.NoSuchProcess):  # one of PostgreSQL's workers that has just ended
            parents[process.pid] = process.ppid()
    return {pid for pid, parent in parents.items() if parent not in parents}


def kill_servers(data_dir: Path) -> None:
    """Kill both servers as a crash would; PostgreSQL's children are left to notice by themselves."""
    pids = find_server_pids(data_dir)
    assert len(pids) == 2
    stop_processes([psutil.Process(pid) for pid in pids], signal.SIGKILL, 10)


def kill_leftovers(data_dir: Path) -> list[str]:
    """Kill what still runs and tell what it was; servers whose holder was killed on purpose are expected to run."""
    left = find_all_processes(data_dir)
    names = []
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            names.append(" ".join(process.cmdline()))
    stop_processes(left, signal.SIGKILL, 10)
    return names


def connect(endpoints: Endpoints) -> psycopg.Connection:
    return psycopg.connect(endpoints.owner_database_url.replace("+psycopg", ""), autocommit=True)


def write_both(endpoints: Endpoints, text: str) -> None:
    with connect(endpoints) as connection, Redis.from_url(endpoints.redis_url) as client:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (text text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [text])
        client.set("kept", text)


def read_both(endpoints: Endpoints) -> tuple[Any, Any]:
    with connect(endpoints) as connection, Redis.from_url(endpoints.redis_url, decode_responses=True) as client:
        row = connection.execute("SELECT text FROM kept").fetchone()
        return (row[0] if row else None), client.get("kept")


@contextmanager
def temporary_data_dir(suffix: str = "data") -> Iterator[Path]:
    """A directory for a test, short enough for a socket, after which nothing may run."""
    base = Path(tempfile.mkdtemp(prefix="sw-", dir="/tmp")).resolve()
    base.chmod(0o755)  # PostgreSQL runs as another user when the tests run as root
    data_dir = base / suffix
    try:
        yield data_dir
        assert wait_until(lambda: not find_all_processes(data_dir), 5), kill_leftovers(data_dir)
    finally:
        kill_leftovers(data_dir)
        shutil.rmtree(base)
