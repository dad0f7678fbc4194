"""The probe tells a process that lives from one that is silent, in a sentence and an exit code, and starts fast."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Metric, start_http_server
from prometheus_client.registry import Collector

from shared.liveness import LivenessFile, liveness_folder
from shared.settings import Settings

ROOT = Path(__file__).parents[3]


class CountingCollector(Collector):
    """Notes each scrape."""

    def __init__(self, scraped: list[str]) -> None:
        self._scraped = scraped

    def collect(self) -> Iterator[Metric]:
        self._scraped.append("scraped")
        return iter(())


def probe(*words: str, **variables: object) -> tuple[int, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SLOWWAVE_")}
    command = [sys.executable, "-m", "deploy.probe", *words]
    environment = kept | {name: str(value) for name, value in variables.items()}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("role", ["worker", "beat"])
def test_a_process_is_alive_from_its_first_sign_until_it_falls_silent(role: str, tmp_path: Path) -> None:
    place = tmp_path / "alive"
    assert probe(role, SLOWWAVE_DATA_DIR=tmp_path)[0] == 1
    LivenessFile(place, role).touch()
    assert probe(role, SLOWWAVE_DATA_DIR=tmp_path)[0] == 0
    long_ago = time.time() - 3600
    os.utime(place / role, (long_ago, long_ago))
    code, said = probe(role, SLOWWAVE_DATA_DIR=tmp_path)
    assert code == 1
    assert "restart it" in said


def test_a_worker_is_not_taken_for_beat(tmp_path: Path) -> None:
    LivenessFile(tmp_path, "worker").touch()
    assert probe("beat", SLOWWAVE_PROBE_DIR=tmp_path)[0] == 1


def test_a_probe_looks_where_the_settings_say(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", probe_dir=tmp_path / "own")
    LivenessFile(liveness_folder(settings.data_dir, settings.probe_dir), "worker").touch()
    assert probe("worker", SLOWWAVE_DATA_DIR=settings.data_dir, SLOWWAVE_PROBE_DIR=settings.probe_dir)[0] == 0


def test_an_api_that_does_not_answer_is_said_in_a_sentence() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        code, said = probe("serve", SLOWWAVE_API_PORT=port)
    assert code == 1
    assert f"does not answer at port {port}" in said


def test_the_metrics_server_is_asked_without_a_scrape() -> None:
    registry = CollectorRegistry(auto_describe=False)
    scraped: list[str] = []
    registry.register(CountingCollector(scraped))
    server, thread = start_http_server(0, addr="127.0.0.1", registry=registry)
    port = server.server_address[1]
    try:
        code, said = probe("serve-metrics", SLOWWAVE_METRICS_PORT=port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert (code, said) == (0, f"The metrics server answers 200 at port {port}\n")
    assert scraped == []
    assert probe("serve-metrics", SLOWWAVE_METRICS_PORT=port)[0] == 1


def test_a_port_that_is_none_is_said_in_a_sentence() -> None:
    assert probe("serve", SLOWWAVE_API_PORT="http") == (2, "SLOWWAVE_API_PORT is 'http', which is not a port\n")


@pytest.mark.parametrize("words", [(), ("flower",), ("worker", "beat")])
def test_an_unknown_role_says_which_there_are(words: tuple[str, ...]) -> None:
    code, said = probe(*words)
    assert (code, "worker|beat" in said) == (2, True)


def test_the_probe_loads_nothing_of_celery_or_of_the_settings() -> None:
    code = "import sys, deploy.probe; print(sorted({'celery', 'pydantic', 'redis', 'typer'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_sign_goes_to_systemds_watchdog_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        LivenessFile(tmp_path, "worker").touch()
        listener.settimeout(5)
        assert listener.recv(64) == b"WATCHDOG=1"


def test_a_heartbeat_file_that_cannot_be_written_stops_no_worker(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    LivenessFile(tmp_path / "file" / "alive", "worker").touch()


def test_a_new_process_does_not_live_on_its_predecessors_sign(tmp_path: Path) -> None:
    LivenessFile(tmp_path, "worker").touch()
    LivenessFile(tmp_path, "worker").remove()
    assert LivenessFile(tmp_path, "worker").find_age_seconds() is None
