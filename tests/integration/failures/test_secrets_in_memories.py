"""No door stores a secret in a memory, and the writer is told what was masked."""

from collections.abc import Callable
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cli.memories.files import read_into_store
from gateway.cli.operate.stored_secrets import find_stored
from shared.adapters.files.layout import find_memory_root
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.secrets.mask import SecretMask, find_secrets
from shared.all_ports import Ports
from shared.core.memory.model import Author, Memory
from shared.core.policy.masked import name_masked
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, SkippedLine
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.memories import MemoryWrite
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.operations.undo import undo_dream
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.sessions.live import find_sessions
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import LONG_AGO, a_memory, a_store, get_operations, run_dream, take_picture, texts, write
from workers.phases import CATALOG
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

AWS, GITHUB, ANTHROPIC = "AKIA" + "QW3RTY7UIOPASDFG", "ghp_" + "a1B2c3D4e5F6" * 3, "sk-ant-" + "api03-" + "Zx9" * 20
SECRETS = pytest.mark.parametrize("secret", [AWS, GITHUB, ANTHROPIC])
PATH = "ops/keys.md"
#: What notes are full of and what no pattern may take for a secret.
ORDINARY = [
    "Fixed in 4be1c0d9f3a27b6c5d8e9f0a1b2c3d4e5f607182.",
    "Id 123e4567-e89b-42d3-a456-426614174000, run drm_01M8F9G3ZKAAPKD6MY7QN02XDF.",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
    "Set AWS_ACCESS_KEY_ID and ANTHROPIC_API_KEY=sk-ant-... in the environment; tokens begin with ghp_.",
    "Connect to postgres://localhost:5432/app, or mail ops@example.net; see https://example.net/a?b=c#d.",
    "password: ask Nadia",
]


def a_note(secret: str) -> str:
    return f"---\ntitle: Key {secret}\n---\n# Keys\n\nThe deploy uses {secret} on the server.\n"


def api(ports: Ports, tenant: str) -> Callable[..., Any]:
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant))

    def call(method: str, path: str, body: dict[str, Any]) -> Any:
        answer = client.request(method, path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer.json()

    return call


def by_post(ports: Ports, tenant: str, secret: str, _: Path) -> list[str]:
    made = api(ports, tenant)("POST", "/api/stores/mine/memories", {"path": PATH, "content": a_note(secret)})
    told: list[str] = made["masked"]
    return told


def by_patch(ports: Ports, tenant: str, secret: str, _: Path) -> list[str]:
    call = api(ports, tenant)
    made = call("POST", "/api/stores/mine/memories", {"path": PATH, "content": "# Keys\n"})
    told: list[str] = call("PATCH", f"/api/stores/mine/memories/{made['id']}", {"content": a_note(secret)})["masked"]
    return told


def by_import(ports: Ports, tenant: str, secret: str, folder: Path) -> list[str]:
    (folder / "ops").mkdir()
    (folder / PATH).write_text(a_note(secret), "utf-8")
    counts, _, _ = read_into_store(ports, find_memory_root(folder), tenant, DEFAULT_STORE, quiet=True)
    again, _, _ = read_into_store(ports, find_memory_root(folder), tenant, DEFAULT_STORE, quiet=True)
    assert (again.created, again.updated, again.unchanged) == (0, 0, 1), "importing it again changes nothing"
    return ["told"] * counts.masked


def by_skill(ports: Ports, tenant: str, secret: str, _: Path) -> list[str]:
    body = {"content": f"---\nname: deploy\ndescription: Deploys\n---\nUse {secret}.\n"}
    api(ports, tenant)("PUT", "/api/stores/mine/skills/deploy", body)
    return ["told"]


def by_dream(ports: Ports, tenant: str, secret: str, _: Path) -> list[str]:
    write(ports, tenant, {PATH: "# Keys\n\nThey rotate.\n", "ops/b.md": "# Keys\n\nThey rotate.\n\nAsk Nadia.\n"})
    merge = ConsolidateAction(
        type="MERGE", files=(PATH, "ops/b.md"), output_file=PATH, confidence=1.0,
        merged_content=f"# Keys\n\nThey rotate.\n\nAsk Nadia. The key is {secret}.\n",
    )  # fmt: skip
    dream = run_dream(ports, tenant, ScriptedLlm({"consolidate": ConsolidateAnswer(actions=(merge,))}))
    recorded = str([(one.operation, one.effects) for one in get_operations(ports, tenant, dream.id)])
    assert secret not in recorded, "a proposal does not hold it either"
    return ["told"]


def all_texts(ports: Ports, tenant: str) -> str:
    found: list[Memory] = []
    for store in ("mine", DEFAULT_STORE):
        a_store(ports, tenant, store)
        found += take_picture(ports, tenant, store).memories.values()
    return "\n".join(f"{one.path}\n{one.content}\n{one.stub}" for one in found)


@SECRETS
@pytest.mark.parametrize("door", [by_post, by_patch, by_import, by_skill, by_dream])
def test_no_door_stores_a_secret(
    ports: Ports, tenant: str, tmp_path: Path, secret: str, door: Callable[[Ports, str, str, Path], list[str]]
) -> None:
    told = door(ports, tenant, secret, tmp_path)
    assert told, "the writer is told"
    assert secret not in all_texts(ports, tenant)


def test_a_path_with_a_secret_is_refused_and_not_repeated(ports: Ports, tenant: str) -> None:
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    body = {"path": f"ops/{GITHUB}.md", "content": "# Keys\n"}
    answer = client.post("/api/stores/mine/memories", json=body, headers=headers)
    assert answer.status_code == 422
    assert "something like a secret" in answer.text
    assert GITHUB not in answer.text


def test_an_undo_does_not_bring_an_old_secret_back(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    old = {PATH: f"# Keys\n\nThe key is {AWS} here.\n", "ops/b.md": "# Keys\n\nAsk Nadia.\n"}
    with ports.db.transaction(tenant) as uow:  # as a version before the mask wrote it
        memories = [a_memory(path, text) for path, text in old.items()]
        uow.memories(store.id).write([MemoryWrite(memory=one, change="create") for one in memories])
    write(ports, tenant, texts({"ops/c.md": "# C\n\nA note.\n"}, at=LONG_AGO + timedelta(days=1)))
    merge = ConsolidateAction(
        type="MERGE", files=(PATH, "ops/b.md"), output_file="ops/b.md", confidence=1.0,
        merged_content=f"# Keys\n\nThe key is {AWS} here.\n\nAsk Nadia.\n",
    )  # fmt: skip
    dream = run_dream(ports, tenant, ScriptedLlm({"consolidate": ConsolidateAnswer(actions=(merge,))}))
    undo_dream(ports.db, tenant, dream.id, actor="nadia")
    assert [o.state for o in get_operations(ports, tenant, dream.id) if o.operation.kind == "MERGE"] == ["undone"]
    live = {one.path: one.content for one in take_picture(ports, tenant).memories.values() if one.state == "live"}
    assert live[PATH] == "# Keys\n\nThe key is [masked: AWS Access Key] here.\n"


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_notes_are_stored_byte_for_byte(ports: Ports, tenant: str, line: str) -> None:
    content = f"\ufeff# Note\r\n\r\n{line}\r\n"
    made = api(ports, tenant)("POST", "/api/stores/mine/memories", {"path": PATH, "content": content})
    assert (made["content"], made["masked"]) == (content, [])


@given(st.lists(st.sampled_from([AWS, GITHUB, ANTHROPIC, "[masked: AWS Access Key]", " ", "\n", "x", "://u:p@h"])))
def test_what_is_masked_once_stays_as_it_is(parts: list[str]) -> None:
    mask = SecretMask()
    once = mask(" ".join(parts))
    assert mask(once) == once


def test_a_mark_that_the_text_had_already_is_not_told_again() -> None:
    assert name_masked("[masked: X] a", "[masked: X] [masked: Y]") == ["Y"]
    assert name_masked("plain", "plain") == []


def refusing(ports: Ports, tenant: str) -> str:
    a_store(ports, tenant, "mine")
    changes = StoreChanges(overrides={"secrets.action": "refuse"})
    configure_store(ports.db, tenant, "mine", changes=changes, phases=CATALOG, actor="nadia")
    return "mine"


def test_a_store_that_refuses_secrets_takes_no_memory_with_one(ports: Ports, tenant: str) -> None:
    refusing(ports, tenant)
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    made = client.post("/api/stores/mine/memories", json={"path": PATH, "content": "# Keys\n"}, headers=headers).json()
    calls = [
        ("POST", "/api/stores/mine/memories", {"path": "ops/b.md", "content": a_note(GITHUB)}),
        ("PATCH", f"/api/stores/mine/memories/{made['id']}", {"content": a_note(GITHUB)}),
        ("POST", "/api/stores/mine/feedback", {"feedback": [{"kind": "correction", "text": f"The key is {GITHUB}"}]}),
    ]
    for method, path, body in calls:
        answer = client.request(method, path, json=body, headers=headers)
        assert answer.status_code == 422, answer.text
        assert "GitHub token" in answer.text
        assert "secrets.action" in answer.text
        assert GITHUB not in answer.text
    assert GITHUB not in all_texts(ports, tenant)


def test_an_older_secret_does_not_keep_a_memory_from_being_pinned(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant, "mine")
    old = a_memory(PATH, f"# Keys\n\nThe key is {AWS} here.\n")
    with ports.db.transaction(tenant) as uow:  # as a version before the mask wrote it
        uow.memories(store.id).write([MemoryWrite(memory=old, change="create")])
    refusing(ports, tenant)
    pinned = api(ports, tenant)("PATCH", f"/api/stores/mine/memories/{old.id}", {"pinned": True})
    assert pinned["pinned"]
    assert AWS not in pinned["content"]


def test_a_title_of_a_session_holds_no_secret(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="plain")
    said = FoundEvent(line=2, session="s", event_id="e", kind=EventKind.USER, role="user", text="Use the key.")
    named = SkippedLine(line=1, what="title", title=f"Deploy with {GITHUB}", session="s")
    import_session_items(ports.db, target, [named, said])
    (session,) = find_sessions(ports.db, tenant, DEFAULT_STORE, 10)
    assert session.title == "Deploy with [masked: GitHub token]"


def test_a_password_is_masked_where_another_event_of_the_batch_repeats_it_bare(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="plain")
    texts = ["Logged in with Tr0ub4dor&3.", "The password is Tr0ub4dor&3, the port 5432.", "See Tr0ub4dor&33 at 5432."]
    said = [
        FoundEvent(line=n, session="s", event_id=f"e{n}", kind=EventKind.USER, role="user", text=text, details=details)
        for n, (text, details) in enumerate(zip(texts, (None, None, {"sent": texts[0], "n": 1}), strict=True))
    ]
    counts = import_session_items(ports.db, target, said)
    (session,) = find_sessions(ports.db, tenant, DEFAULT_STORE, 10)
    with ports.db.transaction(tenant, read_only=True) as uow:
        kept = uow.gathering(store.id).find_events([(session.id, f"e{n}") for n in range(3)])
    assert [one.text for one in sorted(kept, key=lambda one: one.position)] == [
        "Logged in with [masked: password].",
        "The password is [masked: password], the port 5432.",
        "See Tr0ub4dor&33 at 5432.",
    ]
    assert "Tr0ub4dor&3." not in f"{kept} {session.title}"
    assert counts.masked == 3


def test_memories_from_before_the_mask_are_found_and_their_secrets_are_not_shown(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    texts = {
        "ops/keys.md": f"# Keys\n\nThe key is {GITHUB} here.\n",
        f"ops/{GITHUB}.md": "# A\n",
        "ops/b.md": "# Ask Nadia\n",
    }
    with ports.db.transaction(tenant) as uow:  # as a version before the mask wrote it
        memories = [a_memory(path, text) for path, text in texts.items()]
        uow.memories(store.id).write([MemoryWrite(memory=one, change="create") for one in memories])
    found = [one for one in find_stored(ports.db, find_secrets) if one.tenant == tenant]
    assert sorted(one.path for one in found if one.path) == ["ops/[masked: GitHub token].md", "ops/keys.md"]
    assert {*chain.from_iterable(one.kinds for one in found)} == {"GitHub token"}
    assert GITHUB not in str(found)


def test_older_versions_events_and_feedback_with_secrets_are_found_and_counted_by_place(
    ports: Ports, tenant: str
) -> None:
    store = a_store(ports, tenant)
    said = [
        FoundEvent(
            line=n, session="s", event_id=f"e{n}", kind=EventKind.USER, role="user", text=f"Use {GITHUB}, {AWS}."
        )
        for n in range(700)
    ]
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="plain", keeps_secrets=True)
    import_session_items(ports.db, target, said)
    old = a_memory(PATH, f"# Keys\n\nThe key is {GITHUB} here.\n")
    with ports.db.transaction(tenant) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=old, change="create")])
    edit = MemoryEdit(content="# Keys\n\nAsk Nadia.\n")
    edit_memory(ports.db, tenant, DEFAULT_STORE, old.id, edit, expected=Expected(), author=Author.AGENT)
    found = {one.place: one for one in find_stored(ports.db, find_secrets) if one.tenant == tenant}
    assert "memories" not in found, "its text was written anew"
    assert found["memory_versions.content"].kinds == {"GitHub token": 1}
    events = found["session_events.text"]
    assert (events.rows, events.kinds) == (700, {"GitHub token": 700, "AWS Access Key": 700})
