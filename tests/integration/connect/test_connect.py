"""`slowwave connect`: what it takes of a tool's home, what it writes there, and that `disconnect` takes exactly that back."""

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from typer.testing import Result

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.services.operations.review import approve_operation
from shared.services.tenants.keys import find_keys
from tests.integration.connect.home import CLAUDE, a_project, a_repository, a_worktree, configure
from tests.integration.undo.undo_support import COOKIES, COOKIES_TWIN, dream_of_everything, find_operation

Call = Callable[..., Result]
PUMP = "# Pump\n\nIt is green.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def connect(command_line: Call, tenant: str, home: Path) -> Call:
    """Call a command for this home."""

    def call(command: str, tool: str, *options: str, expect: int = 0) -> Result:
        named = ("--tenant", tenant) if command != "disconnect" else ()
        done = command_line(command, tool, "--home", str(home), *named, *options)
        assert done.exit_code == expect, (done.output, done.exception)
        return done

    return call


def live(ports: Ports, tenant: str) -> dict[str, dict[str, str]]:
    with ports.db.transaction(tenant) as uow:
        stores = {one.name: one.id for one in uow.stores.find_all()}
        return {name: {m.path: m.content for m in uow.memories(one).find_live()} for name, one in stores.items()}


def projects(ports: Ports, tenant: str, store: str) -> list[str]:
    with ports.db.transaction(tenant) as uow:
        return [one.project for one in uow.sessions(uow.stores.get(store).id).find_recent(9)]


def test_each_project_gets_a_store_and_worktrees_of_a_repository_share_one(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    shop, other = a_repository(tmp_path / "work" / "shop"), a_repository(tmp_path / "old" / "shop")
    a_project(home, shop, {"pump.md": PUMP}, "We deploy on Fridays.")
    tree = a_worktree(shop, tmp_path / "trees" / "fix")
    a_project(home, tree, {"tree.md": PUMP}, "Not on Fridays.", session="s2", branch="fix")
    a_project(home, other, {"other.md": PUMP}, "Never.", session="s3")
    connect("connect", "claude-code")
    found = live(ports, tenant)
    assert {name for name, texts in found.items() if texts} == {"shop", "shop-2"}
    assert {frozenset(found["shop"]), frozenset(found["shop-2"])} == {
        frozenset({"pump.md", "tree.md"}),
        frozenset({"other.md"}),
    }
    shared = next(name for name, texts in found.items() if "tree.md" in texts)
    assert sorted(projects(ports, tenant, shared)) == sorted([f"{shop} (main)", f"{tree} (fix)"])


def test_connecting_again_takes_nothing_twice(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    a_project(home, tmp_path / "shop", {"pump.md": PUMP}, "We deploy on Fridays.")
    before = configure(home)
    first = json.loads(connect("connect", "claude-code", "--json").stdout)
    assert [one["events_added"] for one in first["projects"]] == [1]
    written = {path: path.read_bytes() for path in before}
    second = json.loads(connect("connect", "claude-code", "--json").stdout)
    assert [(one["events_added"], list(one["folders"].values())) for one in second["projects"]] == [(0, [{}])]
    assert {path: path.read_bytes() for path in before} == written
    assert len(find_keys(ports.db, tenant)) == 1


def test_a_dry_run_shows_what_would_be_taken_and_writes_nothing(tmp_path: Path, home: Path, connect: Call) -> None:
    a_project(home, tmp_path / "shop", {"pump.md": PUMP}, "We deploy on Fridays.")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    shown = connect("connect", "claude-code", "--dry-run").output
    assert "shop" in shown
    assert ".claude.json" in shown
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_what_is_written_starts_the_server_with_a_new_key_and_disconnecting_takes_back_every_byte(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    a_project(home, tmp_path / "shop", {"pump.md": PUMP}, "We deploy on Fridays.")
    before = configure(home)
    modes = {path.stat().st_mode for path in before}
    connect("connect", "claude-code")
    servers = json.loads((home / ".claude.json").read_text())["mcpServers"]
    assert servers["other"] == json.loads(CLAUDE)["mcpServers"]["other"]
    assert servers["slowwave"]["args"] == ["mcp"]
    (key,) = find_keys(ports.db, tenant)
    assert key.id.removeprefix("key_") in servers["slowwave"]["env"]["SLOWWAVE_KEY"]
    assert key.role == "agent"
    assert (home / ".claude.json").stat().st_mode & 0o077 == 0
    assert "// mine" in (home / ".claude" / "settings.json").read_text()
    connect("disconnect", "claude-code")
    assert {path: path.read_bytes() for path in before} == before
    assert {path.stat().st_mode for path in before} == modes
    left = {path.name for path in home.rglob("*") if path.is_file()}
    assert left == {"pump.md", "s1.jsonl", ".claude.json", "settings.json", "connections.json"}
    assert find_keys(ports.db, tenant)[0].revoked_at is not None
    connect("disconnect", "claude-code", expect=1)


def test_what_the_tool_wrote_meanwhile_stays_when_it_is_disconnected(tmp_path: Path, home: Path, connect: Call) -> None:
    a_project(home, tmp_path / "shop", {"pump.md": PUMP}, "We deploy on Fridays.")
    configure(home)
    connect("connect", "claude-code")
    theirs = json.loads((home / ".claude.json").read_text()) | {"numStartups": 4}
    (home / ".claude.json").write_text(json.dumps(theirs, indent=2))
    connect("disconnect", "claude-code")
    assert json.loads((home / ".claude.json").read_text()) == json.loads(CLAUDE) | {"numStartups": 4}


@pytest.mark.parametrize(
    ("tool", "config", "mine", "read", "path"),
    [
        ("codex", ".codex/config.toml", '# mine\nmodel = "x"\n\n[tui]\na = 1\n', tomllib.loads, ("mcp_servers",)),
        ("hermes", ".hermes/config.yaml", "# mine\nmodel: x\n", yaml.safe_load, ("mcp_servers",)),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {}}', json.loads, ("mcpServers",)),
        ("gemini", ".gemini/settings.json", "{}\n", json.loads, ("mcpServers",)),
        ("openclaw", ".openclaw/openclaw.json", '{ "gateway": 1 }', json.loads, ("mcp", "servers")),
        ("opencode", ".config/opencode/opencode.json", "{\n}", json.loads, ("mcp",)),
    ],
)
def test_every_tool_gets_its_server_in_its_own_form_and_its_file_back(
    home: Path,
    connect: Call,
    tool: str,
    config: str,
    mine: str,
    read: Callable[[str], dict[str, object]],
    path: tuple[str, ...],
) -> None:
    file = home / config
    file.parent.mkdir(parents=True)
    file.write_text(mine)
    connect("connect", tool)
    value: object = read(file.read_text())
    for key in (*path, "slowwave"):
        assert isinstance(value, dict)
        value = value[key]
    assert "SLOWWAVE_KEY" in str(value)
    connect("disconnect", tool)
    assert file.read_text() == mine


def test_a_server_that_a_person_wrote_is_left_alone(home: Path, connect: Call, ports: Ports, tenant: str) -> None:
    (home / ".cursor").mkdir()
    mine = '{"mcpServers": {"slowwave": {"command": "mine"}}}'
    (home / ".cursor" / "mcp.json").write_text(mine)
    connect("connect", "cursor")
    assert (home / ".cursor" / "mcp.json").read_text() == mine
    assert tenant not in live(ports, tenant) or find_keys(ports.db, tenant) == []


def test_a_configuration_that_is_not_understood_is_not_touched(home: Path, connect: Call) -> None:
    (home / ".openclaw").mkdir()
    mine = "{gateway: {port: 1}}"
    (home / ".openclaw" / "openclaw.json").write_text(mine)
    connect("connect", "openclaw", expect=1)
    assert (home / ".openclaw" / "openclaw.json").read_text() == mine


def test_a_session_that_ends_comes_into_the_store_of_its_project_by_the_hook(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    shop = a_repository(tmp_path / "shop")
    kept = a_project(home, shop, {"pump.md": PUMP}, "We deploy on Fridays.")
    connect("connect", "claude-code")
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    command = shlex.split(hooks["SessionEnd"][0]["hooks"][0]["command"])
    assert command[-4:] == ["hook", "claude-code", "--tenant", tenant]
    a_project(home, shop, {"new.md": PUMP}, "And on Mondays.", session="s9")
    message = tmp_path / "message.json"
    told = {"hook_event_name": "SessionEnd", "cwd": str(shop / "src"), "transcript_path": str(kept / "s9.jsonl")}
    message.write_text(json.dumps(told))
    connect("hook", "claude-code", "--message", str(message), "--wait")
    assert set(live(ports, tenant)["shop"]) == {"pump.md", "new.md"}
    assert len(projects(ports, tenant, "shop")) == 2


#: What Codex, Cursor and Gemini CLI send, as their documentation has it, and where the text for the session stands in the answer.
TOLD: dict[str, tuple[dict[str, object], tuple[str, str], tuple[str, ...]]] = {
    "codex": (
        {"session_id": "x1", "cwd": "SHOP", "model": "gpt-5", "reason": "other"},
        ("SessionStart", "SessionEnd"),
        ("hookSpecificOutput", "additionalContext"),
    ),
    "gemini": (
        {"session_id": "g1", "cwd": "SHOP", "timestamp": "2026-03-05T10:00:00Z"},
        ("SessionStart", "SessionEnd"),
        ("hookSpecificOutput", "additionalContext"),
    ),
    "cursor": (
        {"session_id": "c1", "workspace_roots": ["SHOP"], "cursor_version": "2.5"},
        ("sessionStart", "sessionEnd"),
        ("additional_context",),
    ),
}
THEIRS = {
    "codex": (
        ".codex/hooks.json",
        '{"description": "mine", "hooks": {"SessionEnd": [{"hooks": [{"command": "x"}]}]}}\n',
    ),
    "gemini": (
        ".gemini/settings.json",
        '{"hooks": {"SessionEnd": [{"hooks": [{"command": "x"}]}]}, "theme": "dark"}\n',
    ),
    "cursor": (".cursor/hooks.json", '{\n\t"version": 1, "hooks": {"stop": [{"command": "./x.sh"}]}\n}\n'),
}
SAID = {
    "codex": (
        ".codex/sessions/2026/03/05/rollout-2026-03-05T10-00-00-x1.jsonl",
        (
            '{"type": "session_meta", "payload": {"id": "x1", "cwd": "SHOP", "source": "cli"}}\n'
            '{"type": "response_item", "payload": {"type": "message", "role": "user", "content": '
            '[{"type": "input_text", "text": "Invoices go out."}]}}\n'
        ),
    ),
    "gemini": (
        ".gemini/tmp/shop/chats/session-1.jsonl",
        '{"sessionId": "g1", "projectHash": "abc", "messages": [{"id": "m1", "type": "user", "content": "Invoices go out."}]}\n',
    ),
    "cursor": (
        ".cursor/projects/shop/agent-transcripts/c1/c1.jsonl",
        '{"role": "user", "message": {"content": [{"type": "text", "text": "Invoices go out."}]}}\n',
    ),
}


def a_message(tmp_path: Path, tool: str, number: int, shop: Path, transcript: Path | None) -> str:
    """Write what a tool sends when a session begins (0) or ends (1)."""
    told, events, _ = TOLD[tool]
    whole = {**told, "hook_event_name": events[number], "transcript_path": transcript and str(transcript)}
    file = tmp_path / f"{events[number]}.json"
    file.write_text(json.dumps(whole).replace("SHOP", str(shop)))
    return str(file)


@pytest.mark.parametrize("tool", TOLD)
def test_hooks_of_other_tools_come_beside_what_is_there_and_disconnecting_gives_every_byte_back(
    home: Path, connect: Call, tenant: str, tool: str
) -> None:
    name, mine = THEIRS[tool]
    file = home / name
    file.parent.mkdir()
    file.write_text(mine)
    for other in (".cursor/mcp.json", ".codex/config.toml"):
        (home / other).parent.mkdir(exist_ok=True)
        (home / other).write_text("{}" if other.endswith("json") else "")
    shown = connect("connect", tool, "--dry-run").output
    assert all(f"hooks.{event}" in shown for event in TOLD[tool][1])
    connect("connect", tool)
    hooks = json.loads(file.read_text())["hooks"]
    for event in TOLD[tool][1]:
        entry = hooks[event][-1]
        command = shlex.split(entry.get("hooks", [entry])[0]["command"])
        assert command[-4:] == ["hook", tool, "--tenant", tenant]
    (ours,) = (event for event in json.loads(mine)["hooks"])
    assert json.loads(mine)["hooks"][ours][0] in hooks[ours]
    connect("disconnect", tool)
    assert file.read_text() == mine


def test_a_new_file_of_hooks_names_the_version_that_cursor_asks_for_and_goes_again(home: Path, connect: Call) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("{}")
    connect("connect", "cursor")
    assert json.loads((home / ".cursor" / "hooks.json").read_text())["version"] == 1
    connect("disconnect", "cursor")
    assert [one.name for one in (home / ".cursor").iterdir()] == ["mcp.json"]


def test_codex_gets_no_hook_that_it_would_cut_short_and_the_person_is_told_to_trust_them(
    home: Path, connect: Call
) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text("")
    assert "/hooks" in connect("connect", "codex").output
    hooks = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 3
    assert "/hooks" not in connect("connect", "codex").output
    connect("disconnect", "codex")
    assert [one.name for one in (home / ".codex").iterdir()] == ["config.toml"]


def test_a_session_that_names_no_project_goes_into_none_of_the_projects_beside_it(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    shop, (name, said) = a_repository(tmp_path / "shop"), SAID["codex"]
    (home / name).parent.mkdir(parents=True)
    (home / name).write_text(said.replace("SHOP", str(shop)))
    nameless = (home / name).with_name("rollout-2026-03-05T11-00-00-x2.jsonl")
    nameless.write_text(said.replace('"cwd": "SHOP", ', "").replace("x1", "x2"))
    for _ in range(2):  # the hook's message names a project for the first of them only
        connect("connect", "codex")
        assert [len(projects(ports, tenant, store)) for store in ("shop", "codex")] == [1, 1]
        connect("hook", "codex", "--message", a_message(tmp_path, "codex", 1, shop, home / name), "--wait")


@pytest.mark.parametrize("tool", TOLD)
def test_the_hook_understands_what_each_tool_sends_and_answers_as_the_tool_reads_it(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call, tool: str
) -> None:
    shop = a_repository(tmp_path / "shop")
    transcript = home / SAID[tool][0]
    transcript.parent.mkdir(parents=True)
    transcript.write_text(SAID[tool][1].replace("SHOP", str(shop)))
    connect("hook", tool, "--message", a_message(tmp_path, tool, 1, shop, transcript), "--wait")
    assert len(projects(ports, tenant, "shop")) == 1
    again = json.loads(connect("connect", tool, "--json").stdout)["projects"]
    assert [(one["store"], one["events_added"]) for one in again] == [("shop", 0)]
    a_project(home, shop, {"web/cookies.md": COOKIES, "web/cookies-twin.md": COOKIES_TWIN}, "Hello.")
    connect("connect", "claude-code")
    dream_of_everything(ports, tenant, store="shop")
    answer = json.loads(connect("hook", tool, "--message", a_message(tmp_path, tool, 0, shop, None)).stdout)
    for key in TOLD[tool][2]:
        answer = answer[key]
    assert "Improved" in answer


def test_a_session_that_ends_without_a_transcript_is_told(tmp_path: Path, connect: Call) -> None:
    message = a_message(tmp_path, "cursor", 1, tmp_path, None)
    done = connect("hook", "cursor", "--message", message, "--wait", expect=1)
    assert "names none" in f"{done.output}{done.exception}"


def test_a_session_that_begins_is_told_once_what_a_dream_did(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call
) -> None:
    shop = a_repository(tmp_path / "shop")
    a_project(home, shop, {"web/cookies.md": COOKIES, "web/cookies-twin.md": COOKIES_TWIN}, "Hello.")
    connect("connect", "claude-code")
    message = tmp_path / "message.json"
    message.write_text(json.dumps({"hook_event_name": "SessionStart", "cwd": str(shop)}))
    assert connect("hook", "claude-code", "--message", str(message)).stdout == ""
    dream_of_everything(ports, tenant, store="shop")
    assert "Improved" in connect("hook", "claude-code", "--message", str(message)).stdout
    assert "Improved" not in connect("hook", "claude-code", "--message", str(message)).stdout


def test_an_approved_change_of_a_dream_is_in_the_projects_memory_folder_after_four_commands(
    ports: Ports, tenant: str, tmp_path: Path, home: Path, connect: Call, command_line: Call
) -> None:
    shop = a_repository(tmp_path / "shop")
    kept = a_project(home, shop, {"web/cookies.md": COOKIES, "web/cookies-twin.md": COOKIES_TWIN}, "Hello.")
    connect("connect", "claude-code")
    dream = dream_of_everything(ports, tenant, store="shop")
    merged = find_operation(ports, tenant, dream, OperationKind.MERGE)
    approve_operation(ports.db, ports.ids, tenant, merged, actor="ann")
    done = command_line("sync", str(kept / "memory"), "--tenant", tenant, "--store", "shop", "--delete")
    assert done.exit_code == 0, done.output
    cookies = (kept / "memory" / "web" / "cookies.md").read_text()
    assert cookies == live(ports, tenant)["shop"]["web/cookies.md"] != COOKIES
    assert not (kept / "memory" / "web" / "cookies-twin.md").exists()
