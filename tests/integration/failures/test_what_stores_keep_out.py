"""A store keeps out what its policy says, through every entry, and tells the writer which kinds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from gateway.cli.memories.files import read_into_store
from shared.adapters.files.layout import find_memory_root
from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, SkippedLine
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.database.columns import find_columns_holding
from tests.support.sdk import an_sdk
from workers.phases import CATALOG

CARD, KEY = "4111 1111 1111 1111", "ghp_" + "a1B2c3D4e5F6" * 3
SAID = f"Ann pays with {CARD}; mail iana@iana.org; the key is {KEY}."
MASKED = "Ann pays with [masked: card number]; mail [masked: e-mail address]; the key is [masked: GitHub token]."
KINDS = ["GitHub token", "card number", "e-mail address"]
NOTE = f"# Billing {CARD} {KEY}\n\n{SAID}\n"
SKILL = f"---\nname: pay\ndescription: Pays {CARD} {KEY}\n---\n# Pay\n\n{SAID}\n"


def told(ports: Ports, tenant: str, overrides: dict[str, object]) -> None:
    a_store(ports, tenant)
    changes = StoreChanges(overrides=overrides)
    configure_store(ports.db, tenant, DEFAULT_STORE, changes=changes, phases=CATALOG, actor="nadia")


def ask(ports: Ports, tenant: str, method: str, path: str, body: dict[str, Any]) -> Any:
    headers = bearer(a_token(ports, tenant, rate_per_minute=10_000))
    return a_client(an_app(ports)).request(method, f"/api/stores/default/{path}", json=body, headers=headers)


def by_memory(ports: Ports, tenant: str, _: Path) -> object:
    return ask(ports, tenant, "POST", "memories", {"path": "pay/ann.md", "content": NOTE}).json()["masked"]


def by_edit(ports: Ports, tenant: str, _: Path) -> object:
    made = ask(ports, tenant, "POST", "memories", {"path": "pay/ann.md", "content": "# Ann\n"}).json()
    return ask(ports, tenant, "PATCH", f"memories/{made['id']}", {"content": NOTE}).json()["masked"]


def by_daily_log(ports: Ports, tenant: str, _: Path) -> object:
    body = {"path": "logs/2026/03/2026-03-04.md", "content": f"# 2026-03-04\n\n- {SAID}\n"}
    return ask(ports, tenant, "POST", "memories", body).json()["masked"]


def by_skill(ports: Ports, tenant: str, _: Path) -> object:
    body = {"content": SKILL, "files": [{"path": "more.md", "content": NOTE}]}
    return ask(ports, tenant, "PUT", "skills/pay", body).json()["masked"]


def by_feedback(ports: Ports, tenant: str, _: Path) -> object:
    body = {"feedback": [{"kind": "correction", "text": SAID}]}
    return ask(ports, tenant, "POST", "feedback", body).json()["masked"]


def by_run(ports: Ports, tenant: str, _: Path) -> object:
    run = {"description": SAID, "outcome": "failure", "error": SAID, "steps": [SAID]}
    return ask(ports, tenant, "POST", "workflow-runs", {"runs": [run]}).json()["masked"]


def by_folder(ports: Ports, tenant: str, folder: Path) -> object:
    (folder / "ann.md").write_text(NOTE, "utf-8")
    return read_into_store(ports, find_memory_root(folder), tenant, DEFAULT_STORE, quiet=True)[0].masked_kinds


def by_transcript(ports: Ports, tenant: str, _: Path) -> object:
    said = FoundEvent(
        line=2, session="s", event_id="e", kind=EventKind.USER, role="user", text=SAID, details={"note": SAID}
    )
    named = SkippedLine(line=1, what="title", title=f"Pay {CARD} {KEY}", session="s", labels={"of": f"{CARD} {KEY}"})
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="plain")
    return KINDS * import_session_items(ports.db, target, [named, said]).masked


def by_session(ports: Ports, tenant: str, _: Path) -> object:
    begun = ask(ports, tenant, "POST", "sessions", {"external_id": "s-1", "labels": {"of": f"{CARD} {KEY}"}}).json()
    event = {"event_id": "1", "kind": "user", "text": SAID}
    body = {"events": [event], "current": False}
    return KINDS * ask(ports, tenant, "POST", f"sessions/{begun['id']}/events", body).json()["session"]["masked_count"]


def by_v1(ports: Ports, tenant: str, _: Path) -> object:
    app = a_client(an_app(ports))
    sdk = an_sdk(app, a_token(ports, tenant, rate_per_minute=10_000))
    with ports.db.transaction(tenant) as uow:
        store: Any = {
            "type": "memory_store",
            "memory_store_id": uow.stores.get(DEFAULT_STORE).id,
            "access": "read_write",
        }
    session = sdk.beta.sessions.create(agent="a", environment_id="e", title=f"Pay {CARD} {KEY}", resources=[store])
    said: Any = {"type": "user.message", "content": [{"type": "text", "text": SAID}]}
    sdk.beta.sessions.events.send(session.id, events=[said])
    return KINDS * (CARD not in str(list(sdk.beta.sessions.events.list(session.id))))


def by_mcp_memory(ports: Ports, tenant: str, _: Path) -> object:
    headers = bearer(a_token(ports, tenant, rate_per_minute=10_000))
    return call(a_server(ports), headers, "write_memory", path="pay/ann.md", content=NOTE)["masked"]


def by_mcp_correction(ports: Ports, tenant: str, _: Path) -> object:
    headers = bearer(a_token(ports, tenant, rate_per_minute=10_000))
    return call(a_server(ports), headers, "note_correction", text=SAID)["masked"]


ENTRIES = [
    by_memory, by_edit, by_daily_log, by_skill, by_feedback, by_run, by_folder, by_transcript, by_session, by_v1, by_mcp_memory,
    by_mcp_correction,
]  # fmt: skip
Entry = Callable[[Ports, str, Path], object]


def dream_with_webhook(ports: Ports, tenant: str) -> None:
    """Let a dream read what came in, index it and tell an endpoint."""
    endpoint = NewEndpoint(url="https://hooks.example.com/a", events=("dream.finished",))
    create_endpoint(ports, tenant, endpoint, actor="nadia")
    run_dream(ports, tenant)


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_entry_lets_in_what_a_store_masks_and_each_names_the_kinds(
    ports: Ports,
    tenant: str,
    tmp_path: Path,
    entry: Entry,
    owner_connection: psycopg.Connection,
    capfd: pytest.CaptureFixture[str],
) -> None:
    told(ports, tenant, {"personal_data.action": "mask"})
    named = entry(ports, tenant, tmp_path)
    assert isinstance(named, list | tuple)
    assert set(named) == set(KINDS)
    dream_with_webhook(ports, tenant)
    for secret in (CARD, CARD[:9], "iana@", KEY, KEY[:12]):
        assert find_columns_holding(owner_connection, tenant, secret) == []
    printed = capfd.readouterr()
    assert CARD not in printed.out + printed.err
    assert KEY not in printed.out + printed.err


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_store_may_keep_secrets_but_no_title_label_index_or_log_shows_one(
    ports: Ports,
    tenant: str,
    tmp_path: Path,
    entry: Entry,
    owner_connection: psycopg.Connection,
    capfd: pytest.CaptureFixture[str],
) -> None:
    told(ports, tenant, {"secrets.action": "allow"})
    entry(ports, tenant, tmp_path)
    dream_with_webhook(ports, tenant)
    held = set(find_columns_holding(owner_connection, tenant, KEY))
    assert held
    assert not {one for one in held if one.rsplit(".")[-1] in {"title", "path", "labels", "name", "detail", "payload"}}
    pages = take_picture(ports, tenant).memories.values()
    assert all(KEY not in line for one in pages for line in one.content.splitlines() if line.startswith("#"))
    assert all(KEY not in one.content for one in pages if one.path.endswith("MEMORY.md"))
    printed = capfd.readouterr()
    assert KEY not in printed.out + printed.err


def test_a_store_that_says_nothing_takes_personal_data_as_it_is(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    content = f"# Ann\n\nAnn pays with {CARD}.\n"
    made = ask(ports, tenant, "POST", "memories", {"path": "ann.md", "content": content}).json()
    assert (made["content"], made["masked"]) == (content, [])


def test_a_store_keeps_out_only_the_kinds_that_it_names(ports: Ports, tenant: str) -> None:
    told(ports, tenant, {"personal_data.action": "mask", "personal_data.kinds": "card number,IBAN"})
    body = {"path": "ann.md", "content": f"# Ann\n\n{SAID}\n"}
    made = ask(ports, tenant, "POST", "memories", body).json()
    assert made["masked"] == ["GitHub token", "card number"]
    assert "iana@iana.org" in made["content"]
    with pytest.raises(BadInputError, match="no kind of personal data 'cards'"):
        told(ports, tenant, {"personal_data.kinds": "cards"})


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "memories", {"path": "ann.md", "content": f"# Ann\n\n{CARD}\n"}),
        ("PUT", "skills/pay", {"content": f"---\nname: pay\ndescription: Pays\n---\n{CARD}\n"}),
        ("POST", "feedback", {"feedback": [{"kind": "correction", "text": f"Ann has {CARD}."}]}),
        ("POST", "workflow-runs", {"runs": [{"description": f"Charge {CARD}", "outcome": "failure"}]}),
    ],
)
def test_a_store_that_refuses_personal_data_says_what_it_found_and_repeats_nothing(
    ports: Ports, tenant: str, method: str, path: str, body: dict[str, Any]
) -> None:
    told(ports, tenant, {"personal_data.action": "refuse"})
    answer = ask(ports, tenant, method, path, body)
    assert answer.status_code == 422, answer.text
    assert "card number" in answer.text
    assert "personal_data.action" in answer.text
    assert CARD not in answer.text


def test_a_path_with_personal_data_is_refused(ports: Ports, tenant: str) -> None:
    told(ports, tenant, {"personal_data.action": "mask"})
    answer = ask(ports, tenant, "POST", "memories", {"path": "mail/iana@iana.org/a.md", "content": "# A\n"})
    assert answer.status_code == 422
    assert "something like personal data" in answer.text
    assert "iana@" not in answer.text


def test_a_dream_writes_nothing_that_its_store_keeps_out(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": f"# Ann\n\nAnn pays with {CARD}.\n"})  # before the store kept it out
    told(ports, tenant, {"personal_data.action": "mask"})
    dream = run_dream(ports, tenant)
    index = [one for one in take_picture(ports, tenant).memories.values() if one.path == "MEMORY.md"]
    assert all(CARD not in one.content for one in index)
    assert CARD not in str([one.operation for one in get_operations(ports, tenant, dream.id)])
