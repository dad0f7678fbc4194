"""The official SDK, unmodified, against a real server and a real worker: the script of docs/anthropic-dreams-api.md."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest

from shared.core.tenants.roles import Role
from shared.settings import Settings
from tests.e2e.gateway.test_serve import is_ready
from tests.e2e.workers.worker_support import ROOT, a_worker, eventually
from tests.integration.api.api_support import a_token
from tests.support.servers import environment_for, open_ports

PAGE = (ROOT / "docs" / "anthropic-dreams-api.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"<!-- run: (\w+) -->\n```python\n(.*?)```", PAGE, re.DOTALL))
#: What must find its dream still pending runs before there is a worker, or after it is gone.
BEFORE, WITH_WORKER, AFTER = ("prepare", "cancel"), ("dream", "update", "redact", "errors"), ("busy",)


@contextmanager
def a_server(settings: Settings, log: Path) -> Iterator[str]:
    """The address of `slowwave serve` as a process that is gone at the end."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "gateway.cli", "serve", "--port", "0"],
            cwd=ROOT,
            env=os.environ | environment_for(settings),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        found = eventually(lambda: re.search(r"listens at (http://\S+)", log.read_text()), "the API's address")
        eventually(lambda: is_ready(found[1]), "readiness")
        yield found[1]
    finally:
        process.kill()
        process.wait(timeout=30)


def run(names: Sequence[str], namespace: dict[str, Any]) -> None:
    """Run blocks of the page, each with what the ones before it have defined."""
    for name in names:
        exec(compile(BLOCKS[name], f"docs/anthropic-dreams-api.md:{name}", "exec"), namespace)


def test_every_block_of_the_page_is_run() -> None:
    assert tuple(BLOCKS) == (*BEFORE, *WITH_WORKER, *AFTER)


@pytest.mark.thorough
def test_the_sdk_does_the_whole_page(
    fresh_settings: Settings, tmp_path: Path, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ports(fresh_settings) as ports:
        monkeypatch.setenv("KEY", a_token(ports, tenant))
        monkeypatch.setenv("AGENT_KEY", a_token(ports, tenant, Role.AGENT))
    namespace: dict[str, Any] = {}
    with a_server(fresh_settings, tmp_path / "serve.log") as address:
        monkeypatch.setenv("SLOWWAVE", address)
        run(BEFORE, namespace)
        with a_worker(fresh_settings, tmp_path / "worker.log"):
            run(WITH_WORKER, namespace)
        run(AFTER, namespace)
        for client in namespace.values():
            if isinstance(client, anthropic.Anthropic):
                client.close()
    assert "Traceback" not in (tmp_path / "serve.log").read_text()
