"""`slowwave directives`: a tenant's own prompts, set, shown and taken back in a terminal."""

from pathlib import Path

from shared.adapters.llm.offline import OfflineLlm
from tests.e2e.cli.cli_support import Cli
from tests.support.builders import run_dream
from tests.support.servers import open_ports


def test_a_directive_is_set_shown_named_in_the_dream_and_reset(cli: Cli, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("one", "two"):
        text = f"# Cookies\n\nThe login page signs its cookies over secure connections. Note {name}.\n"
        (notes / f"{name}.md").write_text(text)
    cli.run("import", notes, "--tenant", "acme")
    own = tmp_path / "dream.md"
    own.write_text("Merge what is the same [bold].\n")
    assert "the built-in prompt is used" in cli.run("directives", "show", "acme", "dream.md").out
    assert "is set (version 1)" in cli.run("directives", "set", "acme", "dream.md", own).out
    assert "Merge what is the same [bold]." in cli.run("directives", "show", "acme", "dream.md").out
    listed = {line["name"]: line["is_own"] for line in cli.json("directives", "list", "acme")}
    assert listed["dream.md"] is True
    assert cli.settings is not None
    with open_ports(cli.settings) as ports:
        run_dream(ports, "acme", OfflineLlm())
    assert "Prompt of consolidate: dream.md, version 1 (sha256 " in cli.run("dreams", "show", "acme").out
    cli.run("directives", "set", "acme", "dream.md", own, "--store", "default")
    of_store = cli.json("directives", "show", "acme", "dream.md", "--store", "default")
    assert of_store["content"] == "Merge what is the same [bold].\n"
    assert "its tenant's" in cli.run("directives", "reset", "acme", "dream.md", "--store", "default").out
    assert "is the built-in prompt" in cli.run("directives", "reset", "acme", "dream.md").out
    assert [one["is_own"] for one in cli.json("directives", "show", "acme", "dream.md", "--history")] == [False, True]


def test_a_name_that_is_no_directive_is_refused_with_those_there_are(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("# X\n\nText.\n")
    cli.run("import", tmp_path, "--tenant", "other")
    ran = cli.run("directives", "set", "other", "rules.md", tmp_path / "x.md", expect=2)
    assert "skill-gap.md" in ran.err
