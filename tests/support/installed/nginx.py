"""Debian's nginx with deploy/proxy/nginx.conf, on free ports and with a certificate of a made-up authority."""

import getpass
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.workers.worker_support import eventually
from tests.integration.operations.tls_proxy import make_certificate
from tests.support.free_port import find_free_port

SITE = Path(__file__).parents[3] / "deploy" / "proxy" / "nginx.conf"
_TRIES = 5
_MAIN = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nginx:
    """The server's configuration file and its address."""

    config: Path
    port: int
    certificate: Path

    @property
    def address(self) -> str:
        """Return the base URL for clients."""
        return f"https://localhost:{self.port}"


def skip_without_nginx() -> None:
    """Skip the test with the reason when there is no nginx here."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed here (Debian: apt-get install nginx-light)")


def configure(folder: Path, upstream: int) -> Nginx:
    """Write the shipped file with this machine's ports and certificate, and a main file around it."""
    port, plain = find_free_port(), find_free_port()
    certificate, key = make_certificate(folder)
    own = {
        "server 127.0.0.1:8400;": f"server 127.0.0.1:{upstream};",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/slowwave/fullchain.pem": str(certificate),
        "/etc/ssl/slowwave/key.pem": str(key),
    }
    text = SITE.read_text()
    for shipped, here in own.items():
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, here)
    (folder / "site.conf").write_text(text)
    config = folder / "nginx.conf"
    user = f"user {getpass.getuser()};\n" if os.getuid() == 0 else ""
    config.write_text(user + _MAIN.format(folder=folder))
    return Nginx(config=config, port=port, certificate=certificate)


@contextmanager
def an_nginx(folder: Path, upstream: int) -> Iterator[Nginx]:
    """Run one before a port of this machine until the end of the block."""
    nginx, process = _start(folder, upstream)
    try:
        yield nginx
    finally:
        process.terminate()
        process.wait(timeout=60)


def _start(folder: Path, upstream: int) -> tuple[Nginx, subprocess.Popen[bytes]]:
    """Start it; once more with other ports when another server has taken one of them meanwhile."""
    log, pid = folder / "error.log", folder / "nginx.pid"
    for _ in range(_TRIES):
        nginx = configure(folder, upstream)
        process = subprocess.Popen(["nginx", "-c", str(nginx.config), "-e", str(log)])
        # It writes the file when it listens.
        eventually(lambda: (pid.is_file() and pid.read_text()) or process.poll() is not None, "nginx")  # noqa: B023 - of this round
        if process.poll() is None:
            return nginx, process
    raise AssertionError(log.read_text())
