"""A memory that agents read lives: reads over the API count, ratify what was inferred, and survive an undo."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from gateway.api.app import create_app
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import Memory
from shared.services.memories.read import search_memories
from shared.services.operations.undo import undo_dream
from shared.settings import Settings
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.tenancy.retention_support import open_owner
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import a_store, get_store, run_dream, take_picture, write
from tests.support.session_builders import tell

RAGE = "For the last time: always use tabs for indentation in Makefiles, never spaces!"
Get = Callable[[str], dict[str, object]]


@pytest.fixture
def get(ports: Ports, tenant: str) -> Get:
    """Ask the API as the tenant's own."""
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant))

    def ask(path: str) -> dict[str, object]:
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()
        return found

    return ask


def live(ports: Ports, tenant: str) -> dict[str, Memory]:
    return {one.path: one for one in take_picture(ports, tenant).memories.values() if one.state == "live"}


def count_of(ports: Ports, tenant: str, path: str) -> int:
    ports.recall.flush()
    return live(ports, tenant)[path].signals.access_count


def test_every_way_of_reading_a_memory_counts_and_looking_at_lists_and_histories_does_not(
    ports: Ports, tenant: str, get: Get
) -> None:
    write(ports, tenant, {"a.md": "the pump is green", "b.md": "the radio is loud"})
    memory_id, store_id = live(ports, tenant)["a.md"].id, get_store(ports, tenant).id
    one, v1 = f"/api/stores/default/memories/{memory_id}", f"/v1/memory_stores/{store_id}/memories"
    for reads, path in enumerate(["/api/stores/default/search?q=pump", one, f"{v1}/{memory_id}"], start=1):
        get(path)
        assert count_of(ports, tenant, "a.md") == reads
    for path in ("/api/stores/default/memories", f"{one}/history", f"{one}/why", v1, f"{v1}/{memory_id}?view=basic"):
        get(path)
    assert count_of(ports, tenant, "a.md") == 3
    assert count_of(ports, tenant, "b.md") == 0


def test_a_search_shows_the_importance_that_reads_gave(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "the pump is green", "b.md": "the pump is loud"})
    for _ in range(10):
        ports.recall.note(tenant, [live(ports, tenant)["b.md"].id])
    ports.recall.flush()
    hits = search_memories(ports.db, ports.search, tenant, "default", "pump", 10)
    assert [hit.path for hit in hits] == ["b.md", "a.md"]


def test_a_preference_that_was_searched_for_stays_after_30_days(
    ports: Ports, settings: Settings, tenant: str, get: Get
) -> None:
    a_store(ports, tenant, profile="rockbot")
    tell(ports, tenant, "s1", RAGE)
    run_dream(ports, tenant, OfflineLlm())
    (path,) = [path for path in live(ports, tenant) if path.startswith("user-preferences/inferred/")]
    get("/api/stores/default/search?q=tabs%20Makefiles")
    assert count_of(ports, tenant, path) == 1
    with open_owner(settings) as owner:
        owner.execute("UPDATE memories SET created_at = created_at - interval '31 days' WHERE tenant_id = %s", [tenant])
    run_dream(ports, tenant, OfflineLlm())
    assert path in live(ports, tenant)


def test_reads_after_a_dream_are_no_conflict_for_its_undo_and_are_kept(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    for _ in range(3):
        ports.recall.note(tenant, [memory.id for memory in live(ports, tenant).values()])
    ports.recall.flush()
    read = {memory.id for memory in live(ports, tenant).values()}
    assert undo_dream(ports.db, tenant, dream.id, actor="a test").conflicts == ()
    after = take_picture(ports, tenant)
    assert set(after.memories) == set(before.memories)
    for memory_id, memory in after.memories.items():
        was = before.memories[memory_id]
        assert (memory.content, memory.state) == (was.content, was.state)
        assert memory.signals.access_count == was.signals.access_count + (3 if memory_id in read else 0)


def test_a_server_that_is_asked_to_stop_counts_what_was_read(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "the pump is green"})
    memory_id, headers = live(ports, tenant)["a.md"].id, bearer(a_token(ports, tenant))
    with TestClient(create_app(ports)) as client:
        assert client.get(f"/api/stores/default/memories/{memory_id}", headers=headers).status_code == 200
    assert live(ports, tenant)["a.md"].signals.access_count == 1
