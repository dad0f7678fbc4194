"""`slowwave serve --workers 2`: two processes answer at one address, count together, and end together."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from tests.e2e.cli.cli_support import Cli, a_cli
from tests.e2e.gateway.test_serve import Server, is_ready, serving_with
from tests.e2e.workers.worker_support import eventually

#: The quick tier has one process of the server: tests/e2e/gateway/test_serve.py.
pytestmark = pytest.mark.thorough

_LIMIT = 20


@pytest.fixture(scope="module")
def cli() -> Iterator[Cli]:
    with a_cli() as found:
        yield found


@pytest.fixture
def server(cli: Cli, tmp_path: Path) -> Iterator[Server]:
    with two_processes(cli, tmp_path) as found:
        yield found


@contextmanager
def two_processes(cli: Cli, folder: Path) -> Iterator[Server]:
    """A server of two processes, gone at the end, whatever happened."""
    with serving_with(cli, folder / "serve.log", "--workers", "2") as found:
        children: list[psutil.Process] = []
        try:
            children = eventually(lambda: both(found), "two processes")
            yield found
        finally:
            for child in children:
                if child.is_running():
                    child.resume()
            found.process.terminate()  # a killed one would leave its processes behind
            found.process.wait(timeout=60)


def processes_of(server: Server) -> list[psutil.Process]:
    """The processes that answer requests."""
    try:
        children = psutil.Process(server.process.pid).children()
        return [one for one in children if any("spawn_main" in word for word in one.cmdline())]
    except psutil.Error:
        return []


def both(server: Server) -> list[psutil.Process]:
    """Both processes once each has its application, which opens a log of its own."""
    found = processes_of(server)
    return found if len(found) == 2 and server.log.read_text().count("api_process_started") >= 2 else []


def ask(server: Server, path: str = "/api/stores", token: str = "") -> httpx.Response:
    """Ask over a connection of its own, so that either process may answer."""
    headers = {"Authorization": f"Bearer {token or server.token}"}
    return httpx.get(server.address + path, headers=headers, timeout=30)


def test_each_of_two_processes_answers_and_one_that_dies_is_replaced(server: Server) -> None:
    first, second = processes_of(server)
    for silent in (first, second):
        silent.suspend()
        assert ask(server).status_code == 200
        silent.resume()
    first.kill()
    assert ask(server).status_code == 200
    eventually(lambda: len(processes_of(server)) == 2 and first not in processes_of(server), "another process")
    assert server.process.poll() is None


def test_two_processes_let_a_key_ask_no_more_often_than_one(server: Server) -> None:
    made = httpx.post(
        f"{server.address}/api/keys",
        json={"name": "counted", "role": "agent", "rate_per_minute": _LIMIT},
        headers={"Authorization": f"Bearer {server.token}"},
        timeout=30,
    )
    begun = time.monotonic()
    answers = [ask(server, token=made.json()["token"]).status_code for _ in range(2 * _LIMIT)]
    refilled = 1 + (time.monotonic() - begun) * _LIMIT / 60
    assert _LIMIT <= answers.count(200) <= _LIMIT + refilled
    assert set(answers) <= {200, 429}


def test_a_stop_ends_streams_and_both_processes_and_is_no_failure(server: Server) -> None:
    children = processes_of(server)
    with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {server.token}"}) as api:
        dream = api.post("/api/dreams", json={"force": True, "dry_run": True}, timeout=30).json()
        with api.stream("GET", f"/api/dreams/{dream['id']}/events", timeout=60) as events:
            lines = events.iter_lines()
            assert next(lines) == "event: dream"
            server.process.send_signal(signal.SIGTERM)
            rest = list(lines)
    assert "event: bye" in rest
    assert_ended_well(server, children)


def test_ctrl_c_reaches_every_process_at_once_and_still_ends_in_peace(server: Server) -> None:
    children = processes_of(server)
    for one in (*children, psutil.Process(server.process.pid)):
        os.kill(one.pid, signal.SIGINT)
    assert_ended_well(server, children)
    assert not is_ready(server.address)


def test_processes_whose_parent_was_killed_end_too_and_free_the_port(server: Server) -> None:
    children = processes_of(server)
    server.process.kill()
    server.process.wait(timeout=30)
    eventually(lambda: not any(child.is_running() for child in children), "the end of both processes")
    assert not is_ready(server.address)


def assert_ended_well(server: Server, children: list[psutil.Process]) -> None:
    assert server.process.wait(timeout=60) == 0
    assert not any(child.is_running() for child in children)
    assert "Traceback" not in server.log.read_text()
