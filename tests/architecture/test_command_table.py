"""The table of commands says what the commands say, and `--version` and `--help` import none of them."""

import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from gateway.cli.app import app, load_command
from gateway.cli.commands import COMMANDS, Entry
from tests.architecture.sources import ROOT
from tests.support.command_tree import load_command_tree

#: Each costs more to import than the whole of `--help` may cost.
HEAVY = ("sqlalchemy", "sqlmodel", "psycopg", "celery", "redis", "fastapi", "anthropic", "tantivy", "pydantic")
_IMPORTED = """
import sys
sys.argv = ["slowwave", *{arguments!r}]
from gateway.cli.main import main
code = main()
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def modules_imported_by(*arguments: str) -> set[str]:
    """Return what a process has imported after it ran a command."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED.format(arguments=arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_the_table_says_of_a_command_what_its_own_help_says_first(entry: Entry) -> None:
    command = load_command(entry)
    assert command.name == entry.name
    assert command.help.splitlines()[0] == entry.short_help


def test_a_group_of_the_table_has_commands() -> None:
    groups: list[Any] = [one for one in load_command_tree().commands.values() if hasattr(one, "commands")]
    assert len(groups) > 10
    assert [group.name for group in groups if not group.commands] == []


def test_the_table_names_a_command_once_and_loads_nothing_but_commands() -> None:
    assert len({entry.name for entry in COMMANDS}) == len(COMMANDS)
    assert [entry.module for entry in COMMANDS if not entry.module.startswith("gateway.cli.")] == []


def test_help_lists_every_command() -> None:
    said = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    assert [entry.name for entry in COMMANDS if entry.short_help not in said] == []


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]], ids=" ".join)
def test_version_and_help_import_no_command_and_nothing_heavy(arguments: list[str]) -> None:
    imported = modules_imported_by(*arguments)
    assert imported & {*HEAVY, *(entry.module for entry in COMMANDS), "shared.bootstrap", "shared.settings"} == set()


def test_a_command_imports_no_other_command() -> None:
    imported = modules_imported_by("metrics", "--names")
    assert imported & {entry.module for entry in COMMANDS} == {"gateway.cli.operate.serve"}
