"""Whoever changes something stands in the audit log, whichever door they came in by; what it says is ids, never texts."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from gateway.api.everything import create_server
from gateway.mcp.tools import DOING
from shared.core.access import Role
from shared.core.dream import ReviewState, Trigger
from shared.core.retention import RetentionPolicy
from shared.ports.all_ports import Ports
from shared.ports.audit_book import AuditFilter
from shared.services.find_audit import find_audit, find_audit_of_all
from shared.services.purge_expired import purge_expired
from shared.services.start_dream import start_dream
from tests.builders import a_store, get_operations, write
from tests.integration.api_routes import BODIES, NEEDS
from tests.integration.api_support import Everything, a_client, a_tenant_with_everything, a_token, bearer, id_of
from tests.integration.console_support import a_visitor, send
from tests.integration.mcp_support import call

CANARY = "plumbus-of-the-canary"
#: Every route that changes something. One that leaves no entry fails its test; so does a new one that needs a recipe.
CHANGING = [route for route in NEEDS if route[0] != "get"]


class Scene:
    """One tenant with one of everything, and an operator who acts for it."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.app = create_server(ports)
        self.client: TestClient = a_client(self.app)
        self.all: Everything = a_tenant_with_everything(ports)
        token = a_token(ports, "auditing-operators", Role.OPERATOR, rate_per_minute=100_000)
        self.actor = f"key:{id_of(token)}"
        whose = self.all.tenant
        self.headers = bearer(token) | {"Slowwave-Tenant": whose, "anthropic-workspace-id": whose}

    def store(self) -> str:
        name = f"s{uuid4().hex}"
        a_store(self.ports, self.all.tenant, name)
        return name

    def dream(self) -> str:
        started = start_dream(self.ports.db, self.all.tenant, self.store(), trigger=Trigger.API, force=True)
        assert started.dream is not None, started.verdict
        return started.dream.id

    def memory(self) -> str:
        path = f"a/{uuid4().hex}.md"
        write(self.ports, self.all.tenant, {path: "# Old\n"})
        with self.ports.db.transaction(self.all.tenant) as uow:
            found = uow.memories(self.all.memory_store_id).find_by_path(path)
        assert found is not None
        return found.id

    def pending(self) -> str:
        found = get_operations(self.ports, self.all.tenant, self.all.dream_id)
        return next(one.id for one in found if one.review is ReviewState.PENDING)

    def entries(self) -> int:
        return len(find_audit_of_all(self.ports.db, AuditFilter(actor=self.actor), limit=10_000))


@pytest.fixture(scope="module")
def scene(session_ports: Ports) -> Iterator[Scene]:
    found = Scene(session_ports)
    yield found
    session_ports.db.installation.set_paused(paused=False, actor="a test")


def _vault(scene: Scene) -> dict[str, Any]:
    answer = scene.client.post("/v1/memory_stores", headers=scene.headers, json={"name": "Vault"})
    return {"memory_store_id": answer.json()["id"]}


def _v1_memory(scene: Scene) -> dict[str, Any]:
    return {"memory_store_id": scene.all.memory_store_id, "memory_id": scene.memory()}


#: What a route needs beyond the ids that every tenant of the tests has, made anew where the route uses it up.
IDS: dict[tuple[str, str], Callable[[Scene], dict[str, Any]]] = {
    ("post", "/api/dreams/{dream_id}/cancel"): lambda s: {"dream_id": s.dream()},
    ("post", "/v1/dreams/{dream_id}/cancel"): lambda s: {"dream_id": s.dream()},
    ("post", "/api/reviews/{operation_id}/approve"): lambda s: {"operation_id": s.pending()},
    ("post", "/api/reviews/{operation_id}/reject"): lambda s: {"operation_id": s.pending()},
    ("patch", "/api/stores/{store}/memories/{memory_id}"): lambda s: {"memory_id": s.memory()},
    ("delete", "/api/stores/{store}/memories/{memory_id}"): lambda s: {"memory_id": s.memory()},
    ("post", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): _v1_memory,
    ("delete", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): _v1_memory,
    ("post", "/v1/memory_stores/{memory_store_id}/archive"): _vault,
    ("post", "/api/keys/{key_id}/rotate"): lambda s: {"key_id": id_of(a_token(s.ports, s.all.tenant))},
    ("delete", "/api/keys/{key_id}"): lambda s: {"key_id": id_of(a_token(s.ports, s.all.tenant))},
    ("post", "/api/webhooks/{endpoint_id}/enable"): lambda s: {"endpoint_id": _disabled_endpoint(s)},
    ("delete", "/api/directives/{directive}"): lambda s: {"directive": _own_prompt(s)},
}
#: Bodies that change something; the others are those of the table of routes.
SENT: dict[tuple[str, str], Callable[[Scene], dict[str, Any]]] = {
    ("post", "/api/dreams"): lambda s: {"store": s.store(), "force": True, "dry_run": True},
    ("post", "/api/memory/dream"): lambda s: {"agentId": _eager_store(s)},
    ("post", "/api/dreams/{dream_id}/undo"): lambda _: {"force": True},
    ("post", "/api/reviews/approve"): lambda s: {"ids": [s.pending()]},
    ("post", "/api/reviews/reject"): lambda s: {"ids": [s.pending()]},
    ("post", "/api/stores"): lambda _: {"name": f"n{uuid4().hex}"},
    ("patch", "/api/stores/{store}"): lambda _: {"overrides": {"gates.min_hours": 4}},
    ("put", "/api/stores/{store}/activity"): lambda _: {"busy_seconds": 5},
    ("post", "/api/stores/{store}/memories"): lambda _: {"path": f"{CANARY}/{uuid4().hex}.md", "content": CANARY},
    ("patch", "/api/stores/{store}/memories/{memory_id}"): lambda _: {"content": CANARY, "importance": 70},
    ("post", "/api/stores/{store}/feedback"): lambda _: {"feedback": [{"kind": "correction", "text": CANARY}]},
    ("put", "/api/stores/{store}/skills/{skill}"): lambda _: {"content": CANARY + uuid4().hex},
    ("post", "/api/stores/{store}/skill-uses"): lambda s: {"skill": s.all.skill, "session": "chat-1"},
    ("patch", "/api/agents/{store}/dream"): lambda _: {"dreamConfig": {"cooldownMinutes": 60}},
    ("put", "/api/directives/{directive}"): lambda _: {"content": CANARY + uuid4().hex},
    ("patch", "/api/settings"): lambda _: {"time_zone": "Asia/Tokyo"},
    ("patch", "/api/retention"): lambda _: {"days": {"versions": 90}},
    ("patch", "/api/installation"): lambda _: {"defer_percent": 0},
    ("post", "/api/tenants"): lambda _: {"id": f"t{uuid4().hex}"},
    ("patch", "/api/tenants/{tenant}"): lambda _: {"tokens_per_day": 500_000_000},
    ("post", "/v1/dreams"): lambda s: {
        "inputs": [
            {"type": "memory_store", "memory_store_id": s.all.memory_store_id},
            {"type": "sessions", "session_ids": [s.all.session_id]},
        ],
        "model": "any",
        "instructions": CANARY,
    },
    ("post", "/v1/memory_stores/{memory_store_id}"): lambda _: {"name": "Mine", "description": CANARY},
    ("post", "/v1/memory_stores/{memory_store_id}/memories"): lambda _: {"path": f"/{uuid4().hex}.md", "content": CANARY},
    ("post", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): lambda _: {"content": CANARY},
    ("post", "/v1/sessions"): lambda s: {
        "agent": "a", "environment_id": "e", "title": CANARY,
        "resources": [{"type": "memory_store", "memory_store_id": s.all.memory_store_id}],
    },
    ("post", "/v1/sessions/{session_id}"): lambda _: {"title": CANARY},
    ("post", "/v1/sessions/{session_id}/events"): lambda _: {
        "events": [{"type": "user.message", "content": [{"type": "text", "text": CANARY}]}]
    },
}  # fmt: skip
#: These end what the others need, so that they come last.
LAST = (
    ("post", "/api/dreams/{dream_id}/undo"),
    ("post", "/v1/memory_stores/{memory_store_id}/memory_versions/{memory_version_id}/redact"),
    ("post", "/v1/sessions/{session_id}/archive"),
    ("delete", "/api/webhooks/{endpoint_id}"),
)


def _eager_store(scene: Scene) -> str:
    name = scene.store()
    a_store(scene.ports, scene.all.tenant, name, profile="rockbot")
    return name


def _disabled_endpoint(scene: Scene) -> str:
    with scene.ports.db.transaction(scene.all.tenant) as uow:
        endpoint = uow.webhooks.get(scene.all.endpoint_id)
        uow.webhooks.save(replace(endpoint, disabled_at=uow.now(), disabled_reason="it is dead"))
    return endpoint.id


def _own_prompt(scene: Scene) -> str:
    scene.client.put("/api/directives/dream.md", headers=scene.headers, json={"content": f"{CANARY} {uuid4().hex}"})
    return "dream.md"


@pytest.mark.parametrize("route", sorted(set(CHANGING) - set(LAST)) + list(LAST), ids=" ".join)
def test_every_route_that_changes_something_leaves_an_entry(route: tuple[str, str], scene: Scene) -> None:
    method, path = route
    ids = scene.all._asdict() | (IDS[route](scene) if route in IDS else {})
    body = SENT[route](scene) if route in SENT else BODIES.get(route)
    before = scene.entries()
    answer = scene.client.request(method, path.format(**ids), headers=scene.headers, json=body)
    assert answer.status_code < 300, answer.text
    assert scene.entries() > before


def test_no_entry_holds_a_text(scene: Scene, session_ports: Ports) -> None:
    """Runs after the routes were walked, and once more by itself: each of them was sent the canary where it could be."""
    where = f"/api/stores/default/memories/{scene.memory()}"
    scene.client.patch(where, headers=scene.headers, json={"content": CANARY, "path": f"{CANARY}.md"})
    entries = find_audit_of_all(session_ports.db, AuditFilter(actor=scene.actor), limit=10_000)
    assert [one for one in entries if CANARY in str(one.detail)] == []
    [last] = find_audit(session_ports.db, scene.all.tenant, AuditFilter(actor=scene.actor), limit=1)
    assert (last.action, last.detail["texts"]) == ("memory.update", ["path", "content"])


def test_a_setting_is_told_with_what_it_was_and_what_it_is(scene: Scene) -> None:
    for hours in (5, 6):
        body = {"overrides": {"gates.min_hours": hours}}
        scene.client.patch("/api/stores/default", headers=scene.headers, json=body)
    found = scene.client.get("/api/audit?action=store.configure&limit=1", headers=scene.headers).json()["data"]
    assert found[0]["detail"]["overrides"] == {"gates.min_hours": [5, 6]}
    assert (found[0]["actor"], found[0]["tenant"]) == (scene.actor, scene.all.tenant)


def test_a_refused_request_leaves_no_entry(scene: Scene) -> None:
    before = scene.entries()
    scene.client.patch("/api/stores/default", headers=scene.headers, json={"overrides": {"nonsense": 1}})
    scene.client.post("/api/dreams/drm_0/cancel", headers=scene.headers)
    assert scene.entries() == before


def test_an_admin_sees_its_own_tenant_and_an_operator_all_page_by_page(scene: Scene, session_ports: Ports) -> None:
    admin = bearer(a_token(session_ports, "auditing-admin", Role.ADMIN))
    own = scene.client.get("/api/audit", headers=admin).json()["data"]
    assert {one["tenant"] for one in own} == {"auditing-admin"}
    assert scene.client.get("/api/audit/all", headers=admin).status_code == 403
    scene.client.patch("/api/installation", headers=scene.headers, json={"defer_percent": 0})
    seen: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(3):
        query = {"limit": 4} | ({"cursor": cursor} if cursor else {})
        page = scene.client.get("/api/audit/all", headers=scene.headers, params=query).json()
        seen, cursor = seen + page["data"], page["next_cursor"]
    assert len({one["id"] for one in seen}) == len(seen) == 12
    assert [one["at"] for one in seen] == sorted((one["at"] for one in seen), reverse=True)
    assert (seen[0]["tenant"], seen[0]["action"]) == (None, "installation.defer")


@pytest.mark.parametrize("what", ["cancel", "undo", "approve", "reject", "dream", "pause", "resume"])
def test_the_console_leaves_an_entry_of_its_visitor(what: str, session_ports: Ports) -> None:
    scene = Scene(session_ports)
    tenant = scene.all.tenant
    browser, base = a_visitor(session_ports, tenant), f"/console/t/{tenant}"
    pages: dict[str, Callable[[], str]] = {
        "cancel": lambda: f"/dreams/{scene.dream()}/cancel",
        "undo": lambda: f"/dreams/{scene.all.dream_id}/undo",
        "approve": lambda: f"/operations/{scene.pending()}/approve",
        "reject": lambda: f"/operations/{scene.pending()}/reject",
        "dream": lambda: f"/stores/{scene.store()}/dream",
        "pause": lambda: "/stores/default/pause",
        "resume": lambda: "/stores/default/resume",
    }
    where = pages[what]()
    fields = {"how": "forced"} if what == "dream" else {}
    before = find_audit(session_ports.db, tenant, AuditFilter(), limit=1)[0].id
    answer = send(browser, base + where, **fields)
    assert answer.status_code < 400, answer.text
    after = find_audit(session_ports.db, tenant, AuditFilter(), limit=1)[0]
    assert after.id != before
    assert after.actor.startswith("key:")


@pytest.mark.parametrize("tool", [one.__name__ for one in DOING])
def test_a_tool_that_changes_something_leaves_an_entry(tool: str, scene: Scene) -> None:
    fresh = scene if tool in {"note_correction", "start_dream"} else Scene(scene.ports)
    arguments: dict[str, Callable[[], dict[str, Any]]] = {
        "note_correction": lambda: {"text": CANARY},
        "start_dream": lambda: {"store": fresh.store(), "force": True},
        "approve_review": lambda: {"operation_id": fresh.pending()},
        "reject_review": lambda: {"operation_id": fresh.pending()},
    }
    given = arguments[tool]()
    before = fresh.entries()
    call(fresh.app, fresh.headers, tool, **given)
    assert fresh.entries() > before


def test_a_purge_by_hand_is_told_and_the_log_goes_by_its_own_days(
    ports: Ports, tenant: str, owner_connection: Any
) -> None:
    a_store(ports, tenant)
    client, admin = a_client(create_server(ports)), bearer(a_token(ports, tenant))
    client.patch("/api/settings", headers=admin, json={"locale": "de"})
    owner_connection.execute(
        "UPDATE audit_log SET created_at = now() - interval '3 years' WHERE tenant_id = %s", [tenant]
    )
    purge_expired(ports.db, tenant, RetentionPolicy(), actor="cli:ann")
    [left] = find_audit(ports.db, tenant, AuditFilter(), limit=10)
    assert (left.actor, left.action) == ("cli:ann", "retention.run")
    assert left.detail["rows"] == {"audit": 2}
