"""pgbouncer in transaction mode before the server of some settings; nothing of it is left at the end."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from pydantic import SecretStr
from sqlalchemy.engine import URL, make_url

from shared.settings import Settings

_START_SECONDS = 60
_CONFIG = """\
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own_port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users.txt
stats_users = slowwave_app
pool_mode = {mode}
default_pool_size = {connections}
server_round_robin = 1
max_client_conn = 2000
logfile = {folder}/pgbouncer.log
"""


@contextmanager
def behind_pgbouncer(settings: Settings, mode: str = "transaction", connections: int = 6) -> Iterator[Settings]:
    """Start one before the server of these settings, and yield the same settings with its address.

    Its few connections take turns, so that hardly two transactions of a client run on the same one.
    """
    own_port = _find_free_port()
    folder = Path(tempfile.mkdtemp(prefix="sw-pgb-", dir="/tmp"))
    server = make_url(_text(settings.database_url))
    host, port = str(server.query["host"]), str(server.query["port"])
    (folder / "users.txt").write_text('"slowwave_app" ""\n"postgres" ""\n')
    config = folder / "pgbouncer.ini"
    config.write_text(
        _CONFIG.format(host=host, port=port, own_port=own_port, folder=folder, mode=mode, connections=connections)
    )
    user, group = _hand_to_the_server(Path(host), folder)
    command = [shutil.which("pgbouncer") or "pgbouncer", "-q", str(config)]
    process = subprocess.Popen(command, user=user, group=group)
    there = {
        name: SecretStr(_through(make_url(_text(getattr(settings, name))), own_port))
        for name in ("database_url", "owner_database_url")
    }
    behind = settings.model_copy(update=there)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(behind):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit((folder / "pgbouncer.log").read_text())
            time.sleep(0.05)
        yield behind
    finally:
        process.terminate()
        process.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def _hand_to_the_server(socket_folder: Path, folder: Path) -> tuple[int | None, int | None]:
    """Return as whom it runs: who may enter the socket's folder, and never root, which pgbouncer refuses."""
    if os.geteuid() != 0:
        return None, None
    owner = socket_folder.stat()
    for path in (folder, *folder.iterdir()):
        os.chown(path, owner.st_uid, owner.st_gid)
    return owner.st_uid, owner.st_gid


def _through(url: URL, port: int) -> str:
    return url.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)


def _text(url: SecretStr | None) -> str:
    assert url is not None
    return url.get_secret_value()


def _find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _answers(settings: Settings) -> bool:
    try:
        with psycopg.connect(_text(settings.database_url).replace("+psycopg", ""), connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False
