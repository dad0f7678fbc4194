"""A PostgreSQL that is installed here, with data of its own; nothing of it is left at the end."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.postgres import DATABASE
from tests.e2e.workers.worker_support import eventually
from tests.support.free_port import find_free_port
from tests.support.installed.fetch_postgres import FETCHED

_PACKAGES = Path("/usr/lib/postgresql")


def find_postgres(major: str) -> Path:
    """Return the folder of the programs of this version; skip the test with the reason when it is not installed."""
    folders = [_PACKAGES / major / "bin", FETCHED / major / "bin"]
    found = next((folder for folder in folders if (folder / "postgres").exists()), None)
    if found is None:
        pytest.skip(f"PostgreSQL {major} is not installed here (docs/testing.md)")
    return found


@contextmanager
def an_installed_postgres(programs: Path, embedded: Endpoints) -> Iterator[Endpoints]:
    """Start a server of these programs with an empty database, and yield its addresses beside the embedded Valkey's."""
    home = Path(tempfile.mkdtemp(prefix="sw-pg-", dir="/tmp"))
    port = find_free_port()
    user = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(home, user)
    data = home / "data"
    make = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(make, user=user, cwd=home, check=True, capture_output=True, timeout=120)
    run = [str(programs / "postgres"), "-D", str(data), "-k", str(home), "-p", str(port), "-F", "-h", "127.0.0.1"]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(run, user=user, cwd=home, stdout=log, stderr=subprocess.STDOUT)
    try:
        eventually(lambda: server.poll() is not None or _answers(port), "PostgreSQL")
        assert server.poll() is None, (home / "server.log").read_text()
        with psycopg.connect(_address(port, "postgres"), autocommit=True) as owner:
            owner.execute(f"CREATE DATABASE {DATABASE}")
        yield replace(
            embedded,
            owner_database_url=f"postgresql+psycopg://postgres@/{DATABASE}?host={home}&port={port}",
            database_url=f"postgresql+psycopg://slowwave_app@/{DATABASE}?host={home}&port={port}",
        )
    finally:
        server.send_signal(signal.SIGINT)  # a fast shutdown
        server.wait(timeout=60)
        shutil.rmtree(home, ignore_errors=True)


def _answers(port: int) -> bool:
    try:
        with psycopg.connect(_address(port, "postgres"), connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False


def _address(port: int, database: str) -> str:
    return f"postgresql://postgres@127.0.0.1:{port}/{database}"
