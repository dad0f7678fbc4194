"""The Python client's README against a running installation, and its types."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.clients import PYTHON, read_document
from tests.e2e.cli.cli_support import a_cli, an_up
from tests.e2e.workers.worker_support import eventually
from tests.support.clients.package import NAME, find_example, make_package

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("client")
    make_package(read_document(), found)
    return found


def test_the_examples_run_one_after_another(folder: Path, tmp_path: Path) -> None:
    with a_cli(servers=False) as cli, an_up(cli, tmp_path / "up.log", "--no-flower") as up:
        cli.json("tenants", "create", "acme")
        key = cli.json("keys", "create", "acme", "--role", "admin")["token"]
        address = eventually(lambda: re.search(r"API +(http://\S+)", up.text()), "the API's address")[1]
        environment = os.environ | {"SLOWWAVE": address, "KEY": key, "PYTHONPATH": str(folder)}
        for name, said in (("client", "completed"), ("await", "ops/deploy.md Deploy")):
            command = [sys.executable, "-c", find_example(name)]
            done = subprocess.run(command, env=environment, capture_output=True, timeout=150, check=False, text=True)
            assert done.returncode == 0, done.stderr + done.stdout
            assert said in done.stdout


def test_every_block_of_the_readme_is_one_that_a_test_runs() -> None:
    readme = (PYTHON / "README.md").read_text(encoding="utf-8")
    assert readme.count("```python") == readme.count("<!-- run: ")


def test_the_package_is_typed_throughout(folder: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "-p", NAME]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
