"""An admin's choices at the console, in Chromium: a change seen before it holds, webhooks, and a search."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from shared.all_ports import Ports
from shared.core.policy.policy import Autonomy
from shared.core.tenants.roles import Role
from tests.e2e.gateway.console_browser import Desk, Look, a_key, needs_chromium
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.integration.webhooks.webhook_support import Receiver, a_receiver, deliver_due, local_ports
from tests.support.builders import write
from tests.support.clients.served import a_server

#: Forms, rights and texts are held by tests/integration/console without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
LOOKS = [Look(1280, "light"), Look(400, "dark")]
REFUND = {"billing/refunds.md": "# Refund window\n\nA refund is possible for 30 days.\n"}


@contextmanager
def a_desk(chromium: Browser, address: str, look: Look, ports: Ports, tenant: str) -> Iterator[Desk]:
    """An admin of the tenant at a desk; at its end nothing was hard to use."""
    desk = Desk(chromium, address, look)
    try:
        desk.go(f"/console/t/{tenant}")
        desk.sign_in(a_key(ports, tenant, Role.ADMIN))
        yield desk
        assert desk.problems == []
    finally:
        desk.close()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_an_admin_sees_what_a_change_would_have_done_before_it_holds(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"preview-{uuid4().hex[:8]}"
    write(session_ports, tenant, REFUND)
    with a_desk(chromium, address, look, session_ports, tenant) as desk:
        page = desk.page
        desk.go(f"/console/t/{tenant}/settings/stores/default")
        page.locator("summary", has_text="Gates").click()
        page.get_by_label("Min curations").fill("1")
        page.get_by_role("group").get_by_role("button", name="Preview the change").locator("visible=true").click()
        expect(page.get_by_text("In the last 7 days it would have dreamt")).to_be_visible()
        expect(page.locator("tr", has_text="gates.min_curations")).to_be_visible()
        desk.examine("preview")
        page.get_by_role("link", name="14 days").click()
        expect(page.get_by_text("In the last 14 days it would have dreamt")).to_be_visible()
        page.get_by_role("button", name="Save the change").click()
        expect(page.locator("tr.own", has_text="Min curations").locator("input")).to_have_value("1")


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_an_admin_makes_a_webhook_tests_it_and_sends_again_what_failed(
    look: Look, chromium: Browser, session_ports: Ports
) -> None:
    tenant, ports = f"hooks-{uuid4().hex[:8]}", local_ports(session_ports)
    write(ports, tenant, REFUND)
    with (
        a_receiver(500, 204) as receiver,
        a_server(ports) as address,
        a_desk(chromium, address, look, ports, tenant) as desk,
    ):
        _makes_a_webhook(desk, receiver, f"/console/t/{tenant}/settings/webhooks")
        _sends_a_test_until_it_arrives(desk, receiver, ports)


def _makes_a_webhook(desk: Desk, receiver: Receiver, where: str) -> None:
    page = desk.page
    desk.go(where)
    page.get_by_label("Address").fill(receiver.url)
    page.get_by_role("button", name="Make the webhook").click()
    expect(page.locator("[data-secret]")).to_contain_text("whsec_")
    desk.examine("webhook-secret")
    page.get_by_role("link", name="I have kept it").click()
    expect(page.get_by_text(receiver.url).first).to_be_visible()


def _sends_a_test_until_it_arrives(desk: Desk, receiver: Receiver, ports: Ports) -> None:
    page = desk.page
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is being sent")).to_be_visible()
    _deliver_until(receiver, 1, ports)
    page.reload()
    expect(page.locator("tr", has_text="webhook.test")).to_contain_text("HTTP 500")
    desk.examine("webhook-failed")
    page.locator("tr", has_text="webhook.test").get_by_role("button").click()
    expect(page.get_by_text("webhook.test is sent again")).to_be_visible()
    _deliver_until(receiver, 2, ports)
    page.reload()
    expect(page.locator("tr", has_text="webhook.test")).to_contain_text("delivered")
    page.get_by_role("button", name="Send again").last.click()
    assert len({one.id for one in receiver.received}) == 1, "the same message"
    assert len(receiver.received) == 2


def _deliver_until(receiver: Receiver, wanted: int, ports: Ports) -> None:
    """Deliver what is due until the receiver got as many messages: other tests leave due ones in this database, which come first."""
    for _ in range(50):
        deliver_due(ports)
        if len(receiver.received) >= wanted:
            return
    raise AssertionError(f"the receiver got {len(receiver.received)} messages, not {wanted}")


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_word_spelt_wrong_is_found_and_a_title_counts_what_waits(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"words-{uuid4().hex[:8]}"
    a_rich_store(session_ports, tenant, autonomy=Autonomy.PROPOSE)
    dream_of_everything(session_ports, tenant)
    write(session_ports, tenant, REFUND)
    with a_desk(chromium, address, look, session_ports, tenant) as desk:
        page = desk.page
        desk.go(f"/console/t/{tenant}/stores/default/memories")
        page.locator("input[name=q]").fill("refnd")
        page.locator("input[name=q]").press("Enter")
        expect(page.get_by_role("heading", name="Spelt alike")).to_be_visible()
        expect(page.locator(".hits").get_by_role("link", name="Refund window")).to_be_visible()
        desk.examine("spelt-alike")
        desk.go(f"/console/t/{tenant}/reviews")
        waiting = page.locator("[data-review]:not([data-settled])").count()
        assert page.title().startswith(f"({waiting}) Reviews")
