"""`slowwave up`: what was queued before it ran is dreamt, what dies is started again, and Ctrl-C leaves nothing."""

import base64
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest

from tests.e2e.cli.cli_support import DEMO_NOTES, Cli, Up, a_cli, an_up
from tests.e2e.workers.worker_support import eventually

#: The quick tier has an `up` under tests/e2e/cli/test_cli_dreams.py.
pytestmark = pytest.mark.thorough


def test_up_dreams_what_was_queued_survives_a_killed_worker_and_leaves_nothing(tmp_path: Path) -> None:
    with a_cli(servers=False) as cli:
        cli.run("import", DEMO_NOTES, "--tenant", "acme")
        queued = cli.json("dream", "acme", "--force", "--detach")
        assert queued["state"] == "queued"
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with an_up(cli, tmp_path / "up.log", SLOWWAVE_API_PORT=str(port)) as up:
                assert f"Port {port} of 127.0.0.1 is in use, so the API is at port" in up.text()
                assert "SLOWWAVE_API_PORT sets another" in up.text()
        with an_up(cli, tmp_path / "up.log") as up:
            _dreams_until_completed(cli, queued["id"])
            _shows_a_dream_in_flower(up, cli)
            assert "already" in cli.run("up", expect=5).err
            _starts_a_killed_worker_again(up)
            assert up.stop() == 0
            assert "Traceback" not in up.text()
            _, left = psutil.wait_procs(list(up.seen), timeout=30)
            assert not left


def _dreams_until_completed(cli: Cli, dream_id: str) -> None:
    eventually(lambda: cli.json("dreams", "show", "acme", dream_id)["state"] == "completed", "the queued dream")


def _starts_a_killed_worker_again(up: Up) -> None:
    killed = up.find_worker()
    assert killed
    killed.kill()
    eventually(lambda: (found := up.find_worker()) is not None and found.pid != killed.pid, "another worker")
    assert "worker ended" in up.text()


def _shows_a_dream_in_flower(up: Up, cli: Cli) -> None:
    found = re.search(r"Flower +(http://\S+) +\(login (\S+)\)", up.text())
    assert found
    address, login = found.groups()
    assert eventually(lambda: _answering(lambda: _status(f"{address}/tasks")), "Flower") == 401
    assert _status(f"{address}/api/tasks") == 401

    def tasks() -> list[dict[str, str | None]]:
        return list(json.loads(_get(f"{address}/api/tasks", login)).values())

    # A worker sends events once Flower has asked for them, every few seconds; then the sweep is the first to be seen.
    eventually(tasks, "the sweep in Flower")
    dream_id = cli.json("dream", "acme", "--force", "--detach")["id"]

    def names() -> set[str | None]:
        return {task["name"] for task in tasks() if f"acme {dream_id}" in (task["kwargs"] or "")}

    assert "Flower" in _get(f"{address}/tasks", login)
    eventually(lambda: {"dream", "dream.orient", "dream.finish"} <= names(), "the dream in Flower")


def _answering(ask: Callable[[], int]) -> int | None:
    try:
        return ask()
    except OSError:
        return None


def _status(address: str) -> int:
    try:
        with urlopen(address, timeout=10) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


def _get(address: str, login: str) -> str:
    token = base64.b64encode(login.encode()).decode()
    with urlopen(Request(address, headers={"Authorization": f"Basic {token}"}), timeout=10) as answer:
        return str(answer.read().decode())
