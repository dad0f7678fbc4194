"""No answer has more than some megabytes, whatever a tenant has stored: each route ends its page and names the next."""

from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from gateway.api.http.paging import MAX_PAGE_BYTES
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.access.api_routes import NAMES, NEEDS
from tests.integration.api.api_support import a_client, a_tenant_with_everything, a_token, an_app, bearer
from tests.integration.limits.full_tenant import (
    LONGEST,
    fill,
    fill_skill,
    record_long_runs,
    record_much_feedback,
    set_directive_often,
)
from tests.support.builders import write

#: The longest memory by itself, and something beside it.
_MOST = len(LONGEST.encode()) + 1_100_000
#: It has one event after the other for as long as its session lasts.
_ENDLESS = "/v1/sessions/{session_id}/events/stream"
#: The words that a search needs, and the limits of lists that have another than 200.
_PARAMETERS: dict[str, dict[str, Any]] = {
    "/api/stores/{store}/search": {"q": "cookies", "limit": 50},
    "/api/stores/{store}/search/sessions": {"q": "cookies", "limit": 50},
    "/api/stores/{store}/sessions/{session_id}/events": {"limit": 200, "max_chars": 50_000},
    "/api/stores/{store}/known-of": {"person": "user"},
    "/api/memory/dream": {"limit": 500},
    "/v1/sessions/{session_id}/events": {"limit": 1_000},
    "/v1/memory_stores/{memory_store_id}/memories": {"limit": 100, "view": "full"},
    "/v1/memory_stores/{memory_store_id}/memory_versions": {"limit": 100, "view": "full"},
}


def _client(ports: Ports, tenant: str, role: Role = Role.ADMIN) -> TestClient:
    opened = a_client(an_app(ports))
    opened.headers.update(bearer(a_token(ports, tenant, role, rate_per_minute=1_000_000)))
    return opened


@pytest.mark.thorough
def test_every_answer_of_a_full_tenant_is_of_bounded_size(ports: Ports) -> None:
    known = a_tenant_with_everything(ports)
    here = known._asdict() | fill(ports, known)
    client = _client(ports, known.tenant, Role.OPERATOR)
    long = {"type": "file", "file_id": "f" * 64, "mount_path": f"/{'x' * 1_023}"}
    added = [client.post(f"/v1/sessions/{here['session_id']}/resources", json=long).json() for _ in range(20)]
    here["resource_id"] = added[0]["id"]
    sizes = {}
    for method, path in NEEDS:
        if method != "get" or path == _ENDLESS:
            continue
        names = dict.fromkeys(NAMES.findall(path), "")
        limit = {"limit": 100 if path.startswith("/v1") else 200} if _takes_limit(client, path) else {}
        wanted = _PARAMETERS.get(path, {} if path.startswith("/api/memory/dream/") else limit)
        answer = client.get(path.format(**{name: here[name] for name in names}), params=wanted)
        assert answer.status_code == 200, (path, answer.text[:200])
        sizes[path] = len(answer.content)
    assert {path: size for path, size in sizes.items() if size > _MOST} == {}
    assert sum(size > 1_000_000 for size in sizes.values()) >= 12  # they had much to show


def _takes_limit(client: TestClient, path: str) -> bool:
    document = cast("Any", client.app).openapi()
    return any(one["name"] == "limit" for one in document["paths"][path]["get"].get("parameters", ()))


def _walk(client: TestClient, path: str, name: str = "data") -> list[dict[str, Any]]:
    """Return the items of all pages, after looking at the size of each, and that there is more than one."""
    found, pages, cursor = [], 0, cast("str | None", "")
    while cursor is not None:
        answer = client.get(
            path, params=({"limit": 200} if name == "data" else {}) | ({"cursor": cursor} if cursor else {})
        )
        assert len(answer.content) < MAX_PAGE_BYTES * 1.1
        found += answer.json()[name]
        cursor, pages = answer.json()["next_cursor"], pages + 1
    assert pages > 1
    return found


def test_feedback_and_runs_with_long_texts_come_in_short_pages(ports: Ports, tenant: str) -> None:
    client = _client(ports, tenant)
    write(ports, tenant, {"a.md": "# A\n"})
    record_much_feedback(ports, tenant, 60)
    record_long_runs(ports, tenant, 10)
    assert len({one["id"] for one in _walk(client, "/api/stores/default/feedback")}) == 60
    assert len({one["id"] for one in _walk(client, "/api/stores/default/workflow-runs")}) == 10


def test_the_versions_of_a_long_directive_come_in_short_pages(ports: Ports, tenant: str) -> None:
    client = _client(ports, tenant)
    set_directive_often(ports, tenant, 20)
    shown = _walk(client, "/api/directives/dream.md/versions")
    assert [one["version"] for one in shown] == list(range(20, 0, -1))
    assert client.get("/api/directives/dream.md").json()["version"] == 20


def test_the_files_of_a_skill_come_in_short_pages(ports: Ports, tenant: str) -> None:
    client = _client(ports, tenant)
    write(ports, tenant, {"skills/mail/SKILL.md": "Do it."})
    fill_skill(ports, tenant, "mail", chars=100_000, count=12)
    assert [one["path"] for one in _walk(client, "/api/stores/default/skills/mail", "files")] == [
        f"{number:02}.md" for number in range(12)
    ]
    first = client.get("/api/stores/default/skills/mail").json()
    assert first["content"] == "Do it."
    further = client.get("/api/stores/default/skills/mail", params={"cursor": first["next_cursor"]}).json()
    assert further["content"] == ""


def test_a_skill_of_a_long_text_has_its_files_on_the_next_page(ports: Ports, tenant: str) -> None:
    client = _client(ports, tenant)
    write(ports, tenant, {"skills/mail/SKILL.md": LONGEST, "skills/mail/more.md": "More."})
    first = client.get("/api/stores/default/skills/mail").json()
    assert first["files"] == []
    further = client.get("/api/stores/default/skills/mail", params={"cursor": first["next_cursor"]}).json()
    assert [one["path"] for one in further["files"]] == ["more.md"]
    assert further["next_cursor"] is None


def test_the_reasons_of_a_memory_of_long_versions_come_in_short_pages(ports: Ports, tenant: str) -> None:
    client = _client(ports, tenant)
    for number in range(12):
        write(ports, tenant, {"a.md": f"# {number}\n" + "word " * 60_000})
    memory = client.get("/api/stores/default/memories").json()["data"][0]["id"]
    shown = _walk(client, f"/api/stores/default/memories/{memory}/why", "reasons")
    assert [one["version"] for one in shown] == list(range(12, 0, -1))
