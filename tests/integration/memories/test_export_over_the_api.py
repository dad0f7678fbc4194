"""An export over the API gives what the command line gives, page by page, and no page has a text that waits for a person."""

from typing import Any

from starlette.testclient import TestClient

from gateway.api.http.paging import MAX_PAGE_BYTES
from shared.all_ports import Ports
from shared.core.dream.model import Trigger
from shared.core.dream.operations import Operation, OperationKind, Retire
from shared.core.memory.model import Memory, MemoryState
from shared.core.policy.policy import Autonomy
from shared.core.tenants.roles import Role
from shared.services.memories import export_page
from shared.services.memories.export import find_export_files, find_reviewed_files
from shared.services.operations.apply import apply_operation
from shared.services.operations.review import approve_operation
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything, find_operation
from tests.support.builders import write

UNCLEAR = "# Rollout\n\nYesterday, or so they say, it was rolled out.\n"
WHERE = "/api/stores/default/export"


def a_reader(ports: Ports, tenant: str) -> TestClient:
    client = a_client(an_app(ports))
    client.headers.update(bearer(a_token(ports, tenant, Role.AGENT)))
    return client


def export_over_api(client: TestClient, **wanted: Any) -> list[dict[str, Any]]:
    """Every page of an export."""
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = client.get(WHERE, params=wanted | ({"cursor": cursor} if cursor else {})).json()
        assert len(page["data"]) <= wanted["limit"]
        found, cursor = found + page["data"], page["next_cursor"]
    return found


def test_every_page_of_an_export_is_the_command_lines_reviewed_or_not(ports: Ports, tenant: str) -> None:
    client = a_reader(ports, tenant)
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    approved = find_operation(ports, tenant, dream, OperationKind.ARCHIVE)
    approve_operation(ports.db, ports.ids, tenant, approved, actor="ann")
    write(ports, tenant, {"api/rollout.md": UNCLEAR})
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        files = find_export_files(uow, store_id, archived=False)
        reviewed, left_out = find_reviewed_files(uow, store_id, archived=False)
    everything = [(one["path"], one["content"]) for one in export_over_api(client, limit=3)]
    assert everything == [(file.path, file.content) for file in files]
    assert left_out
    wanted = sorted(
        [(file.path, file.content, None) for file in reviewed] + [(p, None, w) for p, w in left_out.items()]
    )
    for limit in (2, 200):
        shown = export_over_api(client, limit=limit, reviewed=True)
        assert [(one["path"], one["content"], one["left_out"]) for one in shown] == wanted


def test_an_export_over_pages_leaves_out_writes_of_a_dream_meanwhile(
    ports: Ports, tenant: str, monkeypatch: Any
) -> None:
    client = a_reader(ports, tenant)
    a_rich_store(ports, tenant)
    before = export_over_api(client, limit=200)
    read = export_page.find_live_texts

    def find_then_dream(*args: Any, **kwargs: Any) -> list[Memory]:
        found = read(*args, **kwargs)
        dream_of_everything(ports, tenant)
        return found

    monkeypatch.setattr("gateway.api.resources.export.find_live_texts", find_then_dream)
    assert client.get(WHERE, params={"reviewed": True, "limit": 200}).json()["data"] == before


def test_a_page_with_long_texts_that_a_dream_has_hidden_stays_short(ports: Ports, tenant: str) -> None:
    client = a_reader(ports, tenant)
    before = {f"{name}.md": f"# {name}\n" + "word " * 180_000 for name in "abc"}
    write(ports, tenant, before)
    hide_all(ports, tenant)
    assert client.get(WHERE).json() == {"data": [], "next_cursor": None}
    first = client.get(WHERE, params={"limit": 3, "reviewed": True})
    assert len(first.content) < MAX_PAGE_BYTES
    assert [one["path"] for one in first.json()["data"]] == ["a.md", "b.md"]
    assert {one["path"]: one["content"] for one in export_over_api(client, limit=3, reviewed=True)} == before


def hide_all(ports: Ports, tenant: str) -> None:
    """Let a dream archive every memory."""
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        dream = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
        claimed = uow.dreams.claim(dream.id, budget_seconds=300, lease_seconds=300, model="offline")
        assert claimed is not None
        changes = tuple(
            Retire(memory_id=one.id, version=one.version, path=one.path, state=MemoryState.ARCHIVED)
            for one in uow.memories(store.id).find_live()
        )
        operation = Operation(kind=OperationKind.ARCHIVE, phase="prune", reason="unused", changes=changes)
        apply_operation(uow, ports.ids, claimed, operation, 0, Autonomy.SILENT)
