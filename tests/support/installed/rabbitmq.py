"""A RabbitMQ node for tests: free ports, its own data, its own port mapper; nothing of it is left at the end."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from kombu import Connection
from kombu.exceptions import OperationalError

from tests.e2e.workers.worker_support import eventually
from tests.support.free_port import find_free_port

#: Debian's scripts in /usr/sbin change the user first; these run as the user who runs the tests.
_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_CONFIG = """\
listeners.tcp.1 = 127.0.0.1:{port}
disk_free_limit.absolute = 10MB
log.file.level = warning
"""


def skip_without_rabbitmq() -> None:
    """Skip the test with the reason when there is no RabbitMQ here."""
    if not _SERVER.exists() or shutil.which("epmd") is None:
        pytest.skip("RabbitMQ is not installed here (Debian: apt-get install rabbitmq-server)")


@contextmanager
def a_rabbitmq() -> Iterator[str]:
    """Start a node and yield its URL."""
    home = Path(tempfile.mkdtemp(prefix="sw-mq-", dir="/tmp"))
    port, mapper = find_free_port(), find_free_port()
    environment = _environment(home, port, mapper)
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [str(_SERVER)], env=environment, cwd=home, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    url = f"amqp://guest:guest@127.0.0.1:{port}//"
    try:
        eventually(lambda: server.poll() is not None or _answers(url), "RabbitMQ")
        assert server.poll() is None, (home / "server.log").read_text()
        yield url
    finally:
        _stop(server)
        subprocess.run(["epmd", "-port", str(mapper), "-kill"], capture_output=True, check=False, timeout=20)
        shutil.rmtree(home, ignore_errors=True)


def _environment(home: Path, port: int, mapper: int) -> dict[str, str]:
    config = home / "rabbitmq.conf"
    config.write_text(_CONFIG.format(port=port))
    (home / "plugins").write_text("[].\n")
    own = {
        "HOME": home,
        "RABBITMQ_NODENAME": f"sw{port}@localhost",
        "RABBITMQ_DIST_PORT": find_free_port(),
        "RABBITMQ_CONFIG_FILE": config,
        "RABBITMQ_CONF_ENV_FILE": os.devnull,
        "RABBITMQ_ENABLED_PLUGINS_FILE": home / "plugins",
        "RABBITMQ_MNESIA_BASE": home / "data",
        "RABBITMQ_LOG_BASE": home / "log",
        "RABBITMQ_PID_FILE": home / "pid",
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1",
        "ERL_EPMD_PORT": mapper,
        "ERL_EPMD_ADDRESS": "127.0.0.1",
    }
    return os.environ | {name: str(value) for name, value in own.items()}


def _stop(server: "subprocess.Popen[bytes]") -> None:
    children = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGTERM)
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(timeout=10)
    _, left = psutil.wait_procs(children, timeout=10)
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _answers(url: str) -> bool:
    try:
        with Connection(url, connect_timeout=2) as connection:
            connection.connect()
            return True
    except (OSError, OperationalError):
        return False
