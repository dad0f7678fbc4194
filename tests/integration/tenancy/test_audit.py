"""Every change has an entry in the audit log, on every surface; the entry holds ids, never texts."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from gateway.api.server import create_server
from gateway.mcp.tools import WRITE_TOOLS
from shared.all_ports import Ports
from shared.core.policy.retention import RetentionPolicy
from shared.core.tenants.roles import Role
from shared.ports.tenants import AuditFilter
from shared.services.tenants.audit import find_audit, find_audit_of_all
from shared.services.tenants.purge import purge_expired
from tests.integration.access.api_routes import BODIES
from tests.integration.api.api_support import a_client, a_token, an_app, bearer, id_of
from tests.integration.console.console_support import a_visitor, send
from tests.integration.console.test_console_pages import NEEDS as CONSOLE
from tests.integration.mcp.mcp_support import call
from tests.integration.tenancy.audit_support import (
    CANARY,
    CHANGING,
    IDS,
    LAST,
    SENT,
    Scene,
    an_endpoint,
    an_evaluation,
    disabled_endpoint,
    own_prompt,
    saved_filter,
)
from tests.support.builders import a_store


@pytest.fixture(scope="module")
def scene(session_ports: Ports) -> Iterator[Scene]:
    found = Scene(session_ports)
    yield found
    session_ports.db.installation.set_paused(paused=False, actor="a test")


def test_every_route_that_changes_something_leaves_an_entry_and_none_a_text(session_ports: Ports) -> None:
    """One after another, since some of them end what others need; each is sent the canary where it could be."""
    scene = Scene(session_ports)
    try:
        wrong = [said for route in (*sorted(set(CHANGING) - set(LAST)), *LAST) if (said := _walk(scene, route))]
    finally:
        session_ports.db.installation.set_paused(paused=False, actor="a test")
    assert wrong == []
    entries = find_audit_of_all(session_ports.db, AuditFilter(actor=scene.actor), limit=10_000)
    assert [one for one in entries if CANARY in str(one.detail)] == []


def _walk(scene: Scene, route: tuple[str, str]) -> str | None:
    """Take one route; what is wrong with it."""
    method, path = route
    ids = scene.all._asdict() | (IDS[route](scene) if route in IDS else {})
    body = SENT[route](scene) if route in SENT else BODIES.get(route)
    before = scene.entries()
    answer = scene.client.request(method, path.format(**ids), headers=scene.headers, json=body)
    if answer.status_code >= 300:
        return f"{method} {path}: {answer.status_code} {answer.text}"
    return None if scene.entries() > before else f"{method} {path} left no entry"


def test_a_rewritten_memory_is_told_by_the_names_of_its_fields(scene: Scene, session_ports: Ports) -> None:
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
    assert found[0]["detail"]["overrides"] == {"gates.min_hours": {"from": 5, "to": 6}}
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
    for _ in range(12):  # entries for three pages, whatever other tests have left
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


#: What a form of the console is sent to, with fields that make it change something.
_T = "/console/t/{tenant}"
_M = _T + "/stores/{store}/memories/{memory_id}"
PAGES: dict[str, Callable[[Scene], tuple[dict[str, str], dict[str, str]]]] = {
    _T + "/dreams/{dream_id}/cancel": lambda s: ({"dream_id": s.dream()}, {}),
    _T + "/dreams/{dream_id}/undo": lambda _: ({}, {}),
    _T + "/dreams/{dream_id}/redo": lambda s: (s.undone(), {}),
    _T + "/operations/{operation_id}/approve": lambda s: ({"operation_id": s.pending()}, {}),
    _T + "/operations/{operation_id}/reject": lambda s: ({"operation_id": s.pending()}, {}),
    _T + "/operations/{operation_id}/reopen": lambda s: ({"operation_id": s.rejected()}, {}),
    _T + "/operations/{operation_id}/assign": lambda s: ({"operation_id": s.pending()}, {"to": "me"}),
    _T + "/operations/{operation_id}/comment": lambda s: ({"operation_id": s.pending()}, {"text": "Ask Mara."}),
    _T + "/stores/{store}/ask/wrong": lambda s: ({}, {"memory": s.memory(), "right": CANARY}),
    _T + "/reviews/approve": lambda s: ({}, {"ops": s.pending()}),
    _T + "/reviews/reject": lambda s: ({}, {"ops": s.pending()}),
    _T + "/reviews/reopen": lambda s: ({}, {"ops": s.rejected()}),
    _T + "/filters": lambda _: ({}, {"list": "reviews", "name": "merges", "query": "kind=MERGE"}),
    _T + "/filters/delete": lambda s: ({}, {"list": "reviews", "name": saved_filter(s)}),
    _T + "/stores/{store}/dream": lambda s: ({"store": s.store()}, {"how": "forced"}),
    _T + "/stores/{store}/forget": lambda _: ({}, {"what": "text", "value": "words that stand nowhere", "sure": "yes"}),
    _T + "/stores/{store}/evaluations": lambda s: ({"store": s.store()}, {}),
    _T + "/stores/{store}/evaluations/{evaluation_id}/cancel": lambda s: (an_evaluation(s), {}),
    _T + "/stores/{store}/probes": lambda _: ({}, {"rows": f'{{"question": "{CANARY}", "evidence": "{CANARY}"}}'}),
    _T + "/stores/{store}/enable": lambda _: ({}, {}),
    _T + "/stores/{store}/pause": lambda _: ({}, {}),
    _T + "/stores/{store}/resume": lambda _: ({}, {}),
    _M + "/edit": lambda s: ({"memory_id": s.memory()}, {"version": "1", "content": "# New"}),
    _M + "/pin": lambda s: ({"memory_id": s.memory()}, {"version": "1", "wanted": "yes"}),
    _M + "/redact": lambda s: ({"memory_id": s.rewritten()}, {"version": "1", "sure": "yes"}),
    _T + "/settings/clock": lambda _: ({}, {"time_zone": "Europe/Berlin", "quiet_hours": "22:00-06:00"}),
    _T + "/settings/limits": lambda _: ({}, {"max_concurrent_dreams": "3"}),
    _T + "/settings/model": lambda _: ({}, {"model": "claude-haiku-4-5"}),
    _T + "/settings/retention": lambda _: ({}, {"versions": "90"}),
    _T + "/settings/stores/{store}": lambda _: ({}, {"gates.min_hours": "4"}),
    _T + "/settings/stores/{store}/model": lambda _: ({}, {"model": "claude-haiku-4-5"}),
    _T + "/settings/directives/{directive}": lambda _: ({}, {"content": f"Own: {CANARY}"}),
    _T + "/settings/directives/{directive}/reset": lambda s: ({"directive": own_prompt(s)}, {}),
    _T + "/settings/keys": lambda _: ({}, {"name": "a program", "role": "agent"}),
    _T + "/settings/keys/{key_id}/rotate": lambda _: ({}, {}),
    _T + "/settings/keys/{key_id}/revoke": lambda s: ({"key_id": id_of(a_token(s.ports, s.all.tenant))}, {}),
    _T + "/settings/webhooks": lambda _: ({}, {"url": "https://hooks.example.com/x", "events": "dream.finished"}),
    _T + "/settings/webhooks/{endpoint_id}/test": lambda _: ({}, {}),
    _T + "/settings/webhooks/{endpoint_id}/enable": lambda s: ({"endpoint_id": disabled_endpoint(s)}, {}),
    _T + "/settings/webhooks/{endpoint_id}/rotate": lambda _: ({}, {}),
    _T + "/settings/webhooks/{endpoint_id}/delete": lambda s: ({"endpoint_id": an_endpoint(s)}, {}),
    _T + "/settings/webhooks/deliveries/{delivery_id}/replay": lambda _: ({}, {}),
    _T + "/settings/webhooks/replay": lambda _: ({}, {"days": "7"}),
}
#: A sign-in and the colours of a browser are nothing that a tenant's log would tell.
OF_A_BROWSER = frozenset({"/console/sign-in", "/console/sign-out", "/console/theme"})


def test_no_form_of_the_console_is_without_a_line_in_the_table() -> None:
    assert {path for method, path in CONSOLE if method == "POST"} == set(PAGES) | OF_A_BROWSER


@pytest.mark.parametrize("path", PAGES)
def test_the_console_leaves_an_entry_of_its_visitor(path: str, scene: Scene, session_ports: Ports) -> None:
    if path.endswith("/undo"):  # it ends what the other forms decide about
        scene = Scene(session_ports)
    tenant = scene.all.tenant
    browser = a_visitor(session_ports, tenant, Role.OPERATOR)
    ids, fields = PAGES[path](scene)
    before = find_audit(session_ports.db, tenant, AuditFilter(), limit=1)[0].id
    answer = send(browser, path.format(**(scene.all._asdict() | ids)), **fields)
    assert answer.status_code < 400, answer.text
    after = find_audit(session_ports.db, tenant, AuditFilter(), limit=1)[0]
    assert after.id != before
    assert after.actor.startswith("key:")


@pytest.mark.parametrize("tool", [one.__name__ for one in WRITE_TOOLS])
def test_a_tool_that_changes_something_leaves_an_entry(tool: str, scene: Scene) -> None:
    arguments: dict[str, Callable[[], dict[str, Any]]] = {
        "write_memory": lambda: {"path": f"{CANARY}/{uuid4().hex}.md", "content": CANARY},
        "delete_memory": lambda: {"memory": scene.memory(), "version": 1},
        "note_correction": lambda: {"text": CANARY},
        "forget": lambda: {"memory": scene.memory()},
        "append_session": lambda: {"session": "chat", "events": [{"event_id": "e1", "kind": "user", "text": CANARY}]},
        "record_use": lambda: {"session": "chat", "skill": scene.all.skill},
        "start_dream": lambda: {"store": scene.store(), "force": True},
        "approve_review": lambda: {"operation_id": scene.pending()},
        "reject_review": lambda: {"operation_id": scene.pending()},
    }
    given = arguments[tool]()
    before = scene.entries()
    call(scene.app, scene.headers, tool, **given)
    assert scene.entries() > before


def test_a_purge_by_hand_is_told_and_the_log_goes_by_its_own_days(
    ports: Ports, tenant: str, owner_connection: Any
) -> None:
    a_store(ports, tenant)
    client, admin = a_client(an_app(ports, create_server)), bearer(a_token(ports, tenant))
    client.patch("/api/settings", headers=admin, json={"locale": "de"})
    owner_connection.execute(
        "UPDATE audit_log SET created_at = now() - interval '3 years' WHERE tenant_id = %s", [tenant]
    )
    purge_expired(ports.db, tenant, RetentionPolicy(), actor="cli:ann")
    [left] = find_audit(ports.db, tenant, AuditFilter(), limit=10)
    assert (left.actor, left.action) == ("cli:ann", "retention.run")
    assert left.detail["rows"] == {"audit": 2}
