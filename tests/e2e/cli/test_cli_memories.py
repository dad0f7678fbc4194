"""`slowwave import`, `export`, `sync` and `memory`: what goes in comes out, and nothing of it steers the terminal."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e.cli.cli_support import Cli, files_of
from tests.e2e.workers.worker_support import ROOT, eventually

_HOSTILE = "# [link=http://evil.example]hey[/link] \x1b[2J\x1b]0;owned\x07 \u202eback \x9b31m\n\nKept on 2026-01-02.\n"
_NOTES = {
    "api/limits.md": b"---\ntitle: 'Limits'\ntags: [a,  b]\n---\n# Limits\n\n600 calls a minute.\n",
    "api/windows.md": b"# Lines end here\r\nas Windows ends them\r\n",
    "no-newline.md": "# Ümläute und 中文, no newline at the end".encode(),
    "ops/[bold red]note[conceal].md": _HOSTILE.encode(),
    "ops/titled.md": b'---\ntitle: "[blink]Title[/] \\e[31m \\x07"\n---\nAn escape in a quoted title.\n',
    "empty.md": b"",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("notes")
    for path, content in _NOTES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(content)
    return root


@pytest.fixture(scope="module")
def imported(cli: Cli, folder: Path) -> str:
    """A tenant that has the notes."""
    assert cli.json("import", folder, "--tenant", "acme")["created"] == len(_NOTES)
    return "acme"


def test_importing_twice_changes_nothing(cli: Cli, folder: Path, imported: str) -> None:
    second = cli.json("import", folder, "--tenant", imported)
    assert (second["created"], second["updated"], second["unchanged"]) == (0, 0, len(_NOTES))


def test_an_export_gives_back_every_byte(cli: Cli, folder: Path, imported: str, tmp_path: Path) -> None:
    written = cli.json("export", tmp_path / "out", "--tenant", imported)
    assert written == {
        "written": len(_NOTES),
        "unchanged": 0,
        "removed": [],
        "stale": [],
        "refused": [],
        "open_questions": 0,
    }
    assert files_of(tmp_path / "out") == files_of(folder)


def test_an_export_does_not_write_into_a_folder_with_files_unasked(cli: Cli, folder: Path, imported: str) -> None:
    before = files_of(folder)
    assert "not empty" in cli.run("export", folder, "--tenant", imported, expect=2).err
    assert files_of(folder) == before


def test_files_that_are_refused_are_listed_with_the_reason(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "fine.md").write_text("# Fine\n")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "notes.txt").write_text("no markdown")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    ran = cli.run("import", tmp_path, "--tenant", "picky")
    assert "picky/default: 1 created" in ran.out
    assert "3 not taken" in ran.out
    lines = {line.split()[0]: line for line in ran.out.splitlines() if line.strip()}
    assert "not UTF-8" in lines["latin.md"]
    assert "end in .md" in lines["notes.txt"]
    assert "link" in lines["out.md"]


def test_a_folder_that_is_not_there_is_named(cli: Cli, tmp_path: Path) -> None:
    assert "nowhere" in cli.run("import", tmp_path / "nowhere", "--tenant", "acme", expect=2).err


@pytest.mark.parametrize(
    "command",
    [("list",), ("show", "ops/[bold red]note[conceal].md"), ("search", "2026 title", "--limit", "5")],
    ids=lambda command: command[0],
)
def test_markup_and_escapes_of_a_memory_reach_no_terminal(cli: Cli, imported: str, command: tuple[str, ...]) -> None:
    verb, *rest = command
    ran = cli.run("memory", verb, imported, *rest, FORCE_COLOR="1", COLUMNS="200")
    shown = ran.out.replace("\x1b[", "", 0)
    assert "[bold red]note[conceal]" in shown or "[link=http://evil.example]" in shown
    for harmful in ("\x1b[2J", "\x1b]", "\x07", "\u202e", "\x9b", "\x1b[31m \x07", "\x1b]8;"):
        assert harmful not in shown


def test_json_escapes_what_steers_a_terminal_and_loses_none_of_it(cli: Cli, imported: str) -> None:
    path = "ops/[bold red]note[conceal].md"
    assert cli.json("memory", "show", imported, path)["content"] == _HOSTILE
    ran = cli.run("memory", "show", imported, path, "--json")
    assert not set(ran.out) & {"\x1b", "\x07", "\u202e", "\x9b"}


def test_in_a_pipe_a_memory_is_shown_byte_for_byte(cli: Cli, imported: str) -> None:
    assert cli.run("memory", "show", imported, "api/windows.md").out.encode() == _NOTES["api/windows.md"]


def test_a_store_without_memories_and_a_path_that_is_none_say_what_to_do(cli: Cli, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "Releases go out on Tuesdays."}\n')
    assert "1 event added in 1 session (1 new)" in cli.run("sessions", "import", talk, "--tenant", "bare").out
    assert "slowwave import" in cli.run("memory", "list", "bare").out
    assert "--sessions" in cli.run("memory", "search", "bare", "tuesdays").out
    for command in ("show", "why"):
        assert "memory list bare" in cli.run("memory", command, "bare", "nope.md", expect=4).err


def test_reading_a_memory_is_counted_when_the_command_ends(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text("# Pump\n\nIt is green.\n")
    cli.run("import", tmp_path, "--tenant", "reader")
    cli.run("memory", "search", "reader", "green")
    cli.run("memory", "list", "reader")
    cli.run("memory", "show", "reader", "pump.md", "--history")
    shown = [cli.json("memory", "show", "reader", "pump.md")["signals"]["access_count"] for _ in range(2)]
    assert shown == [1, 2]


def test_what_dreams_cannot_edit_or_read_at_once_is_said_when_it_is_taken(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "broken.md").write_text("---\ntitle: [no end\n---\nText.\n")
    (tmp_path / "huge.md").write_text("# Long\n\n" + "A line of a log.\n" * 600_000)
    said = cli.run("import", tmp_path, "--tenant", "doubts", expect=0).out
    assert "2 taken as they are, but" in said
    assert "broken.md" in said
    assert "no valid YAML" in said
    assert "10,200,008 characters" in said
    told = cli.json("import", tmp_path, "--tenant", "doubts")["doubtful"]
    assert [one["path"] for one in told] == ["broken.md", "huge.md"]


def test_an_import_that_takes_nothing_fails_and_names_the_command_for_transcripts(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"x")
    assert "Nothing was taken" in cli.run("import", tmp_path, "--tenant", "doubts", expect=2).err
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "content": "We deploy on Fridays."}\n')
    said = cli.run("import", tmp_path, "--tenant", "doubts", expect=2).err
    assert f"slowwave sessions import {tmp_path} --tenant doubts" in said
    cli.run("sessions", "import", tmp_path, "--tenant", "doubts", expect=0)
    assert "We deploy on Fridays." in cli.run("sessions", "list", "doubts", expect=0).out


def test_an_import_names_what_was_changed_here_too_and_takes_it_only_on_request(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    note, edited = tmp_path / "notes" / "pump.md", tmp_path / "edited.md"
    note.write_text("# Pump\n\nIt is green.\n")
    cli.run("import", note.parent, "--tenant", "both")
    edited.write_text("# Pump\n\nIt is blue.\n")
    cli.run("memory", "edit", "both", "pump.md", "--file", edited)
    note.write_text("# Pump\n\nIt is red.\n")
    said = cli.run("import", note.parent, "--tenant", "both", expect=5)
    assert "pump.md" in said.err
    assert "--overwrite" in said.out
    assert cli.json("memory", "show", "both", "pump.md")["content"] == edited.read_text()
    assert cli.json("import", note.parent, "--tenant", "both", "--overwrite")["updated"] == 1
    assert cli.json("memory", "show", "both", "pump.md")["content"] == note.read_text()


def test_a_watched_folder_follows_the_store_and_the_store_the_folder_until_ctrl_c(cli: Cli, tmp_path: Path) -> None:
    root, edited = tmp_path / "notes", tmp_path / "edited.md"
    root.mkdir()
    note = root / "pump.md"
    note.write_text("# Pump\n\nIt is green.\n")
    with (tmp_path / "log").open("wb") as log:
        watching = subprocess.Popen(
            cli.command("sync", root, "--tenant", "seen", "--watch", "--every", "1"),
            cwd=ROOT, env=cli.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        eventually((root / ".slowwave-sync.json").exists, "the first sync")
        note.write_text("# Pump\n\nIt is blue.\n")
        eventually(lambda: _content(cli) == note.read_text(), "the folder's change in the store")
        edited.write_text("# Pump\n\nIt is blue.\n\nIt hums.\n")
        cli.run("memory", "edit", "seen", "pump.md", "--file", edited)
        eventually(lambda: note.read_text() == edited.read_text(), "the store's change in the folder")
        eventually(lambda: "1 written to the folder" in (tmp_path / "log").read_text(), "the line that says so")
    finally:
        watching.send_signal(signal.SIGINT)
        assert watching.wait(30) == 130
    assert "Traceback" not in (tmp_path / "log").read_text()


def _content(cli: Cli) -> str:
    return str(cli.json("memory", "show", "seen", "pump.md")["content"])


def test_what_other_programs_remember_is_imported(cli: Cli, tmp_path: Path) -> None:
    graph = tmp_path / "memory.json"
    graph.write_text('{"type": "entity", "name": "Ann", "entityType": "person", "observations": ["Leads billing."]}\n')
    assert cli.json("import", graph, "--tenant", "graphs")["created"] == 1
    assert cli.json("import", graph, "--tenant", "graphs")["unchanged"] == 1
    assert [memory["path"] for memory in cli.json("memory", "list", "graphs")] == ["person/ann.md"]
    graph.write_text("{}")
    assert "mem0" in cli.run("import", graph, "--tenant", "graphs", expect=2).err
    texts = tmp_path / "memories"
    texts.mkdir()
    (texts / "likes.txt").write_text("Likes tabs.\n")
    assert "no file of" in cli.run("import", texts, "--tenant", "texts", expect=2).err
    assert cli.json("import", texts, "--tenant", "texts", "--any-ending")["created"] == 1


def test_the_daily_notes_of_a_workspace_are_sessions_and_its_instructions_are_no_memories(
    cli: Cli, tmp_path: Path
) -> None:
    for path, text in {
        "AGENTS.md": "Be brief.\n",
        "SOUL.md": "You are kind.\n",
        "USER.md": "# User\n\nAnn runs a shop.\n",
        "memory/2026-03-04.md": "- Invoices go out on the third.\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    counts = cli.json("import", tmp_path, "--tenant", "workspaces")
    assert (counts["created"], counts["daily_logs"], counts["log_entries_added"]) == (1, 1, 1)
    [session] = cli.json("sessions", "list", "--tenant", "workspaces")
    assert session["external_id"] == "memory/2026-03-04.md"
