"""Every page of the console: who sees it, what a stranger learns, what a form without its CSRF token does."""

import re
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from gateway.console.routers import ROUTERS
from shared.all_ports import Ports
from shared.core.tenants.roles import GRANTS, Permission, Role
from tests.integration.api.api_support import Everything, a_tenant_with_everything
from tests.integration.console.console_support import a_browser, a_visitor, csrf_of, send

R, W, V, A = Permission.READ, Permission.WRITE, Permission.REVIEW, Permission.ADMINISTER
OF_OPERATORS = Permission.OPERATE
T = "/console/t/{tenant}"
S = T + "/settings"
#: What every page asks for; None is open without a key. A page that is not here fails the first test.
NEEDS: dict[tuple[str, str], Permission | None] = {
    ("GET", "/"): None,
    ("GET", "/console/static/{name}"): None,
    ("GET", "/console/sign-in"): None,
    ("POST", "/console/sign-in"): None,
    ("GET", "/console/oidc/start"): None,
    ("GET", "/console/oidc/callback"): None,
    ("POST", "/console/sign-out"): R,
    ("POST", "/console/theme"): R,
    ("GET", "/console"): R,
    ("GET", "/console/dreams"): OF_OPERATORS,
    ("GET", "/console/installation"): OF_OPERATORS,
    ("GET", T): R,
    ("GET", T + "/insight"): R,
    ("GET", T + "/insight/digest.md"): R,
    ("GET", T + "/graph"): R,
    ("GET", T + "/stores/{store}/graph"): R,
    ("GET", T + "/stores/{store}/graph/dead"): R,
    ("GET", T + "/stores/{store}/graph/{memory_id}"): R,
    ("GET", T + "/memories"): R,
    ("GET", T + "/stores"): R,
    ("GET", T + "/stores/{store}"): R,
    ("GET", T + "/stores/{store}/estimate"): A,
    ("GET", T + "/stores/{store}/evaluations"): R,
    ("POST", T + "/stores/{store}/evaluations"): A,
    ("GET", T + "/stores/{store}/evaluations/price"): A,
    ("GET", T + "/stores/{store}/evaluations/{evaluation_id}"): R,
    ("POST", T + "/stores/{store}/evaluations/{evaluation_id}/cancel"): A,
    ("GET", T + "/stores/{store}/probes"): V,
    ("POST", T + "/stores/{store}/probes"): A,
    ("POST", T + "/stores/{store}/dream"): W,
    ("POST", T + "/stores/{store}/enable"): A,
    ("POST", T + "/stores/{store}/pause"): A,
    ("POST", T + "/stores/{store}/resume"): A,
    ("GET", T + "/stores/{store}/memories"): R,
    ("GET", T + "/stores/{store}/folders"): R,
    ("GET", T + "/stores/{store}/suggestions"): R,
    ("GET", T + "/stores/{store}/memories/{memory_id}"): R,
    ("GET", T + "/stores/{store}/memories/{memory_id}/compare"): R,
    ("GET", T + "/stores/{store}/memories/{memory_id}/edit"): W,
    ("POST", T + "/stores/{store}/memories/{memory_id}/edit"): W,
    ("POST", T + "/stores/{store}/memories/{memory_id}/pin"): W,
    ("GET", T + "/stores/{store}/memories/{memory_id}/redact"): A,
    ("POST", T + "/stores/{store}/memories/{memory_id}/redact"): A,
    ("GET", T + "/ask"): V,
    ("GET", T + "/stores/{store}/ask"): V,
    ("POST", T + "/stores/{store}/ask/wrong"): V,
    ("GET", T + "/stores/{store}/forget"): A,
    ("POST", T + "/stores/{store}/forget"): A,
    ("GET", T + "/sessions"): R,
    ("GET", T + "/stores/{store}/sessions"): R,
    ("GET", T + "/stores/{store}/sessions/{session_id}"): R,
    ("GET", T + "/dreams"): R,
    ("GET", T + "/dreams/{dream_id}"): R,
    ("GET", T + "/dreams/{dream_id}/live"): R,
    ("GET", T + "/dreams/{dream_id}/diffs/{operation_id}"): R,
    ("GET", T + "/dreams/{dream_id}/calls/{call_id}"): R,
    ("GET", T + "/dreams/{dream_id}/compare"): R,
    ("GET", T + "/dreams/{dream_id}/undo"): R,
    ("POST", T + "/dreams/{dream_id}/undo"): V,
    ("GET", T + "/dreams/{dream_id}/redo"): R,
    ("POST", T + "/dreams/{dream_id}/redo"): V,
    ("POST", T + "/dreams/{dream_id}/cancel"): V,
    ("GET", T + "/reviews"): R,
    ("GET", T + "/reviews/all"): V,
    ("GET", T + "/reviews/decided"): R,
    ("POST", T + "/operations/{operation_id}/assign"): V,
    ("POST", T + "/operations/{operation_id}/comment"): V,
    ("POST", T + "/reviews/approve"): V,
    ("POST", T + "/reviews/reject"): V,
    ("POST", T + "/reviews/reopen"): V,
    ("POST", T + "/filters"): R,
    ("POST", T + "/filters/delete"): R,
    ("GET", T + "/operations/{operation_id}"): R,
    ("POST", T + "/operations/{operation_id}/approve"): V,
    ("POST", T + "/operations/{operation_id}/reject"): V,
    ("POST", T + "/operations/{operation_id}/reopen"): V,
    ("GET", T + "/webhooks"): A,
    ("GET", "/console/costs"): OF_OPERATORS,
    ("GET", T + "/costs"): A,
    ("GET", T + "/costs/download"): A,
    ("GET", S): A,
    ("POST", S + "/clock"): A,
    ("POST", S + "/limits"): OF_OPERATORS,
    ("GET", S + "/model"): A,
    ("POST", S + "/model"): OF_OPERATORS,
    ("GET", S + "/retention"): A,
    ("POST", S + "/retention"): A,
    ("GET", S + "/stores/{store}"): A,
    ("POST", S + "/stores/{store}"): A,
    ("GET", S + "/stores/{store}/change"): A,
    ("POST", S + "/stores/{store}/model"): OF_OPERATORS,
    ("GET", S + "/directives"): A,
    ("GET", S + "/directives/{directive}"): A,
    ("POST", S + "/directives/{directive}"): A,
    ("POST", S + "/directives/{directive}/reset"): A,
    ("GET", S + "/keys"): A,
    ("POST", S + "/keys"): A,
    ("POST", S + "/keys/{key_id}/rotate"): A,
    ("POST", S + "/keys/{key_id}/revoke"): A,
    ("GET", S + "/audit"): A,
    ("GET", S + "/webhooks"): A,
    ("POST", S + "/webhooks"): A,
    ("POST", S + "/webhooks/{endpoint_id}/test"): A,
    ("POST", S + "/webhooks/{endpoint_id}/enable"): A,
    ("POST", S + "/webhooks/{endpoint_id}/rotate"): A,
    ("POST", S + "/webhooks/{endpoint_id}/delete"): A,
    ("POST", S + "/webhooks/deliveries/{delivery_id}/replay"): A,
    ("POST", S + "/webhooks/replay"): A,
}
OF_A_TENANT = [route for route in NEEDS if route[1].startswith(T)]
SIGNED_IN = [route for route, need in NEEDS.items() if need is not None]
MISSING = {
    "dream_id": "drm_0", "operation_id": "op_0", "memory_id": "mem_0", "store": "gone", "endpoint_id": "hook_0",
    "delivery_id": "dlv_0", "call_id": "call_0", "key_id": "key_0", "directive": "no-such.md",
    "session_id": "sesn_0", "evaluation_id": "eval_0",
}  # fmt: skip


@pytest.fixture(scope="module")
def theirs(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.fixture(scope="module")
def visitors(session_ports: Ports) -> dict[Role, tuple[TestClient, str]]:
    """A signed-in browser of each role, with the CSRF token of its forms."""
    found = {}
    for role in Role:
        browser = a_visitor(session_ports, "console-matrix", role)
        found[role] = (browser, csrf_of(browser.get("/console/t/console-matrix").text))
    return found


def ask(visitor: tuple[TestClient, str], route: tuple[str, str], ids: dict[str, str]) -> Any:
    browser, csrf = visitor
    data = {"csrf": csrf} if route[0] == "POST" else None
    return browser.request(route[0], route[1].format(**ids), data=data)


def test_no_page_is_without_a_line_in_the_table() -> None:
    found = {
        (method, route.path)
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert found == set(NEEDS)


@pytest.mark.parametrize("route", SIGNED_IN, ids=" ".join)
def test_without_a_session_every_page_leads_to_the_form(route: tuple[str, str], session_ports: Ports) -> None:
    browser = a_browser(session_ports)
    answer = ask((browser, "x"), route, MISSING | {"tenant": "acme"})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/console/sign-in")
    assert answer.text == ""


@pytest.mark.parametrize("route", OF_A_TENANT, ids=" ".join)
def test_anothers_pages_are_not_there_whether_they_exist_or_not(
    route: tuple[str, str], visitors: dict[Role, tuple[TestClient, str]], theirs: Everything
) -> None:
    foreign = {name: getattr(theirs, name) for name in MISSING} | {"tenant": theirs.tenant}
    for role in (Role.AGENT, Role.REVIEWER, Role.ADMIN):
        answers = [
            ask(visitors[role], route, ids)
            for ids in (foreign, MISSING | {"tenant": theirs.tenant}, MISSING | {"tenant": "no-such-tenant"})
        ]
        assert [answer.status_code for answer in answers] == [404, 404, 404]
        plain = [answer.text.replace(answer.headers["x-request-id"], "") for answer in answers]
        assert len(set(plain)) == 1
        heads = [{k: v for k, v in answer.headers.items() if k != "x-request-id"} for answer in answers]
        assert heads[0] == heads[1] == heads[2]


#: The names of directives are the program's: every tenant has the same.
WITH_IDS = [one for one in OF_A_TENANT if one[1].count("{") > 1 and "{directive}" not in one[1]]


@pytest.mark.parametrize("route", WITH_IDS, ids=" ".join)
def test_anothers_ids_under_ones_own_tenant_are_not_there(
    route: tuple[str, str], visitors: dict[Role, tuple[TestClient, str]], theirs: Everything
) -> None:
    foreign = {name: getattr(theirs, name) for name in MISSING}
    for store in ({"store": "mine"}, {}):
        if store and "memory_id" not in route[1] and "session_id" not in route[1]:
            continue
        ids = ({"store": "gone"} | MISSING, {**foreign, **(store or {"store": "gone"})})
        role = Role.OPERATOR if NEEDS[route] is OF_OPERATORS else Role.ADMIN
        answers = [ask(visitors[role], route, one | {"tenant": "console-matrix"}) for one in ids]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert theirs.tenant not in answers[1].text


def test_lists_hold_nothing_of_anothers(visitors: dict[Role, tuple[TestClient, str]], theirs: Everything) -> None:
    for route in [one for one in OF_A_TENANT if one[0] == "GET" and one[1].count("{") == 1]:
        text = ask(visitors[Role.ADMIN], route, {"tenant": "console-matrix"}).text
        assert not [value for value in theirs if value not in {"default", theirs.directive} and value in text], route


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("route", [one for one in SIGNED_IN if "sign-out" not in one[1]], ids=" ".join)
def test_a_role_sees_what_it_is_for_and_nothing_else(
    role: Role, route: tuple[str, str], visitors: dict[Role, tuple[TestClient, str]]
) -> None:
    need = NEEDS[route]
    assert need is not None
    status = ask(visitors[role], route, MISSING | {"tenant": "console-matrix"}).status_code
    assert (status == 403) == (role not in GRANTS[need])
    assert status < 500


@pytest.mark.parametrize("route", [one for one in SIGNED_IN if one[0] == "POST"], ids=" ".join)
def test_a_form_without_its_word_or_from_another_site_does_nothing(
    route: tuple[str, str], visitors: dict[Role, tuple[TestClient, str]], theirs: Everything
) -> None:
    browser, csrf = visitors[Role.OPERATOR]
    where = route[1].format(**{name: getattr(theirs, name) for name in MISSING}, tenant=theirs.tenant)
    others = visitors[Role.ADMIN][1]
    assert browser.post(where).status_code == 403
    assert browser.post(where, data={"csrf": others}).status_code == 403
    evil = {"Origin": "https://evil.test"}
    assert browser.post(where, data={"csrf": csrf}, headers=evil).status_code == 403


def test_an_operator_sees_every_tenant_and_the_others_only_their_own(
    visitors: dict[Role, tuple[TestClient, str]], theirs: Everything
) -> None:
    operator, _ = visitors[Role.OPERATOR]
    assert theirs.tenant in operator.get("/console", params={"find": theirs.tenant}).text
    assert operator.get(f"/console/t/{theirs.tenant}").status_code == 200
    reviewer, _ = visitors[Role.REVIEWER]
    assert reviewer.get("/console").headers["location"] == "/console/t/console-matrix"


def test_pages_allow_nothing_inline_and_hold_nothing_inline(
    visitors: dict[Role, tuple[TestClient, str]], theirs: Everything
) -> None:
    ids = {name: getattr(theirs, name) for name in MISSING} | {"tenant": theirs.tenant}
    for route in [one for one in SIGNED_IN if one[0] == "GET"]:
        answer = ask(visitors[Role.OPERATOR], route, ids)
        if answer.status_code != 200:
            continue
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert not re.search(r"<style|<script(?! src)|\son\w+=|\sstyle=|javascript:", answer.text), route
        assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text), route


def test_the_text_of_a_memory_is_shown_as_text_and_never_as_markup(ports: Ports, tenant: str) -> None:
    from tests.support.builders import write  # noqa: PLC0415 - nothing else here writes

    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    write(ports, tenant, {"api/a.md": f"# {evil}\n\n{evil}\n"})
    browser = a_visitor(ports, tenant)
    where = f"/console/t/{tenant}/stores/default/memories"
    found = browser.get(where).text
    memory = re.search(rf'href="({where}/mem_\w+)"', found)
    assert memory
    for text in (found, browser.get(memory.group(1)).text, browser.get(where, params={"q": "alert"}).text):
        assert "<script>alert" not in text
        assert "<img src=x" not in text
    assert "&lt;script&gt;" in browser.get(memory.group(1)).text


def test_the_colours_are_remembered(ports: Ports, tenant: str) -> None:
    browser = a_visitor(ports, tenant)
    assert "data-theme" not in browser.get(f"/console/t/{tenant}").text
    send(browser, "/console/theme", theme="dark", next=f"/console/t/{tenant}")
    assert 'data-theme="dark"' in browser.get(f"/console/t/{tenant}").text
    send(browser, "/console/theme", theme="<b>", next="/console")
    assert "data-theme" not in browser.get(f"/console/t/{tenant}").text
