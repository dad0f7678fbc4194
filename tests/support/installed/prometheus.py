"""Debian's Prometheus with the shipped rules, quick enough for a test; nothing of it is left at the end."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

from tests.e2e.workers.worker_support import ROOT, eventually
from tests.support.free_port import find_free_port

SHIPPED = ROOT / "deploy" / "prometheus"
_TRIES = 3


def skip_without_prometheus() -> None:
    """Skip the test with the reason when there is no Prometheus here."""
    if not (shutil.which("prometheus") and shutil.which("promtool")):
        pytest.skip("Prometheus is not installed here (Debian: apt-get install prometheus)")


class Prometheus:
    """A server that answers which alerts fire."""

    def __init__(self, port: int) -> None:
        self._port = port

    def is_ready(self) -> bool:
        try:
            return bool(self._ask("/-/ready"))
        except (OSError, HTTPException):
            return False

    def find_firing(self) -> set[str]:
        alerts = json.loads(self._ask("/api/v1/alerts"))["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def _ask(self, path: str) -> bytes:
        with urlopen(f"http://127.0.0.1:{self._port}{path}", timeout=30) as answer:
            return bytes(answer.read())


@contextmanager
def a_prometheus(folder: Path, target_port: int) -> Iterator[Prometheus]:
    """Start one with the shipped job and rules, which looks every other second and waits for no `for`."""
    config = yaml.safe_load((SHIPPED / "prometheus.yaml").read_text())
    config["global"] = {"scrape_interval": "2s", "evaluation_interval": "1s"}
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{target_port}"]
    rules = yaml.safe_load((SHIPPED / "alerts.yaml").read_text())
    for rule in rules["groups"][0]["rules"]:
        rule["for"] = "0s"
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(config))
    (folder / "alerts.yaml").write_text(yaml.safe_dump(rules))
    process, found = _start(folder)
    try:
        yield found
    finally:
        process.terminate()
        process.wait(timeout=60)


def _start(folder: Path) -> tuple["subprocess.Popen[bytes]", Prometheus]:
    """Start it at a free port; another process may be quicker to take that."""
    for number in range(_TRIES):
        port = find_free_port()
        command = ["prometheus", f"--config.file={folder / 'prometheus.yaml'}"]
        command += [f"--storage.tsdb.path={folder / f'data{number}'}", f"--web.listen-address=127.0.0.1:{port}"]
        with (folder / "prometheus.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        found = Prometheus(port)
        eventually(lambda p=process, f=found: p.poll() is not None or f.is_ready(), "Prometheus answers")  # type: ignore[misc]  # mypy infers no lambda with a default
        if process.poll() is None:
            return process, found
    raise AssertionError((folder / "prometheus.log").read_text())
