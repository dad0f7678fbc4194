"""A real Prometheus reads a real `slowwave serve-metrics`: faults of the installation fire the shipped alerts, which clear."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.all_ports import Ports
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, a_worker, delay_dream, eventually
from tests.support.builders import write
from tests.support.free_port import find_quiet_port
from tests.support.installed.prometheus import Prometheus, a_prometheus, skip_without_prometheus
from tests.support.servers import environment_for

#: The quick tier has a case for each alert and the metrics of a scrape: tests/unit/deploy/test_alerts.py, integration.
pytestmark = pytest.mark.thorough


@pytest.fixture
def installation(fresh_settings: Settings) -> Iterator[Settings]:
    """An empty database and an unused broker."""
    skip_without_prometheus()
    assert fresh_settings.redis_url is not None
    with redis.Redis.from_url(fresh_settings.redis_url.get_secret_value()) as client:
        client.flushall()
        yield fresh_settings
        client.flushall()


class Exporter:
    """`slowwave serve-metrics`, started again when it ends, as its systemd unit is."""

    def __init__(self, settings: Settings, port: int, log: Path) -> None:
        self._log = log
        self._environment = os.environ | environment_for(settings) | {"SLOWWAVE_METRICS_PORT": str(port)}
        self._process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "gateway.cli", "serve-metrics"]
        with self._log.open("ab") as file:
            return subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=file, stderr=subprocess.STDOUT)

    def answers(self) -> bool:
        if self._process.poll() is not None:
            self._process = self._start()
        probe = [sys.executable, "-m", "gateway.cli", "probe", "metrics"]
        return subprocess.run(probe, cwd=ROOT, env=self._environment, capture_output=True, check=False).returncode == 0

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=60)


@contextmanager
def an_exporter(settings: Settings, port: int, log: Path) -> Iterator[None]:
    """An exporter that answers when the block begins and is gone when it ends."""
    exporter = Exporter(settings, port, log)
    try:
        eventually(exporter.answers, "the exporter answers the probe")
        yield
    finally:
        exporter.stop()


def fires(prometheus: Prometheus, *alerts: str) -> None:
    eventually(lambda: set(alerts) <= prometheus.find_firing(), f"{alerts} fire")


def clears(prometheus: Prometheus, *alerts: str) -> None:
    eventually(lambda: not set(alerts) & prometheus.find_firing(), f"{alerts} clear")


def test_alerts_fire_while_something_is_wrong_and_clear_when_it_is_put_right(
    installation: Settings, fresh_ports: Ports, tmp_path: Path, tenant: str
) -> None:
    port = find_quiet_port()
    write(fresh_ports, tenant, {"notes/limits.md": "# Limits\n\nThe API allows 600 calls a minute.\n"})
    with an_exporter(installation, port, tmp_path / "exporter.log"), a_prometheus(tmp_path, port) as prometheus:
        fires(prometheus, "SlowwaveNoWorker", "SlowwaveSweepStale")
        delay_dream(installation, tenant)
        fires(prometheus, "SlowwaveQueueNotTaken")
        with a_worker(installation, tmp_path / "worker.log"):
            clears(prometheus, "SlowwaveNoWorker", "SlowwaveQueueNotTaken")

        def sweep_and_look() -> bool:
            run_sweep(fresh_ports, due_stores.SWEEP)
            return "SlowwaveSweepStale" not in prometheus.find_firing()

        eventually(sweep_and_look, "SlowwaveSweepStale clears")


def test_an_exporter_that_is_gone_is_told_when_nothing_else_can_be(installation: Settings, tmp_path: Path) -> None:
    port = find_quiet_port()
    with an_exporter(installation, port, tmp_path / "exporter.log"):
        pass
    with a_prometheus(tmp_path, port) as prometheus:
        eventually(lambda: prometheus.find_firing() == {"SlowwaveMetricsDown"}, "only the exporter is reported")
        with an_exporter(installation, port, tmp_path / "exporter.log"):
            clears(prometheus, "SlowwaveMetricsDown")
            fires(prometheus, "SlowwaveNoWorker")
