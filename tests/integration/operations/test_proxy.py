"""The shipped files for nginx and Caddy: which paths are open, the client that a proxy reports, and that streams pass."""

import re
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
import pytest
import uvicorn

from gateway.api.resources import ROUTERS
from gateway.api.v1 import ROUTERS as ANTHROPIC
from gateway.console.routers import ROUTERS as CONSOLE
from gateway.mcp.http import PATH as MCP
from shared.settings import Settings
from tests.support.installed.nginx import SITE, Nginx, an_nginx, configure, skip_without_nginx

CADDY = (SITE.parent / "Caddyfile").read_text()
NGINX = SITE.read_text()
PAGE = (SITE.parents[2] / "docs" / "proxy.md").read_text()
#: What only the machine itself asks: it costs a query of the database and reveals the servers.
CLOSED = {"/readyz"}


class Upstream(BaseHTTPRequestHandler):
    """Stands for the API: says what it was told, and streams one event whose end the test allows."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[str]] = []
    may_end = threading.Event()

    def do_GET(self) -> None:
        """Answer with the headers of the request, or with a stream."""
        self.asked.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/events"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("X-Accel-Buffering", "no")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"event: dream\n\n")
            self.wfile.flush()
            self.may_end.wait(60)
            return
        body = "\n".join(f"{name.lower()}: {value}" for name, value in self.headers.items()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def nginx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    skip_without_nginx()
    Upstream.may_end.clear()  # it is set when tests of another module ran in between
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    thread = threading.Thread(target=upstream.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        with an_nginx(tmp_path_factory.mktemp("nginx"), upstream.server_address[1]) as found:
            yield found
    finally:
        Upstream.may_end.set()
        upstream.shutdown()
        upstream.server_close()
        thread.join()


@pytest.fixture
def client(nginx: Nginx) -> Iterator[httpx.Client]:
    context = ssl.create_default_context(cafile=str(nginx.certificate))
    with httpx.Client(base_url=nginx.address, verify=context, timeout=60, trust_env=False) as found:
        yield found


def open_in_nginx() -> set[str]:
    found = re.findall(r"^    location (?:= )?(\S+) \{ (?:proxy_pass|return 302)", NGINX, re.MULTILINE)
    return {path.rstrip("/") or "/" for path in found}


def open_in_caddy() -> set[str]:
    found = re.search(r"@open path (.+)", CADDY)
    assert found
    return {path.removesuffix("/*") for path in found[1].split()} | {"/"}


def test_both_proxies_open_every_surface_and_nothing_else() -> None:
    routes = [route for router in (*ROUTERS, *ANTHROPIC, *CONSOLE) for route in router.routes]
    surfaces = {f"/{getattr(route, 'path', '/').split('/')[1]}" for route in routes} | {MCP, "/docs", "/openapi.json"}
    assert open_in_nginx() == open_in_caddy() == surfaces - CLOSED


def test_the_page_names_each_path_that_is_open_and_each_that_is_not() -> None:
    told = set(re.findall(r"^\| `(/[a-z.0-9]*)", PAGE, re.MULTILINE))
    assert told == open_in_nginx() | CLOSED | {"/metrics"}


def test_the_files_agree_with_the_defaults_of_the_api() -> None:
    fields = Settings.model_fields
    assert f"server 127.0.0.1:{fields['api_port'].default};" in NGINX
    assert f"reverse_proxy 127.0.0.1:{fields['api_port'].default}" in CADDY
    assert fields["api_max_body_bytes"].default <= 4 * 1024 * 1024
    assert "client_max_body_size 4m;" in NGINX
    assert "max_size 4MiB" in CADDY
    assert "keepalive_timeout 20s;" in NGINX, "below the 30 s of gateway/api/server.py"


def test_a_proxy_on_this_machine_is_believed_and_one_elsewhere_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    assert "127.0.0.1" in str(uvicorn.Config("app").forwarded_allow_ips).split(",")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.0/8")
    assert uvicorn.Config("app").forwarded_allow_ips == "10.0.0.0/8"


def test_nginx_finds_nothing_wrong_with_its_file(tmp_path: Path) -> None:
    skip_without_nginx()
    config = configure(tmp_path, 8400).config
    done = subprocess.run(["nginx", "-t", "-c", config], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_a_client_cannot_say_where_it_comes_from(client: httpx.Client, nginx: Nginx) -> None:
    said = client.get("/api/dreams", headers={"X-Forwarded-For": "10.9.8.7", "X-Forwarded-Proto": "http"}).text
    assert "x-forwarded-for: 127.0.0.1\n" in said + "\n"
    assert "x-forwarded-proto: https" in said
    assert f"host: localhost:{nginx.port}" in said


def test_a_path_that_is_not_open_never_reaches_the_api(client: httpx.Client) -> None:
    for path in ("/readyz", "/metrics", "/", "/mcp/more", "/apiary"):
        assert client.get(path).status_code in {302, 404}
    assert {"/readyz", "/metrics", "/", "/mcp/more", "/apiary"}.isdisjoint(Upstream.asked)
    assert client.get("/").headers["location"].endswith("/console")


def test_an_event_passes_while_its_stream_is_still_open(client: httpx.Client) -> None:
    with client.stream("GET", "/api/dreams/d/events") as events:
        assert next(events.iter_lines()) == "event: dream"
        assert not Upstream.may_end.is_set(), "it would be waiting still if the proxy kept the event to itself"
        Upstream.may_end.set()
    assert "max-age" in events.headers["strict-transport-security"]


def test_a_body_that_slowwave_would_take_is_not_too_large_for_the_proxy(client: httpx.Client, nginx: Nginx) -> None:
    most = Settings.model_fields["api_max_body_bytes"].default
    assert client.request("GET", "/api/dreams", content=b"x" * most).status_code == 200
    context = ssl.create_default_context(cafile=str(nginx.certificate))
    with closing(HTTPSConnection("localhost", nginx.port, timeout=60, context=context)) as announcing:
        announcing.putrequest("GET", "/api/dreams")
        announcing.putheader("Content-Length", "5000000")
        announcing.endheaders()
        assert announcing.getresponse().status == 413
