"""`slowwave probe` tells a process that lives from one that is silent, in a sentence and an exit code."""

import json
import os
import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from prometheus_client import CollectorRegistry, Metric, start_http_server
from prometheus_client.registry import Collector

from shared.liveness import LivenessFile, liveness_folder
from shared.settings import Settings
from tests.support.cli_processes import run_command

_OTHER_USER = 65534


class CountingCollector(Collector):
    """Notes each scrape."""

    def __init__(self, scraped: list[str]) -> None:
        self._scraped = scraped

    def collect(self) -> Iterator[Metric]:
        self._scraped.append("scraped")
        return iter(())


def probe(*words: str, **variables: object) -> tuple[int, str]:
    ended = run_command(["probe", *words], {name: str(value) for name, value in variables.items()})
    return ended.code, (ended.out + ended.err).decode()


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
        code, said = probe("api", SLOWWAVE_API_PORT=port)
    assert code == 1
    assert f"does not answer at port {port}" in said


def test_the_metrics_server_is_asked_without_a_scrape() -> None:
    registry = CollectorRegistry(auto_describe=False)
    scraped: list[str] = []
    registry.register(CountingCollector(scraped))
    server, thread = start_http_server(0, addr="127.0.0.1", registry=registry)
    port = server.server_address[1]
    try:
        code, said = probe("metrics", SLOWWAVE_METRICS_PORT=port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert (code, said) == (0, f"The metrics server answers 200 at port {port}\n")
    assert scraped == []
    assert probe("metrics", SLOWWAVE_METRICS_PORT=port)[0] == 1


class Well(BaseHTTPRequestHandler):
    """Answers each request with 200."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()


@pytest.mark.parametrize(("bound", "setting"), [("127.0.0.2", "127.0.0.2"), ("127.0.0.1", "0.0.0.0")])
def test_the_api_is_asked_where_it_listens(bound: str, setting: str) -> None:
    with HTTPServer((bound, 0), Well) as server:
        Thread(target=server.handle_request).start()
        assert probe("api", SLOWWAVE_API_PORT=server.server_port, SLOWWAVE_API_HOST=setting)[0] == 0


def test_a_port_that_is_none_is_said_in_a_sentence() -> None:
    code, said = probe("api", SLOWWAVE_API_PORT="http")
    assert (code, "SLOWWAVE_API_PORT" in said) == (2, True)


@pytest.mark.parametrize("words", [(), ("flower",), ("worker", "beat")])
def test_an_unknown_role_is_bad_input(words: tuple[str, ...]) -> None:
    assert probe(*words)[0] == 2


def test_a_program_gets_the_verdict_as_json(tmp_path: Path) -> None:
    LivenessFile(tmp_path, "worker").touch()
    code, said = probe("worker", "--json", SLOWWAVE_PROBE_DIR=tmp_path)
    assert (code, json.loads(said)["alive"]) == (0, True)


def test_a_probe_reads_the_file_of_settings_from_any_folder(tmp_path: Path) -> None:
    file = tmp_path / "slowwave.env"
    file.write_text(f"SLOWWAVE_DATA_DIR={tmp_path / 'data'}\n")
    LivenessFile(tmp_path / "data" / "alive", "worker").touch()
    for words, variables in ((("--env-file", str(file)), {}), ((), {"SLOWWAVE_ENV_FILE": str(file)})):
        assert run_command(["probe", "worker", *words], variables, folder=Path("/")).code == 0
    assert run_command(["probe", "worker"], {}, folder=Path("/")).code == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_a_user_who_may_not_look_is_told_so_and_no_process_is_called_dead(tmp_path: Path) -> None:
    LivenessFile(tmp_path / "own", "worker").touch()
    tmp_path.chmod(0o700)
    ended = run_command(["probe", "worker"], {"SLOWWAVE_PROBE_DIR": str(tmp_path / "own")}, user=_OTHER_USER)
    assert ended.code == 2
    assert b"Permission denied; run this as the worker's user" in ended.err


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
