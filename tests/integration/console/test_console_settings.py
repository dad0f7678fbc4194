"""The settings of a tenant on the console: what holds and where it comes from, keys, and the audit log."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

from gateway.api.server import create_server
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.tenants.configure import TenantChanges, configure_tenant
from shared.services.tenants.keys import find_keys
from shared.services.tenants.stores import get_tenant
from shared.services.webhooks.endpoints import find_endpoints
from tests.integration.api.api_support import a_client, an_app, bearer
from tests.integration.console.console_support import a_browser, a_visitor, send, sign_in
from tests.support.builders import a_store

_SECRET = re.compile(r"data-secret[^>]*>([^<]+)<")


def secret_of(text: str) -> str:
    """The secret that a page shows."""
    found = _SECRET.search(text)
    assert found, text
    return unescape(found.group(1))


def test_an_admin_changes_the_clock_and_sees_that_it_is_the_tenants_own(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings"
    send(browser, f"{where}/clock", time_zone="Europe/Berlin", quiet_hours="22:00-06:00", locale="de")
    found = get_tenant(ports.db, tenant)
    assert (found.time_zone, found.quiet_hours, found.locale) == ("Europe/Berlin", "22:00-06:00", "de")
    send(browser, f"{where}/clock", time_zone="Europe/Berlin", quiet_hours="", locale="de")
    assert get_tenant(ports.db, tenant).quiet_hours == ""
    send(browser, f"{where}/clock", time_zone="Middle/Earth", quiet_hours="", locale="de")
    assert "There is no time zone" in browser.get(where).text
    assert get_tenant(ports.db, tenant).time_zone == "Europe/Berlin"


def test_an_operator_sets_limits_and_model_and_an_admin_reads_them(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    operator, where = a_visitor(ports, tenant, Role.OPERATOR), f"/console/t/{tenant}/settings"
    send(operator, f"{where}/limits", max_concurrent_dreams="3", tokens_per_day="", model_calls_at_once="4")
    assert (get_tenant(ports.db, tenant).max_concurrent_dreams, get_tenant(ports.db, tenant).tokens_per_day) == (
        3,
        None,
    )
    send(operator, f"{where}/limits", usd_per_day="2.50", usd_per_month="40")
    assert (get_tenant(ports.db, tenant).usd_per_day, get_tenant(ports.db, tenant).usd_per_month) == (2.5, 40.0)
    send(operator, f"{where}/limits", usd_per_day="2.50")
    assert (get_tenant(ports.db, tenant).usd_per_day, get_tenant(ports.db, tenant).usd_per_month) == (2.5, None)
    send(operator, f"{where}/limits", max_concurrent_dreams="none")
    assert "max concurrent dreams: " in operator.get(where).text
    send(operator, f"{where}/model", model="claude-haiku-4-5", batch="on", api_key_variable="SLOWWAVE_LLM_API_KEY_ACME")
    send(operator, f"{where}/model", model="claude-haiku-4-5", batch="", api_key_variable="SLOWWAVE_LLM_API_KEY_ACME")
    own = {"model": "claude-haiku-4-5", "api_key_variable": "SLOWWAVE_LLM_API_KEY_ACME"}
    assert get_tenant(ports.db, tenant).llm == own
    page = a_visitor(ports, tenant).get(f"{where}/model").text
    assert "claude-haiku-4-5" in page
    assert "SLOWWAVE_" not in page
    assert f'action="{where}' not in page


def test_the_password_of_an_endpoint_is_neither_shown_nor_lost(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    changes = TenantChanges(llm={"base_url": "https://ann:hush@llm.example.com", "model": "small"})
    configure_tenant(ports.db, tenant, changes=changes, actor="a test")
    operator, where = a_visitor(ports, tenant, Role.OPERATOR), f"/console/t/{tenant}/settings/model"
    assert "hush" not in operator.get(where).text
    send(operator, where, base_url="https://***@llm.example.com", model="large")
    assert get_tenant(ports.db, tenant).llm == {"base_url": "https://ann:hush@llm.example.com", "model": "large"}


def test_days_of_retention_are_set_and_go_back_to_the_installations(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/retention"
    send(browser, where, versions="90", audit="365")
    send(browser, where, versions="90", audit="")
    assert get_tenant(ports.db, tenant).retention == {"versions": 90}
    send(browser, where, versions="1")
    assert "can be undone for 30 days" in browser.get(where).text
    send(browser, where, versions="many")
    assert "takes a number of days" in browser.get(where).text
    assert get_tenant(ports.db, tenant).retention == {"versions": 90}


def test_a_key_is_shown_once_works_and_ends_when_it_is_rotated_or_revoked(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/keys"
    client = a_client(an_app(ports, create_server))
    first = secret_of(send(browser, where, name="a program", role="agent").text)
    key = next(one for one in find_keys(ports.db, tenant) if one.name == "a program")
    assert client.get("/api/stores", headers=bearer(first)).status_code == 200
    assert first not in browser.get(where).text
    second = secret_of(send(browser, f"{where}/{key.id}/rotate", grace_minutes="0").text)
    assert client.get("/api/stores", headers=bearer(first)).status_code == 401
    assert client.get("/api/stores", headers=bearer(second)).status_code == 200
    send(browser, f"{where}/{key.id}/revoke")
    assert client.get("/api/stores", headers=bearer(second)).status_code == 401
    assert key.id in browser.get(where, params={"state": "revoked"}).text
    send(browser, f"{where}/{key.id}/rotate")
    assert "is revoked already" in browser.get(where).text


def test_an_admin_makes_no_operators_key_and_ends_none(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/keys"
    send(browser, where, name="higher", role="operator")
    assert "Only an operator can create" in browser.get(where).text
    a_visitor(ports, tenant, Role.OPERATOR)
    operators = next(one for one in find_keys(ports.db, tenant) if one.role is Role.OPERATOR)
    send(browser, f"{where}/{operators.id}/revoke")
    assert "Only an operator can change" in browser.get(where).text
    assert next(one for one in find_keys(ports.db, tenant) if one.id == operators.id).revoked_at is None


def test_a_webhook_is_made_its_secret_shown_once_renewed_and_deleted(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/webhooks"
    made = send(browser, where, url="https://hooks.example.com/x", events="dream.finished", description="the desk")
    [endpoint] = find_endpoints(ports.db, tenant)
    assert (endpoint.events, endpoint.description) == (("dream.finished",), "the desk")
    assert secret_of(made.text) not in browser.get(where).text
    again = send(browser, f"{where}/{endpoint.id}/rotate", grace_hours="24")
    assert secret_of(again.text) != secret_of(made.text)
    send(browser, where, url="ftp://nowhere", events="dream.finished")
    assert 'class="notice refused"' in browser.get(where).text
    send(browser, f"{where}/{endpoint.id}/delete")
    assert find_endpoints(ports.db, tenant) == []


def test_the_old_address_of_webhooks_leads_to_the_new_one(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    found = a_visitor(ports, tenant).get(f"/console/t/{tenant}/webhooks?state=failed")
    assert found.headers["location"] == f"/console/t/{tenant}/settings/webhooks?state=failed"


def test_the_audit_log_is_filtered_by_actor_action_and_day(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    for number, actor in enumerate(("cli:ann", "cli:bob")):
        changes = TenantChanges(max_concurrent_dreams=number + 5)
        configure_tenant(ports.db, tenant, changes=changes, actor=actor)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/audit"
    page = browser.get(where).text
    assert "max concurrent dreams: 1 → 5" in unescape(page)
    assert "5 → 6" not in browser.get(where, params={"actor": "cli:ann"}).text
    assert "tenant.configure" not in browser.get(where, params={"action": "key."}).text.partition("<tbody")[2]
    today = datetime.now(UTC).date()
    assert "5 → 6" in browser.get(where, params={"day": str(today)}).text + page
    assert "No change matches" in browser.get(where, params={"day": str(today - timedelta(days=3))}).text
    assert browser.get(where, params={"day": "yesterday"}).status_code == 200


def test_a_browser_that_rotates_its_own_key_has_to_sign_in_again(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/keys"
    token = secret_of(send(browser, where, name="mine", role="admin").text)
    key = next(one for one in find_keys(ports.db, tenant) if one.name == "mine")
    own = a_browser(ports)
    sign_in(own, token)
    assert "You are signed in with this key" in own.get(where).text
    renewed = secret_of(send(own, f"{where}/{key.id}/rotate", grace_minutes="0").text)
    assert own.get(where).headers["location"].startswith("/console/sign-in")
    assert sign_in(own, renewed).status_code == 303
