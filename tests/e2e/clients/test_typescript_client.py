"""The TypeScript client: compiled strictly with the types of this code's own document, its own tests, its example at a real server."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from deploy.clients import TYPESCRIPT, build_typescript, pack_typescript, read_document
from tests.e2e.cli.cli_support import a_cli, an_up
from tests.e2e.workers.worker_support import eventually

_PACKAGES = TYPESCRIPT / "node_modules"
_OLDEST_NODE = 20


def has_node() -> bool:
    """Tell whether Node is new enough, and has the packages, so that nothing is to be fetched."""
    if not (shutil.which("npm") and shutil.which("node") and _PACKAGES.is_dir()):
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").partition(".")[0]) >= _OLDEST_NODE


needs_node = pytest.mark.skipif(not has_node(), reason="Node 20 or its packages are missing (make clients)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, compiled. Fetches nothing: the packages are those that `make clients` has put there."""
    found = tmp_path_factory.mktemp("typescript") / "client"
    shutil.copytree(
        TYPESCRIPT, found, ignore=shutil.ignore_patterns("node_modules", "dist", "schema.ts", "openapi.json")
    )
    (found / "node_modules").symlink_to(_PACKAGES)
    build_typescript(read_document(), found)
    return found


def run(folder: Path, script: str, **variables: str) -> str:
    """Run a script of package.json, which must succeed, and return what it says."""
    command = ["npm", "run", "--silent", script]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_node
@pytest.mark.thorough
def test_it_compiles_strictly_and_passes_its_own_tests(folder: Path) -> None:
    assert "# fail 0" in run(folder, "test")


@needs_node
@pytest.mark.thorough
def test_its_package_has_the_same_bytes_each_time_and_only_what_programs_import(folder: Path, tmp_path: Path) -> None:
    packed = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        pack_typescript(folder, tmp_path / name)
        packed += list((tmp_path / name).glob("slowwave-client-*.tgz"))
    assert [path.read_bytes() for path in packed] == [packed[0].read_bytes()] * 2
    with tarfile.open(packed[0]) as archive:
        names = archive.getnames()
    assert "package/dist/src/index.js" in names
    assert not [name for name in names if "test" in name or "examples" in name]


@needs_node
@pytest.mark.thorough
def test_its_example_runs_against_a_real_installation(folder: Path, tmp_path: Path) -> None:
    with a_cli(servers=False) as cli, an_up(cli, tmp_path / "up.log", "--no-flower") as up:
        cli.json("tenants", "create", "acme")
        key = cli.json("keys", "create", "acme", "--role", "admin")["token"]
        address = eventually(lambda: re.search(r"API +(http://\S+)", up.text()), "the API's address")[1]
        said = run(folder, "example", SLOWWAVE=address, KEY=key)
    assert "completed" in said
    assert re.search(r"^[1-9]\d* undone$", said, re.MULTILINE)


def test_its_readme_shows_the_example_that_is_run() -> None:
    example = (TYPESCRIPT / "examples" / "night.ts").read_text(encoding="utf-8")
    assert f"```ts\n{example}```" in (TYPESCRIPT / "README.md").read_text(encoding="utf-8")


def test_no_version_is_left_to_the_day_of_the_build() -> None:
    packages = json.loads((TYPESCRIPT / "package.json").read_text(encoding="utf-8"))
    wanted = packages["dependencies"] | packages["devDependencies"]
    assert {name: version for name, version in wanted.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)} == {}
