"""A tenant or store that is not there: no command makes one by a slip of the fingers, and each says what to do."""

import re
import tomllib
from pathlib import Path

import pytest

from gateway.variables import find_similar
from tests.e2e.cli.cli_support import Cli
from tests.e2e.workers.worker_support import ROOT

_NEEDS_A_TENANT = [
    ("feedback", "add", "Use tabs", "-t", "acmee"),
    ("stores", "set", "acmee/default"),
    ("keys", "create", "acmee"),
    ("audit", "list", "acmee"),
    ("dream", "acmee", "--force"),
]


@pytest.fixture(scope="module", autouse=True)
def _acme(cli: Cli) -> None:
    cli.json("tenants", "create", "acme")


@pytest.mark.parametrize("command", _NEEDS_A_TENANT, ids=lambda command: " ".join(command[:2]))
def test_a_mistyped_tenant_is_not_made_and_the_right_one_is_named(cli: Cli, command: tuple[str, ...]) -> None:
    error = cli.json(*command, expect=4)["error"]
    assert error["code"] == "not_found"
    assert "There is no tenant 'acmee'; did you mean 'acme'?" in error["message"]
    assert "slowwave tenants create acmee" in error["message"]
    assert "acmee" not in cli.run("tenants", "list").out


def test_a_mistyped_store_is_not_made_and_the_right_one_is_named(cli: Cli) -> None:
    said = cli.run("feedback", "add", "Use tabs", "-t", "acme", "-s", "defaultt", expect=4).err
    assert "has no store 'defaultt'; did you mean 'default'?" in said
    assert "slowwave stores create acme/defaultt" in said


def test_an_import_makes_its_tenant_says_so_and_names_the_one_that_was_perhaps_meant(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nKept.\n")
    assert "Tenant 'acmes' is new; did you mean 'acme'?" in cli.run("import", tmp_path, "-t", "acmes").err
    assert "is new" not in cli.run("import", tmp_path, "-t", "acmes").err


@pytest.mark.parametrize("kind", ["skills", "workflows"])
def test_an_import_of_nothing_makes_no_tenant(cli: Cli, tmp_path: Path, kind: str) -> None:
    cli.run(kind, "import", tmp_path / "nowhere", "-t", "other", expect=2)
    assert "other" not in cli.run("tenants", "list").out


def test_programs_are_told_of_what_cannot_be_read_as_well(cli: Cli) -> None:
    assert cli.json("defer", "200", expect=2)["error"]["code"] == "bad_input"
    assert cli.json("dreams", "show", "acme", "drm_nowhere", expect=4)["error"]["exit_code"] == 4


def test_the_version_is_the_projects(cli: Cli) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert re.match(
        rf"slowwave {re.escape(project['version'])}(?:, commit [0-9a-f]+ of [0-9-]+)? \(", cli.run("--version").out
    )


@pytest.mark.parametrize(
    ("name", "meant"), [("acmee", "acme"), ("amce", "acme"), ("acm", "acme"), ("ac", None), ("zebra", None)]
)
def test_only_a_slip_or_two_make_a_name_the_one_that_was_meant(name: str, meant: str | None) -> None:
    assert find_similar(name, ["acme", "zeus"]) == meant
