"""The console's page of webhooks: what an administrator sees of them, and what it never shows."""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint, delete_endpoint
from tests.integration.console.console_support import a_visitor, send
from tests.support.builders import a_store

URL = "https://hooks.example.com/slowwave"


def disable(ports: Ports, tenant: str, endpoint_id: str, reason: str) -> None:
    """As a worker does after an answer that ends it."""
    with ports.db.transaction(tenant) as uow:
        endpoint = uow.webhooks.get(endpoint_id, lock=True)
        uow.webhooks.save(replace(endpoint, disabled_at=uow.now(), disabled_reason=reason))


def test_an_administrator_sends_a_test_and_sees_that_it_waits(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    issued = create_endpoint(ports, tenant, NewEndpoint(url=URL), actor="a test")
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/webhooks"
    assert "Nothing was sent yet" in browser.get(where).text
    assert send(browser, f"{where}/{issued.endpoint.id}/test").headers["location"] == where
    page = browser.get(where).text
    assert "A test is being sent" in page
    assert "webhook.test" in page
    assert issued.secret not in page
    assert "No delivery matches" in browser.get(where, params={"state": "failed"}).text


def test_a_disabled_endpoint_is_seen_on_the_overview_and_enabled_with_a_button(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    endpoint = create_endpoint(ports, tenant, NewEndpoint(url=URL), actor="a test").endpoint
    disable(ports, tenant, endpoint.id, "It answered 410")
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/webhooks"
    assert "1 disabled" in browser.get(f"/console/t/{tenant}").text
    assert "It answered 410" in browser.get(where).text
    send(browser, f"{where}/{endpoint.id}/test")
    assert "is disabled; enable it first" in browser.get(where).text
    send(browser, f"{where}/{endpoint.id}/enable")
    assert "It answered 410" not in browser.get(where).text
    send(browser, f"{where}/{endpoint.id}/enable")
    assert "is enabled already" in browser.get(where).text


def test_deliveries_of_a_deleted_endpoint_do_not_break_the_page(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    gone, kept = (create_endpoint(ports, tenant, NewEndpoint(url=URL), actor="a test").endpoint for _ in range(2))
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/webhooks"
    send(browser, f"{where}/{gone.id}/test")
    delete_endpoint(ports.db, tenant, gone.id, actor="a test")
    assert "deleted" in browser.get(where).text
    assert send(browser, f"{where}/{gone.id}/test").status_code == 404
    assert kept.id in browser.get(where).text


def test_a_reviewer_is_not_led_to_webhooks(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    assert "/webhooks" not in a_visitor(ports, tenant, Role.REVIEWER).get(f"/console/t/{tenant}").text
