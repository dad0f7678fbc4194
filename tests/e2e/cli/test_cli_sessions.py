"""`slowwave sessions`: what a person sees who brings transcripts in, and looks at what became of them."""

import json
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import FORMATS
from tests.e2e.cli.cli_support import Cli

_KEY = "AKIA" + "IOSFODNN7QWERTYU"
_LINES = [
    {"role": "user", "content": f"Releases go out on Tuesdays. The key is {_KEY}.", "at": "2026-03-02T12:00:00Z"},
    {"role": "assistant", "content": "Noted.", "at": "2026-03-02T12:01:00Z"},
    {"role": "tool", "content": "Tuesdays, says the log.", "at": "2026-03-02T12:02:00Z"},
]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join([*map(json.dumps, _LINES), "{broken"]) + "\n")
    return path


def test_a_transcript_goes_in_once_and_is_found_again(cli: Cli, talk: Path) -> None:
    first = cli.json("sessions", "import", talk, "--tenant", "acme")
    assert (first["added"], first["malformed"], first["masked"], first["new_sessions"]) == (3, 1, 1, 1)
    again = cli.json("sessions", "import", talk, "--tenant", "acme")
    assert (again["added"], again["known"], again["malformed"]) == (0, 3, 1)
    [session] = cli.json("sessions", "list", "--tenant", "acme")
    shown = cli.json("sessions", "show", session["id"], "--tenant", "acme")
    assert (shown["event_count"], shown["malformed_count"], shown["waiting"]) == (3, 1, 3)
    [match] = cli.json("sessions", "search", "tuesdays", "--tenant", "acme")
    assert _KEY not in match["event"]["text"]
    assert "Tuesdays" in cli.run("memory", "search", "acme", "tuesdays", "--sessions").out
    for command in (["list"], ["show", "talk"], ["search", "tuesdays"], ["search", "nowhere"]):
        assert cli.run("sessions", *command, "--tenant", "acme").out.strip()


def test_a_session_is_deleted_by_its_name_and_only_on_purpose(cli: Cli, talk: Path) -> None:
    cli.run("sessions", "import", talk, "--tenant", "gone")
    assert "--yes" in cli.run("sessions", "delete", "talk", "--tenant", "gone", expect=2).err
    assert cli.json("sessions", "delete", "talk", "--tenant", "gone", "--yes")["events"] == 3
    assert cli.json("sessions", "list", "--tenant", "gone") == []
    assert "no session" in cli.run("sessions", "delete", "talk", "--tenant", "gone", "--yes", expect=4).err
    assert cli.json("sessions", "import", talk, "--tenant", "gone")["added"] == 3
    assert cli.json("stores", "delete", "gone", "--yes")["rows"]["session_events"] == 3
    assert cli.json("stores", "list", "gone") == []


def test_unreadable_transcripts_are_named_by_file_and_line(cli: Cli, talk: Path) -> None:
    assert f"{talk}:4" in cli.run("sessions", "import", talk, "--tenant", "lines").out
    empty = talk.with_name("empty.jsonl")
    empty.touch()
    assert "is empty" in cli.run("sessions", "import", empty, "--tenant", "lines", expect=2).err
    odd = talk.with_name("odd.json")
    odd.write_text("7")
    refused = cli.run("sessions", "import", odd, "--tenant", "lines", expect=2).err
    assert f"{odd}: its format is not known" in refused
    assert all(known.name in refused for known in FORMATS)
    assert "no file or folder" in cli.run("sessions", "import", odd / "x", "--tenant", "lines", expect=2).err
    assert "claude-code" in cli.run("sessions", "import", talk, "--format", "x", "--tenant", "lines", expect=2).err
    assert "no session" in cli.run("sessions", "show", "x", "--tenant", "lines", expect=4).err


def test_a_transcript_in_another_encoding_is_refused_or_its_lost_letters_are_told(cli: Cli, talk: Path) -> None:
    text = json.dumps({"role": "user", "content": "the café opens"}, ensure_ascii=False) + "\n"
    wide = talk.with_name("wide.jsonl")
    wide.write_text(text, encoding="utf-16")
    for options in ((), ("--format", "plain")):
        refused = cli.run("sessions", "import", wide, "--tenant", "encodings", *options, expect=2)
        assert "UTF-16" in refused.err
        assert "iconv" in refused.err
    latin = talk.with_name("latin.jsonl")
    latin.write_text(text, encoding="latin-1")
    assert cli.json("sessions", "import", latin, "--tenant", "encodings")["replaced"] == 1
    assert "not UTF-8" in cli.run("sessions", "import", latin, "--tenant", "encodings", "--store", "other").out


def test_an_import_that_takes_nothing_says_so_by_its_exit_code(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "nothing"
    folder.mkdir()
    (folder / "readme.txt").write_text("No session.")
    assert "no transcript" in cli.run("sessions", "import", folder, "--tenant", "nothing", expect=2).err
    (folder / "broken.jsonl").write_text('{"role": "user", "content": 7}\n')
    assert "1 malformed" in cli.run("sessions", "import", folder, "--tenant", "nothing", expect=2).out
    packed = folder / "export.zip"
    packed.write_bytes(b"PK\x03\x04\x14\x00")
    assert "unpack it" in cli.run("sessions", "import", packed, "--tenant", "nothing", expect=2).err


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export of a chat program with two conversations, beside a scheduler's session of another."""
    talks = [
        {
            "uuid": f"c-{number}",
            "name": title,
            "chat_messages": [
                {"uuid": f"m-{number}", "sender": "human", "text": said, "created_at": "2026-03-04T09:11:00Z"}
            ],
        }
        for number, (title, said) in enumerate(
            [("Invoices", "They go out on the third."), ("Therapy", "I slept badly.")]
        )
    ]
    (tmp_path / "conversations.json").write_text(json.dumps(talks, indent=1))
    lines = [{"_type": "metadata", "key": "cron:daily"}, {"role": "user", "content": "Write the digest."}]
    (tmp_path / "daily.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


def test_each_conversation_of_an_export_is_a_session_with_its_title(cli: Cli, export: Path) -> None:
    counts = cli.json("sessions", "import", export, "--tenant", "exports")
    assert (counts["new_sessions"], counts["added"]) == (3, 3)
    listed = cli.json("sessions", "list", "--tenant", "exports")
    found = {one["external_id"]: (one["title"], one["source"]) for one in listed}
    assert found["c-0"] == ("Invoices", "claude-ai")
    assert found["c-1"] == ("Therapy", "claude-ai")
    assert found["cron:daily"][1] == "nanobot"


def test_sessions_that_a_pattern_names_are_left_out(cli: Cli, export: Path) -> None:
    def taken(store: str, *options: str) -> set[str]:
        cli.json("sessions", "import", export, "--tenant", "chosen", "--store", store, *options)
        return {one["external_id"] for one in cli.json("sessions", "list", "--tenant", "chosen", "--store", store)}

    assert taken("title", "--exclude", "therapy") == {"c-0", "cron:daily"}
    assert taken("both", "--exclude", "therapy", "--exclude", "cron:*") == {"c-0"}
    assert taken("file", "--exclude", "conversations.*") == {"cron:daily"}
    assert taken("some", "--include", "inv*") == {"c-0"}
    assert taken("kind", "--exclude", "kind=cron") == {"c-0", "c-1"}
    assert taken("source", "--include", "nanobot") == {"cron:daily"}
    labelled = ("--label", "kind=test", "--label", "branch=main")
    assert taken("labelled", *labelled, "--exclude", "cron") == {"c-0", "c-1"}
    told = cli.json("sessions", "show", "c-0", "--tenant", "chosen", "--store", "labelled")
    assert told["labels"] == {"kind": "test", "branch": "main"}
    assert "KEY=VALUE" in cli.run("sessions", "import", export, "--tenant", "chosen", "--label", "cron", expect=2).err
    assert "--exclude" in cli.run("sessions", "import", export, "--tenant", "chosen", "--exclude", "*", expect=2).err


def test_files_of_one_name_in_two_folders_do_not_become_one_session(cli: Cli, talk: Path) -> None:
    for folder in ("ann", "bob"):
        (talk.parent / folder).mkdir()
        (talk.parent / folder / "talk.jsonl").write_text(talk.read_text())
    found = cli.json("sessions", "import", talk.parent, "--tenant", "folders")
    assert (found["new_sessions"], found["added"]) == (3, 9)
    named = {session["external_id"] for session in cli.json("sessions", "list", "--tenant", "folders")}
    assert named == {"talk", "ann/talk", "bob/talk"}


def test_daily_logs_of_a_memory_folder_become_sessions(cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "logs/2026/03/2026-03-02.md"
    log.parent.mkdir(parents=True)
    log.write_text("- 09:15 Ann wants tabs.\n- 17:00 done\n")
    (tmp_path / "style.md").write_text("# Style\n\nSpaces.\n")
    counts = cli.json("import", tmp_path, "--tenant", "kairos")
    assert (counts["created"], counts["daily_logs"], counts["log_entries_added"]) == (1, 1, 2)
    log.write_text(log.read_text() + "- 18:00 and really done\n")
    assert cli.json("import", tmp_path, "--tenant", "kairos")["log_entries_added"] == 1
    [session] = cli.json("sessions", "list", "--tenant", "kairos")
    assert (session["external_id"], session["source"]) == ("logs/2026/03/2026-03-02.md", "daily-log")
    assert [memory["path"] for memory in cli.json("memory", "list", "kairos")] == ["style.md"]


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """Sessions of two projects of Claude Code: one by its folder, one that was copied elsewhere."""
    root = tmp_path / "all"
    for folder, cwd in (("projects/-srv-shop", "/srv/shop/api"), ("copied", "/srv/blog")):
        (root / folder).mkdir(parents=True)
        line: dict[str, object] = {"type": "user", "uuid": f"u-{folder}", "sessionId": f"s-{folder}", "cwd": cwd}
        line |= {
            "timestamp": "2026-03-01T10:00:00Z",
            "message": {"role": "user", "content": "We deploy on Fridays."},
        }
        (root / folder / "chat.jsonl").write_text(json.dumps(line) + "\n")
    return root


def test_sessions_of_several_projects_are_not_mixed_unasked(cli: Cli, projects: Path) -> None:
    said = cli.run("sessions", "import", projects, "--tenant", "many", expect=2).err
    assert "2 projects (-srv-blog, -srv-shop)" in said
    assert "--by-project" in said
    assert "--store" in said
    cli.run("sessions", "list", "many", expect=4)  # the tenant was not created
    one = cli.json("sessions", "import", projects / "copied", "--tenant", "single")
    assert one["read"][0]["store"] == "default"
    mixed = cli.json("sessions", "import", projects, "--tenant", "mixed", "--store", "all")
    assert {file["store"] for file in mixed["read"]} == {"all"}


def test_each_project_can_have_a_store_and_its_sessions_say_where_they_are_from(cli: Cli, projects: Path) -> None:
    cli.run("sessions", "import", projects, "--tenant", "split", "--by-project", expect=0)
    for name in ("blog", "shop"):
        (found,) = cli.json("sessions", "list", f"split/srv-{name}")
        assert found["project"] == f"-srv-{name}"
        shown = cli.run("sessions", "show", f"split/srv-{name}", found["id"], expect=0).out
        assert f"project       -srv-{name}" in shown
    again = cli.json("sessions", "import", projects, "--tenant", "split", "--by-project")
    assert (again["added"], again["known"]) == (0, 2)
    assert (
        "give it or --store"
        in cli.run("sessions", "import", projects, "--tenant", "split/x", "--by-project", expect=2).err
    )


def test_a_memory_names_the_project_that_each_of_its_sessions_is_from(cli: Cli, projects: Path, tmp_path: Path) -> None:
    cli.run("sessions", "import", projects, "--tenant", "asked", "--store", "all")
    sessions = {one["id"]: one["project"] for one in cli.json("sessions", "list", "asked/all")}
    said = "".join(f'  - "{session}#e1 2026-03-01: On Fridays."\n' for session in sessions)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "day.md").write_text(f"---\ngathered_from:\n{said}---\n# Day\n\nDeployed on Fridays.\n")
    cli.run("import", tmp_path / "notes", "--tenant", "asked/all")
    told = cli.json("memory", "why", "asked/all", "day.md")["provenance"]["projects"]
    assert {one["session"]: one["project"] for one in told} == sessions
    shown = cli.run("memory", "why", "asked/all", "day.md").out
    assert all(f"session {session}, project {project}" in shown for session, project in sessions.items())
