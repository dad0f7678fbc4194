"""The TypeScript client: compiled strictly with the types of this code's own document, its own tests, its example at a real server."""

import json
import re
import tarfile
from pathlib import Path

import pytest

from deploy.clients import TYPESCRIPT, pack_typescript
from tests.e2e.cli.cli_support import a_cli, an_up
from tests.e2e.workers.worker_support import eventually
from tests.support.clients.typescript import needs_node, run_script


@needs_node
@pytest.mark.thorough
def test_it_compiles_strictly_and_passes_its_own_tests(typescript: Path) -> None:
    assert "# fail 0" in run_script(typescript, "test")


@needs_node
@pytest.mark.thorough
def test_its_package_has_the_same_bytes_each_time_and_only_what_programs_import(
    typescript: Path, tmp_path: Path
) -> None:
    packed = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        pack_typescript(typescript, tmp_path / name)
        packed += list((tmp_path / name).glob("slowwave-client-*.tgz"))
    assert [path.read_bytes() for path in packed] == [packed[0].read_bytes()] * 2
    with tarfile.open(packed[0]) as archive:
        names = archive.getnames()
    assert "package/dist/src/index.js" in names
    assert not [name for name in names if "test" in name or "examples" in name]


@needs_node
@pytest.mark.thorough
def test_its_example_runs_against_a_real_installation(typescript: Path, tmp_path: Path) -> None:
    with a_cli(servers=False) as cli, an_up(cli, tmp_path / "up.log", "--no-flower") as up:
        cli.json("tenants", "create", "acme")
        key = cli.json("keys", "create", "acme", "--role", "admin")["token"]
        address = eventually(lambda: re.search(r"API +(http://\S+)", up.text()), "the API's address")[1]
        said = run_script(typescript, "example", SLOWWAVE=address, KEY=key)
    assert "completed" in said
    assert re.search(r"^[1-9]\d* undone$", said, re.MULTILINE)


def test_its_readme_shows_the_examples_that_are_run() -> None:
    readme = (TYPESCRIPT / "README.md").read_text(encoding="utf-8")
    for example in (TYPESCRIPT / "examples").glob("*.ts"):
        assert f"```ts\n{example.read_text(encoding='utf-8')}```" in readme


def test_no_version_is_left_to_the_day_of_the_build() -> None:
    packages = json.loads((TYPESCRIPT / "package.json").read_text(encoding="utf-8"))
    wanted = packages["dependencies"] | packages["devDependencies"]
    assert {name: version for name, version in wanted.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)} == {}
