"""`slowwave memory edit|pin|redact`: a person changes one memory by hand, and never over a change that was not seen."""

from pathlib import Path

import pytest

from tests.e2e.cli.cli_support import Cli

TENANT = "by-hand"


@pytest.fixture(scope="module")
def imported(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "deploy.md").write_text("# Deploy\n\nOn Mondays.\n")
    cli.json("import", folder, "--tenant", TENANT)
    return TENANT


def test_an_edit_makes_a_version_and_refuses_to_go_over_one_that_was_not_seen(
    cli: Cli, imported: str, tmp_path: Path
) -> None:
    text = tmp_path / "new.md"
    text.write_text("# Deploy\n\nOn Tuesdays.\n")
    seen = cli.json("memory", "show", imported, "deploy.md")["version"]
    changed = cli.json("memory", "edit", imported, "deploy.md", "--file", text, "--if-version", seen)
    assert (changed["version"], changed["content"], changed["author"]) == (seen + 1, text.read_text(), "user")
    late = cli.run("memory", "edit", imported, "deploy.md", "--importance", 90, "--if-version", seen, expect=5)
    assert f"version {seen + 1}" in late.err
    again = cli.run("memory", "edit", imported, "deploy.md", "--file", text)
    assert "needs no change" in again.out
    assert "nothing" in cli.run("memory", "edit", imported, "deploy.md", expect=2).err.lower()


def test_a_pin_is_set_and_taken_out(cli: Cli, imported: str) -> None:
    assert cli.json("memory", "pin", imported, "deploy.md")["signals"]["pinned"] is True
    assert "needs no change" in cli.run("memory", "pin", "--tenant", imported, "deploy.md").out
    assert cli.json("memory", "pin", imported, "deploy.md", "--off")["signals"]["pinned"] is False


def test_a_last_day_is_set_shown_and_taken_out(cli: Cli, imported: str) -> None:
    changed = cli.json("memory", "edit", imported, "deploy.md", "--expires", "2999-10-12")
    assert 'expires: "2999-10-12"' in changed["content"]
    assert cli.json("memory", "show", imported, "deploy.md")["expires"] == "2999-10-12"
    assert "2999-10-12" in cli.run("memory", "list", imported).out
    cli.run("memory", "edit", imported, "deploy.md", "--expires", "never")
    assert cli.json("memory", "show", imported, "deploy.md")["expires"] is None
    assert "2026-10-12" in cli.run("memory", "edit", imported, "deploy.md", "--expires", "soon", expect=2).err


def test_a_list_of_a_day_before_the_import_is_empty_and_says_so(cli: Cli, imported: str) -> None:
    assert (
        "had no memories at the end of 2020-01-01" in cli.run("memory", "list", imported, "--as-of", "2020-01-01").out
    )
    assert "deploy.md" in [one["path"] for one in cli.json("memory", "list", imported, "--as-of", "2999-01-01")]
    found = cli.json("memory", "search", imported, "deploy", "--as-of", "2999-01-01")
    assert "deploy.md" in [one["path"] for one in found]
    assert cli.json("memory", "search", imported, "deploy", "--as-of", "2020-01-01") == []


def test_an_old_text_is_redacted_and_the_current_one_is_not(cli: Cli, imported: str, tmp_path: Path) -> None:
    text = tmp_path / "secret.md"
    for words in ("The door's code is 4711.", "The door has a code."):
        text.write_text(f"# Door\n\n{words}\n")
        cli.json("import", text.parent, "--tenant", imported, "--overwrite")
    current = cli.json("memory", "show", imported, "secret.md")["version"]
    assert "current version" in cli.run("memory", "redact", imported, "secret.md", current, "--yes", expect=2).err
    assert "confirm with --yes" in cli.run("memory", "redact", imported, "secret.md", 1, expect=2).err
    assert cli.json("memory", "redact", imported, "secret.md", 1, "--yes")["redacted_at"]
    assert "4711" not in cli.run("memory", "show", imported, "secret.md", "--history", "--json").out
