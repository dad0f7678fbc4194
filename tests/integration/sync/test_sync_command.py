"""`slowwave sync` on the command line: what it shows, what it asks, its exit codes, and what it commits."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import Result

from gateway.cli.sync import once as command
from shared.adapters.files.sync_state import STATE_FILE
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.services.operations.review import approve_operation
from tests.integration.sync.sync_support import files_of, lay, live
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything, find_operation
from tests.support.builders import write

PUMP = "# Pump\n\nIt is green.\n"
Call = Callable[..., Result]


def _git(root: Path, *words: str) -> str:
    named = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    return subprocess.run(["git", "-C", root, *named, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "config", "user.name", "Ann")
    _git(tmp_path, "config", "user.email", "ann@example.com")
    return tmp_path


def test_a_dry_run_shows_each_step_and_changes_nothing(
    ports: Ports, tenant: str, tmp_path: Path, command_line: Call
) -> None:
    write(ports, tenant, {"store.md": PUMP})
    lay(tmp_path, {"folder.md": PUMP})
    shown = command_line("sync", str(tmp_path), "--tenant", tenant, "--dry-run")
    assert shown.exit_code == 0
    assert ["folder.md", "into", "the", "store"] in [line.split() for line in shown.output.splitlines()]
    assert ["store.md", "into", "the", "folder"] in [line.split() for line in shown.output.splitlines()]
    assert (files_of(tmp_path), live(ports, tenant)) == ({"folder.md": PUMP}, {"store.md": PUMP})
    assert not (tmp_path / STATE_FILE).exists()


def test_a_conflict_is_told_with_the_name_of_the_kept_text_and_exit_code_5(
    ports: Ports, tenant: str, tmp_path: Path, command_line: Call
) -> None:
    write(ports, tenant, {"pump.md": PUMP})
    lay(tmp_path, {"pump.md": PUMP.replace("green", "blue")})
    told = command_line("sync", str(tmp_path), "--tenant", tenant)
    assert told.exit_code == 5
    assert "pump.conflict.md" in told.output
    again = command_line("sync", str(tmp_path), "--tenant", tenant, "--json")
    assert (again.exit_code, json.loads(again.stdout)["steps"]) == (0, [])


def test_a_person_at_a_terminal_is_asked_before_a_deletion(
    ports: Ports, tenant: str, tmp_path: Path, command_line: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, {"pump.md": PUMP})
    command_line("sync", str(tmp_path), "--tenant", tenant)
    (tmp_path / "pump.md").unlink()
    assert "--delete" in command_line("sync", str(tmp_path), "--tenant", tenant).output
    monkeypatch.setattr(command, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    refused = command_line("sync", str(tmp_path), "--tenant", tenant, typed="n\n")
    assert "pump.md" in refused.output
    assert live(ports, tenant) == {"pump.md": PUMP}
    command_line("sync", str(tmp_path), "--tenant", tenant, typed="y\n")
    assert live(ports, tenant) == {}


def test_a_new_folder_is_made_and_gets_the_store(ports: Ports, tenant: str, tmp_path: Path, command_line: Call) -> None:
    write(ports, tenant, {"pump.md": PUMP})
    assert command_line("sync", str(tmp_path / "new" / "notes"), "--tenant", tenant).exit_code == 0
    assert files_of(tmp_path / "new" / "notes") == {"pump.md": PUMP}


def test_what_was_written_is_committed_with_the_summary_of_the_dream_and_nothing_else_is(
    ports: Ports, tenant: str, tree: Path, command_line: Call
) -> None:
    root = tree / "notes"
    a_rich_store(ports, tenant)
    assert command_line("sync", str(root), "--tenant", tenant, "--commit").exit_code == 0
    dream = dream_of_everything(ports, tenant)
    merged = find_operation(ports, tenant, dream, OperationKind.MERGE)
    assert command_line("sync", str(root), "--tenant", tenant, "--commit").exit_code == 0
    approve_operation(ports.db, ports.ids, tenant, merged, actor="ann")
    lay(tree, {"mine.txt": "mine"})
    _git(tree, "add", "mine.txt")
    done = command_line("sync", str(root), "--tenant", tenant, "--commit", "--delete")
    assert done.exit_code == 0, done.output
    said = _git(tree, "log", "-1", "--format=%B")
    assert said.startswith(f"Sync 2 memories from {tenant}/default")
    assert dream.id in said
    changed = _git(tree, "show", "--name-status", "--format=", "HEAD").split("\n")
    assert sorted(filter(None, changed)) == ["D\tnotes/web/cookies-twin.md", "M\tnotes/web/cookies.md"]
    assert "A  mine.txt" in _git(tree, "status", "--porcelain")


def test_outside_of_a_git_working_tree_nothing_is_synced_that_was_to_be_committed(
    ports: Ports, tenant: str, tmp_path: Path, command_line: Call
) -> None:
    write(ports, tenant, {"pump.md": PUMP})
    assert "git working tree" in str(command_line("sync", str(tmp_path), "--tenant", tenant, "--commit").exception)
    assert files_of(tmp_path) == {}


def test_a_sync_that_writes_nothing_commits_nothing(tenant: str, tree: Path, command_line: Call) -> None:
    lay(tree, {"pump.md": PUMP})
    assert command_line("sync", str(tree), "--tenant", tenant, "--commit").exit_code == 0
    assert _git(tree, "rev-list", "--all", "--count").strip() == "0"
