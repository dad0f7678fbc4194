"""Lists that can grow come in pages: a dream's operations, a memory's versions, a store's skills. No page reads them all."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.dream.operations import Operation, OperationKind, Rewrite
from shared.core.policy.policy import Autonomy
from shared.services.memories.read import get_memory
from shared.services.operations.apply import apply_operation
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_browser, a_visitor
from tests.support.builders import write

OPERATIONS, VERSIONS, SKILLS = 105, 24, 5


@pytest.fixture
def dream_id(ports: Ports, tenant: str) -> str:
    """A dream with more operations than a page holds, all of them new versions of one memory or of its own."""
    write(ports, tenant, {f"n/{number:03}.md": f"# Note {number}\n" for number in range(OPERATIONS)})
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        dream = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
        claimed = uow.dreams.claim(dream.id, budget_seconds=300, lease_seconds=300, model="offline")
        assert claimed is not None
        for position, memory in enumerate(uow.memories(store.id).find_live()):
            text, same = f"{memory.content}Since 2026.\n", (memory.id, memory.version, memory.path)
            change = Rewrite(memory_id=same[0], version=same[1], path=same[2], content=text, signals=memory.signals)
            operation = Operation(
                kind=OperationKind.TEMPORAL_UPDATE, phase="consolidate", reason=f"reason {position}", changes=(change,)
            )
            apply_operation(uow, ports.ids, claimed, operation, position, Autonomy.SILENT)
        uow.dreams.finish(dream.id, DreamState.COMPLETED, reason="", before={})
    return dream.id


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    found = a_client(an_app(ports))
    found.headers.update(bearer(a_token(ports, tenant)))
    return found


def all_of(client: TestClient, path: str, name: str = "data") -> list[Any]:
    """Every page of a list, one after another."""
    found: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        page = client.get(path, params={"limit": 10} | ({"cursor": cursor} if cursor else {})).json()
        assert len(page[name]) <= 10
        found, cursor = found + page[name], page["next_cursor"]
    return found


def next_of(text: str) -> str | None:
    found = re.search(r'rel="next" href="([^"]+)"', text)
    return found[1] if found else None


def test_a_dream_shows_its_operations_page_by_page(
    ports: Ports, tenant: str, dream_id: str, client: TestClient
) -> None:
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/dreams/{dream_id}"
    page = browser.get(where).text
    assert f">all {OPERATIONS}<" in page
    shown = [page.count(">reason ")]
    while (following := next_of(page)) is not None:
        page = browser.get(where + following).text
        shown.append(page.count(">reason "))
    assert sum(shown) == OPERATIONS
    assert set(shown[:-1]) == {50}
    over = all_of(client, f"/api/dreams/{dream_id}/operations")
    assert [one["reason"] for one in over] == [f"reason {position}" for position in range(OPERATIONS)]


def test_a_memory_shows_its_versions_page_by_page_each_with_what_changed(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    write(ports, tenant, {"a.md": "# Counter\n\nIt is 0 now.\n"})
    memory_id = client.get("/api/stores/default/memories").json()["data"][0]["id"]
    for number in range(1, VERSIONS):
        client.patch(
            f"/api/stores/default/memories/{memory_id}", json={"content": f"# Counter\n\nIt is {number} now.\n"}
        )
    assert get_memory(ports.db, tenant, "default", memory_id).version == VERSIONS
    numbers = list(range(VERSIONS, 0, -1))
    path = f"/api/stores/default/memories/{memory_id}"
    assert [one["version"] for one in all_of(client, f"{path}/history")] == numbers
    assert [one["version"] for one in all_of(client, f"{path}/why", "reasons")] == numbers
    assert client.get(f"{path}/history", params={"cursor": "abc"}).status_code == 422
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/memories/{memory_id}"
    first = browser.get(where).text
    assert first.count("<summary>What changed</summary>") == 20  # the oldest one is compared with the next page's first
    second = browser.get(where + (next_of(first) or "")).text
    assert second.count("<summary>What changed</summary>") == VERSIONS - 21
    assert "Version 1</b>" in second


def test_skills_come_by_name_page_by_page(ports: Ports, tenant: str, client: TestClient) -> None:
    names = sorted(f"s{number}" for number in range(SKILLS))
    write(ports, tenant, {f"skills/{name}/SKILL.md": f"Do {name}." for name in names})
    first = client.get("/api/stores/default/skills", params={"limit": 3}).json()
    rest = client.get("/api/stores/default/skills", params={"limit": 3, "cursor": first["next_cursor"]}).json()
    assert [one["name"] for one in first["data"] + rest["data"]] == names
    assert rest["next_cursor"] is None


def test_the_bare_address_leads_to_the_console(ports: Ports) -> None:
    browser = a_browser(ports)
    answer = browser.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/console")
    assert browser.get("/nothing-here").status_code == 404
