"""`slowwave serve` as a process: the examples of docs/api.md against it, and a stop that finishes what is under way."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import Cli, a_cli_beside
from tests.e2e.workers.worker_support import ROOT, eventually

EXAMPLES = re.findall(r"<!-- run: (\w+) -->\n```\w+\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.DOTALL)


class Server(NamedTuple):
    process: subprocess.Popen[bytes]
    address: str
    token: str
    log: Path


@pytest.fixture(scope="module")
def server(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(servers, tmp_path_factory.mktemp("serve")) as found:
        yield found


@contextmanager
def serving(servers: Endpoints, folder: Path) -> Iterator[Server]:
    """The API of one tenant, `acme`, over a database of its own."""
    with a_cli_beside(servers, folder / "data") as cli, serving_with(cli, folder / "serve.log") as found:
        yield found


@contextmanager
def serving_with(cli: Cli, log: Path, *options: str) -> Iterator[Server]:
    """The API of one tenant, `acme`, as a process that is gone at the end."""
    cli.json("tenants", "create", "acme")
    token = cli.json("keys", "create", "acme", "--role", "admin")["token"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            cli.command("serve", "--port", "0", *options),
            cwd=ROOT,
            env=cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        found = eventually(lambda: re.search(r"listens at (http://\S+)", log.read_text()), "the API's address")
        eventually(lambda: is_ready(found[1]), "readiness")
        yield Server(process, found[1], token, log)
    finally:
        process.kill()
        process.wait(timeout=30)


def is_ready(address: str) -> bool:
    """Tell whether a server takes requests."""
    try:
        return httpx.get(f"{address}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def test_the_examples_of_the_docs_run(server: Server) -> None:
    for name, text in EXAMPLES:
        command = ["bash", "-euc", text] if name == "curl" else [sys.executable, "-c", text]
        environment = os.environ | {"SLOWWAVE": server.address, "KEY": server.token}
        done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, f"{name}: {done.stderr.decode()}{done.stdout.decode()}"


def test_the_docs_have_an_example_for_curl_and_one_for_httpx() -> None:
    assert [name for name, _ in EXAMPLES] == ["curl", "httpx"]


def test_the_log_names_the_request_and_never_what_it_said(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.token}", "X-Request-Id": "my-own-id"}
    answer = httpx.get(f"{server.address}/api/stores/default/search?q=plumbus", headers=headers)
    assert answer.headers["x-request-id"] == "my-own-id"
    line = eventually(
        lambda: next((x for x in server.log.read_text().splitlines() if "my-own-id" in x), None), "a line"
    )
    assert json.loads(line)["status"] == answer.status_code
    assert "plumbus" not in server.log.read_text()
    assert server.token not in server.log.read_text()


def test_a_server_that_is_told_to_stop_ends_its_streams_and_itself(servers: Endpoints, tmp_path: Path) -> None:
    with a_cli_beside(servers, tmp_path / "data") as cli, serving_with(cli, tmp_path / "serve.log") as server:
        with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {server.token}"}) as api:
            dream = api.post("/api/dreams", json={"force": True, "dry_run": True}).json()
            with api.stream("GET", f"/api/dreams/{dream['id']}/events", timeout=60) as events:
                lines = events.iter_lines()
                assert next(lines) == "event: dream"
                server.process.send_signal(signal.SIGTERM)
                rest = list(lines)
        assert "event: bye" in rest
        assert server.process.wait(timeout=30) == 0
        assert "Traceback" not in server.log.read_text()
        assert 'route="/api/dreams/{dream_id}/events",status="2xx"} 1.0' in cli.json("metrics")["text"]
