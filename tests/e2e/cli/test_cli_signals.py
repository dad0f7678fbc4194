"""`slowwave feedback`, `workflows`, `activity` and `audit` in a terminal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from gateway.cli.console.exit_codes import exit_code_of
from gateway.cli.console.options import cli_actor
from gateway.cli.console.session import check_known
from gateway.cli.sessions import activity, feedback, workflows
from gateway.cli.tenants import audit
from shared.all_ports import Ports
from shared.core.errors import SlowwaveError
from shared.core.memory.model import Author
from shared.services.memories.write import write_memories
from shared.settings import Settings
from tests.support.builders import a_store, texts


@pytest.fixture(autouse=True)
def _joined(monkeypatch: pytest.MonkeyPatch, ports: Ports, settings: Settings, tenant: str) -> None:
    """Commands join this test's servers instead of starting their own; the tenant is there."""
    a_store(ports, tenant)

    @contextmanager
    def open_here(*, tenant: str | None = None, store: str | None = None) -> Iterator[SimpleNamespace]:
        if tenant is not None:
            check_known(ports.db, tenant, store)
        yield SimpleNamespace(ports=ports, settings=settings)

    for module in (feedback, workflows, activity, audit):
        monkeypatch.setattr(module, "open_session", open_here)


def call(*args: str) -> str:
    modules = {"feedback": feedback, "workflows": workflows, "activity": activity, "audit": audit}
    app = modules[args[0]].app
    done = CliRunner().invoke(app, list(args[1:]))
    if isinstance(done.exception, SlowwaveError):
        return f"{exit_code_of(done.exception)}: {done.exception}"
    assert done.exit_code in {0, 2}, done.output
    return done.output


def test_feedback_is_recorded_once_by_its_id_and_listed(tenant: str) -> None:
    first = call("feedback", "add", "Not on Fridays", "-t", tenant, "--about", "deploy", "--id", "f1", "--json")
    again = call("feedback", "add", "Not on Fridays", "-t", tenant, "--about", "deploy", "--id", "f1", "--json")
    assert (json.loads(first), json.loads(again)) == (
        {"added": 1, "known": 0, "masked": []},
        {"added": 0, "known": 1, "masked": []},
    )
    listed = json.loads(call("feedback", "list", "-t", tenant, "--json"))
    assert (listed[0]["kind"], listed[0]["subject"]) == ("correction", "deploy")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--kind", "session_summary"), "needs a rating"),
        (("--rating", "awful"), "--rating takes poor, fair or good"),
        (("--at", "yesterdayish"), "--at takes an ISO 8601 time"),
    ],
)
def test_feedback_that_makes_no_sense_is_refused_with_the_reason(
    args: tuple[str, ...], words: str, tenant: str
) -> None:
    assert words in call("feedback", "add", "text", "-t", tenant, *args)


def test_runs_are_imported_once_and_bad_lines_are_named(tenant: str, tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "w1", "description": "Deploy", "outcome": "failed", "steps": ["a", {"tool": "push"}, 7]}),
        json.dumps({"id": "w2", "description": "Deploy\u0000 " + "x" * 1_000_000, "outcome": "ok", "skills": "none"}),
        "[" * 100_000,
        '{"description": "no outcome"}',
        '{"outcome": "ok"}',
        "[1]",
        "",
    ]
    file = tmp_path / "runs.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    found = json.loads(call("workflows", "import", str(file), "-t", tenant, "--json"))
    assert (found["added"], found["known"], found["malformed"]) == (2, 0, 4)
    assert [bad["line"] for bad in found["lines"]] == [3, 4, 5, 6]
    again = json.loads(call("workflows", "import", str(file), "-t", tenant, "--json"))
    assert (again["added"], again["known"]) == (0, 2)
    listed = json.loads(call("workflows", "list", "-t", tenant, "--json"))
    assert next(run["steps"] for run in listed if run["external_id"] == "w1") == ["a", "push", "7"]


def test_an_empty_list_says_what_to_do_next(tenant: str) -> None:
    call("workflows", "record", "Deploy", "-t", tenant, "-o", "success")
    assert "has no feedback" in call("feedback", "list", "-t", tenant)


def test_a_turn_that_ends_begins_the_idle_window(ports: Ports, tenant: str) -> None:
    call("feedback", "add", "x y z", "-t", tenant)
    begun = json.loads(call("activity", "begin", "-t", tenant, "--for", "60", "--json"))
    assert begun["active_until"] is not None
    assert "is idle" in call("activity", "end", "-t", tenant)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
    assert (store.active_until, store.last_activity_at is not None) == (None, True)


def test_the_audit_log_names_the_account_and_what_it_did_and_no_text(tenant: str) -> None:
    call("feedback", "add", "No, on Tuesdays", "--tenant", tenant)
    entries = json.loads(call("audit", "list", tenant, "--json"))
    assert [(one["action"], one["actor"]) for one in entries] == [
        ("feedback.record", cli_actor()),
    ]
    shown = call("audit", "list", tenant, "--action", "feedback.")
    assert "feedback.record" in shown
    assert "Tuesdays" not in shown
    assert tenant in call("audit", "list", "--all")
    assert call("audit", "list", tenant, "--actor", "unknown") == "No change matches.\n"
    assert call("audit", "list").startswith("2: Name a tenant")


def test_an_import_of_many_memories_is_one_readable_line_and_whole_as_json(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    notes = texts({f"a/{number}.md": f"Note {number}\n" for number in range(40)})
    write_memories(ports.db, ports.ids, tenant, "default", notes, Author.IMPORT, actor="cli:ann")
    (entry,) = json.loads(call("audit", "list", tenant, "--action", "memory.write", "--json"))
    assert len(entry["detail"]["create"]) == 40
    shown = call("audit", "list", tenant, "--action", "memory.write")
    assert "and 37 more" in shown
    assert entry["detail"]["create"][-1] not in shown
