"""Every change on the command line has an entry in the audit log: every command is walked, so that none can forget."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from typer.core import TyperGroup
from typer.testing import CliRunner

from gateway.cli.app import app
from gateway.cli.console import session as cli_session
from gateway.cli.operate import workers
from shared.adapters.redis.worker_pulse import SeenWorker, WorkerFacts
from shared.adapters.webhooks.http_sender import HttpWebhookSender
from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.core.dream.model import DreamState
from shared.core.tenants.audit import AuditEntry
from shared.core.webhooks.endpoint import DeliveryState
from shared.ports.tenants import AuditFilter
from shared.services.evaluation.own_probes import set_own_probes
from shared.services.tenants.audit import find_audit_of_all
from shared.services.tenants.configure import TenantChanges, configure_tenant
from shared.settings import Settings
from tests.integration.api.api_support import a_token, id_of
from tests.integration.tenancy.audit_support import CANARY, Scene, disabled_endpoint
from tests.support.builders import a_store, write
from tests.support.command_tree import load_command_tree
from tests.support.evaluation.reports import store_evaluation

#: What changes nothing that belongs to a tenant or to all of them: it reads, or starts programs that tell by themselves.
QUIET = frozenset(
    {
        "demo", "up", "serve", "mcp", "export", "status", "doctor", "probe", "migrate", "backup", "metrics", "serve-metrics", "log", "cost", "prices", "config show",
        "dreams list", "dreams show", "dreams diff", "review pending", "review show", "review decided", "memory list", "memory show", "memory search", "memory ask",
        "memory why", "memory known-of", "memory links", "memory dead-links", "memory dream", "memory dream-get", "workers list", "sessions list", "sessions show", "sessions search", "feedback list",
        "workflows list", "skills export", "skills list", "skills show", "directives list", "directives show", "probes show",
        "retention show", "tenants list", "tenants show", "stores list", "stores show", "stores arms", "insight", "keys list", "webhooks list",
        "webhooks deliveries", "audit list", "models list", "models history", "evaluations list", "evaluations show",
        "webhooks listen",  # until Ctrl-C; what it makes and takes is audited as over the API
        "restore",  # into an empty database only; tests/e2e/drills/test_drill_backup.py sees its entry
    }
)  # fmt: skip
Recipe = Callable[[Scene, Path], list[str]]
#: Every other command with what makes it change something. A command that is in neither fails the first test.
CHANGING: dict[str, Recipe] = {
    "import": lambda s, d: [_a_file(d, "notes/a.md", "# A\n"), "--tenant", s.all.tenant, "--store", s.store()],
    "sync": lambda s, d: [str(Path(_a_file(d, "synced/a.md", "# A\n")).parent), "--tenant", s.all.tenant, "--store", s.store()],
    "connect": lambda s, d: [_a_tool(d / "new"), "--home", str(d / "new"), "--tenant", s.all.tenant],
    "disconnect": lambda s, d: [_a_connected_tool(s, d / "known"), "--home", str(d / "known")],
    "hook": lambda s, d: [
        "claude-code", "--home", str(d), "--tenant", s.all.tenant, "--wait", "--message", _an_ended_session(d),
    ],
    "dream": lambda s, _: [s.all.tenant, "--store", s.store(), "--force", "--detach"],
    "evaluate": lambda s, _: [s.all.tenant, "--store", s.store(), "--detach"],
    "evaluations cancel": lambda s, _: [s.all.tenant, store_evaluation(s.ports, s.all.tenant, s.store()).id],
    "pause": lambda s, _: [s.all.tenant, "--store", s.store()],
    "resume": lambda s, _: [s.all.tenant, "--store", s.store()],
    "defer": lambda s, _: ["0", "--tenant", s.all.tenant],  # any other share may defer the dreams of later commands
    "reconcile": lambda _s, _d: ["--republish"],
    "dreams cancel": lambda s, _: [s.all.tenant, s.dream()],
    "dreams redrive": lambda s, _: [s.all.tenant, _failed_dream(s)],
    "review approve": lambda s, _: [s.all.tenant, s.pending()],
    "review reject": lambda s, _: [s.all.tenant, s.pending()],
    "review assign": lambda s, _: [s.all.tenant, s.pending(), "me"],
    "review comment": lambda s, _: [s.all.tenant, s.pending(), "Ask Mara."],
    "review reopen": lambda s, _: [s.all.tenant, s.rejected()],
    "memory edit": lambda s, d: [s.all.tenant, _a_memory(s, "edit.md"), "--file", _a_file(d, "e.md", f"{CANARY} twice.")],
    "memory pin": lambda s, _: [s.all.tenant, _a_memory(s, "pin.md")],
    "memory redact": lambda s, _: [s.all.tenant, _a_memory(s, "redact.md", versions=2), "1", "--yes"],
    "memory forget": lambda s, _: [s.all.tenant, "--memory", _a_memory(s, "forget.md"), "--yes"],
    "memory dream-trigger": lambda s, _: ["--tenant", s.all.tenant, "--data", f'{{"agentId": "{_written_store(s)}"}}'],
    "workers drain": lambda _s, _d: ["--all"],
    "sessions import": lambda s, d: [
        _a_file(d, "chat.jsonl", '{"role": "user", "content": "No, one hour."}\n'),
        "--tenant", s.all.tenant,
    ],
    "sessions delete": lambda s, _: [s.session(), "--tenant", s.all.tenant, "--store", "chats", "--yes"],
    "feedback add": lambda s, _: ["--tenant", s.all.tenant, "--kind", "correction", CANARY],
    "workflows record": lambda s, _: ["--tenant", s.all.tenant, "--outcome", "success", CANARY],
    "workflows import": lambda s, d: [
        _a_file(d, "runs.jsonl", '{"description": "Deploy", "outcome": "success", "id": "r1"}\n'), "--tenant", s.all.tenant,
    ],
    "activity begin": lambda s, _: ["--tenant", s.all.tenant, "--store", s.store()],
    "activity end": lambda s, _: ["--tenant", s.all.tenant, "--store", _busy_store(s)],
    "skills import": lambda s, d: [
        str(Path(_a_file(d, "skills/mail/SKILL.md", "Sort the mail.")).parent.parent), "--tenant", s.all.tenant,
    ],
    "skills record-use": lambda s, _: [s.all.skill, "--tenant", s.all.tenant, "--session", "chat-1"],
    "directives set": lambda s, d: [s.all.tenant, "dream.md", _a_file(d, "dream.md", f"{CANARY} twice.")],
    "directives reset": lambda s, _: [s.all.tenant, "dream.md"],
    "probes set": lambda s, d: [s.all.tenant, _a_file(d, "q.jsonl", f'{{"question": "{CANARY}", "evidence": "a"}}')],
    "probes clear": lambda s, _: [_asked_store(s)],
    "retention set": lambda s, _: [s.all.tenant, "--days", "versions=91"],
    "retention run": lambda s, _: [s.all.tenant],
    "tenants create": lambda _s, _d: [f"t{uuid4().hex}"],
    "stores create": lambda s, _: [f"{s.all.tenant}/another"],
    "tenants set": lambda s, _: [s.all.tenant, "--tokens-per-day", "7000"],
    "tenants delete": lambda s, _: [_a_tenant(s), "--yes"],
    "stores delete": lambda s, _: [f"{s.all.tenant}/{s.store()}", "--yes"],
    "stores set": lambda s, _: [f"{s.all.tenant}/default", "--set", "gates.min_hours=5"],
    "models set": lambda s, _: [_a_tenant_with_a_model(s), "a-model", "passed", "--why", CANARY],
    "models exam": lambda s, _: [_a_tenant_with_a_model(s), "--yes"],
    "keys create": lambda s, _: [s.all.tenant, "--role", "agent"],
    "keys rotate": lambda s, _: [s.all.tenant, id_of(a_token(s.ports, s.all.tenant))],
    "keys revoke": lambda s, _: [s.all.tenant, id_of(a_token(s.ports, s.all.tenant))],
    "webhooks create": lambda s, _: [s.all.tenant, "https://example.com/hooks"],
    "webhooks rotate": lambda s, _: [s.all.tenant, s.all.endpoint_id],
    "webhooks test": lambda s, _: [s.all.tenant, s.all.endpoint_id],
    "webhooks replay": lambda s, _: [s.all.tenant, _failed_delivery(s)],
    "webhooks enable": lambda s, _: [s.all.tenant, disabled_endpoint(s)],
    "webhooks delete": lambda s, _: [s.all.tenant, s.all.endpoint_id],
}  # fmt: skip


@pytest.fixture
def scene(fresh_ports: Ports, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """One tenant with one of everything, whom the command line finds, too; nothing is really sent or drained."""
    for name, value in environment_of(fresh_settings).items():
        monkeypatch.setenv(name, value)
    nowhere = HttpWebhookSender(fresh_settings.webhooks, lambda *_: [])  # asks no resolver of this machine
    kept = replace(fresh_ports, close=lambda: None, webhooks=nowhere)
    monkeypatch.setattr(cli_session, "make_ports", lambda *_, **__: kept)
    seen = SeenWorker(name="w1", seconds_ago=1, facts=WorkerFacts(pid=1, pool="threads", concurrency=1))
    monkeypatch.setattr(workers, "find_workers", lambda _: [seen])
    monkeypatch.setattr(workers, "_ask", lambda *_: {"w1": 5.0})
    return Scene(fresh_ports)


def test_no_command_is_without_a_line_in_the_table() -> None:
    assert set(_names(load_command_tree())) == QUIET | set(CHANGING)
    assert not QUIET & set(CHANGING)


def test_every_command_that_changes_something_leaves_an_entry_and_none_a_text(scene: Scene, tmp_path: Path) -> None:
    wrong = [said for name, recipe in CHANGING.items() if (said := _walk(scene, name, recipe(scene, tmp_path)))]
    assert wrong == []
    assert [one for one in _entries(scene) if CANARY in str(one.detail)] == []


def test_a_dream_that_is_undone_on_the_command_line_leaves_an_entry(scene: Scene) -> None:
    assert _walk(scene, "dream", [scene.all.tenant, scene.all.dream_id, "--undo", "--force"]) is None


def test_models_that_are_asked_past_questions_leave_an_entry(scene: Scene) -> None:
    assert _walk(scene, "evaluate", [scene.all.tenant, "--replay", "--model", "offline"]) is None


@pytest.mark.parametrize(
    ("arguments", "action"),
    [(["pause", "--all"], "installation.pause"), (["defer", "0"], "installation.defer")],
    ids=["pause", "defer"],
)
def test_a_switch_for_all_tenants_leaves_an_entry(scene: Scene, arguments: list[str], action: str) -> None:
    assert _walk(scene, "", arguments) is None
    assert _entries(scene)[0].action == action


def test_a_drained_worker_and_a_reconciling_are_told_with_their_numbers(scene: Scene) -> None:
    scene.dream()
    for arguments in (["workers", "drain", "w1"], ["reconcile", "--republish"]):
        assert _walk(scene, "", arguments) is None
    reconciled, drained = _entries(scene)[:2]
    assert (drained.action, drained.detail) == ("installation.workers.drain", {"workers": ["w1"]})
    assert reconciled.action == "installation.reconcile"
    assert reconciled.detail["found"] == reconciled.detail["sent"] != 0


def _walk(scene: Scene, name: str, arguments: list[str]) -> str | None:
    """Take one command; what is wrong with it."""
    before = len(_entries(scene))
    done = CliRunner().invoke(app, [*name.split(), *arguments])
    # A test message that does not arrive is exit code 1: it was sent anyway.
    if done.exit_code not in ({0, 1} if name == "webhooks test" else {0}):
        return f"{name}: exit code {done.exit_code} {done.output} {done.exception!r}"
    return None if len(_entries(scene)) > before else f"{name} left no entry"


def _entries(scene: Scene) -> list[AuditEntry]:
    found = find_audit_of_all(scene.ports.db, AuditFilter(), limit=10_000)
    return [one for one in found if one.actor.startswith("cli:")]


def _names(command: object, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(command, TyperGroup):
        for name, part in command.commands.items():
            yield from _names(part, (*path, name))
    else:
        yield " ".join(path)


def _a_memory(scene: Scene, path: str, versions: int = 1) -> str:
    for number in range(versions):
        write(scene.ports, scene.all.tenant, {path: f"{CANARY} {number}"})
    return path


def _a_file(folder: Path, name: str, text: str) -> str:
    path = folder / uuid4().hex / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return str(path.parent if name.startswith("notes/") else path)


def _a_tool(home: Path) -> str:
    (home / ".cursor").mkdir(parents=True)
    (home / ".cursor" / "mcp.json").write_text("{}")
    return "cursor"


def _a_connected_tool(scene: Scene, home: Path) -> str:
    connected = CliRunner().invoke(app, ["connect", _a_tool(home), "--home", str(home), "--tenant", scene.all.tenant])
    assert connected.exit_code == 0, connected.output
    return "cursor"


def _an_ended_session(folder: Path) -> str:
    said = _a_file(folder, "ended.jsonl", '{"role": "user", "content": "No, two hours."}\n')
    told = {"hook_event_name": "SessionEnd", "cwd": str(folder), "transcript_path": said}
    return _a_file(folder, "message.json", json.dumps(told))


def _a_tenant(scene: Scene) -> str:
    name = f"t{uuid4().hex}"
    a_store(scene.ports, name)
    return name


def _a_tenant_with_a_model(scene: Scene) -> str:
    name = _a_tenant(scene)
    model = TenantChanges(llm={"adapter": "anthropic", "model": "a-model"})
    configure_tenant(scene.ports.db, name, changes=model, actor="a test")
    return name


def _busy_store(scene: Scene) -> str:
    name = scene.store()
    done = CliRunner().invoke(app, ["activity", "begin", "--tenant", scene.all.tenant, "--store", name])
    assert done.exit_code == 0, done.output
    return name


def _asked_store(scene: Scene) -> str:
    name = scene.store()
    row = {"question": "Which port?", "evidence": "port 8080"}
    set_own_probes(scene.ports.db, scene.all.tenant, name, [row], actor="a test")
    return f"{scene.all.tenant}/{name}"


def _written_store(scene: Scene) -> str:
    name = scene.store()
    a_store(scene.ports, scene.all.tenant, name, overrides={"gates.min_curations": 1})
    write(scene.ports, scene.all.tenant, {"a.md": f"{CANARY}\n"}, store=name)
    return name


def _failed_dream(scene: Scene) -> str:
    dream_id, tenant = scene.dream(), scene.all.tenant
    with scene.ports.db.transaction(tenant) as uow:
        uow.dreams.claim(dream_id, budget_seconds=300, lease_seconds=60, model="offline")
        uow.dreams.finish(dream_id, DreamState.ERROR, reason="It broke", has_failed=True)
    return dream_id


def _failed_delivery(scene: Scene) -> str:
    with scene.ports.db.transaction(scene.all.tenant) as uow:
        uow.deliveries.drop(scene.all.endpoint_id, "It was given up")
        assert uow.deliveries.get(scene.all.delivery_id).state is DeliveryState.FAILED
    return scene.all.delivery_id
