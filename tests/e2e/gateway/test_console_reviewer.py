"""A reviewer's minutes at the console, in Chromium: what a night has proposed, seen at once, judged and taken back."""

from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from gateway.console.reviews import reviews
from shared.all_ports import Ports
from shared.core.policy.policy import Autonomy
from shared.core.tenants.roles import Role
from tests.e2e.gateway.console_browser import Desk, Look, a_key, needs_chromium
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything

#: Forms, rights and texts are held by tests/integration/console/test_console_queue.py without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
PROPOSED = 8


@pytest.mark.parametrize("look", [Look(1280, "light"), Look(400, "dark")], ids=str)
def test_a_reviewer_sees_all_judges_with_keys_and_takes_back(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"reviewer-{look}-{uuid4().hex[:8]}"
    a_rich_store(session_ports, tenant, autonomy=Autonomy.PROPOSE)
    dream = dream_of_everything(session_ports, tenant)
    token = a_key(session_ports, tenant, Role.REVIEWER)
    desk = Desk(chromium, address, look)
    try:
        desk.go(f"/console/t/{tenant}/reviews")
        desk.sign_in(token)
        _sees_all(desk, look)
        _keeps_a_filter(desk)
        _asks_why_before_it_rejects(desk)
        _rejects_all_and_takes_it_back(desk)
        _reads_a_call(desk, f"/console/t/{tenant}/dreams/{dream.id}")
        assert desk.problems == []
    finally:
        desk.close()


@pytest.mark.parametrize("look", [Look(1280, "dark"), Look(400, "light")], ids=str)
def test_a_reviewer_decides_all_that_wait_in_one_round_and_one_on_its_own_page(
    look: Look, address: str, chromium: Browser, session_ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "_ON_A_PAGE", 4)
    tenant = f"many-{look}-{uuid4().hex[:8]}"
    a_rich_store(session_ports, tenant, autonomy=Autonomy.PROPOSE)
    dream_of_everything(session_ports, tenant)
    desk = Desk(chromium, address, look)
    try:
        desk.go(f"/console/t/{tenant}/reviews")
        desk.sign_in(a_key(session_ports, tenant, Role.REVIEWER))
        _decides_all_in_one_round(desk)
        _asks_why_on_the_page_of_an_operation(desk)
        assert desk.problems == []
    finally:
        desk.close()


def _decides_all_in_one_round(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("link", name=f"Select all {PROPOSED} …").click()
    for key in ("a", "r", "1", "u"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name=f"{PROPOSED} operations")).to_be_visible()
    page.get_by_text(f"Reject all {PROPOSED} …").click()
    desk.examine("all")
    page.locator(".bulk").get_by_role("button", name="It loses something").click()
    expect(page.get_by_role("heading", name=f"Rejected: {PROPOSED} operations")).to_be_visible()
    desk.examine("all-rejected")
    page.get_by_role("button", name=f"Take all {PROPOSED} back").click()
    expect(page.get_by_role("heading", name=f"Taken back: {PROPOSED} operations")).to_be_visible()
    page.get_by_role("link", name="Back to the reviews").click()
    expect(page.get_by_role("link", name=f"Select all {PROPOSED} …")).to_be_visible()


def _asks_why_on_the_page_of_an_operation(desk: Desk) -> None:
    page = desk.page
    page.locator("[data-review] h2 a").first.click()
    expect(page.get_by_role("heading", name="What changed")).to_be_attached()
    page.wait_for_load_state()  # the keys are the script's
    page.keyboard.press("1")
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="It is wrong")).to_be_visible()
    desk.examine("operation-asked-why")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="It is wrong")).to_be_hidden()
    page.keyboard.press("r")
    page.keyboard.press("2")
    expect(page.get_by_text("because: It loses something")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("it waits for a review again")).to_be_visible()


def _sees_all(desk: Desk, look: Look) -> None:
    waiting = desk.page.locator("[data-review]:not([data-settled])")
    expect(waiting).to_have_count(PROPOSED)
    place = waiting.last.bounding_box()
    assert place is not None
    assert look.width < 1280 or place["y"] + place["height"] <= 800, "all of them are on one screen"
    desk.examine("queue")


def _keeps_a_filter(desk: Desk) -> None:
    page = desk.page
    everything = page.url
    page.get_by_role("navigation", name="By kind").get_by_role("link").first.click()
    page.get_by_text("Save this filter").click()
    page.get_by_label("Name", exact=True).fill("First things")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Saved as First things")).to_be_visible()
    desk.examine("saved")
    page.goto(everything)
    saved = page.get_by_role("navigation", name="Saved filters").get_by_role("link", name="First things")
    saved.click()
    expect(saved).to_have_attribute("aria-current", "true")
    page.get_by_text("Save or delete").click()
    desk.examine("saved-or-deleted")
    page.get_by_role("button", name="Delete “First things”").click()
    expect(saved).to_have_count(0)
    page.goto(everything)


def _asks_why_before_it_rejects(desk: Desk) -> None:
    page = desk.page
    waiting = page.locator("[data-review]:not([data-settled])")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator(".review .effect > .diff-box").first).to_be_visible()
    expect(waiting.first).to_be_focused()
    page.keyboard.press("r")
    expect(waiting.first.get_by_role("button", name="It is wrong")).to_be_visible()
    desk.examine("asked-why")
    page.keyboard.press("Escape")
    expect(waiting.first.get_by_role("button", name="It is wrong")).to_be_hidden()
    page.keyboard.press("1")
    page.keyboard.press("r")
    page.keyboard.press("1")
    expect(page.locator("[data-settled]", has_text="because: It is wrong")).to_have_count(1)
    expect(waiting).to_have_count(PROPOSED - 1)
    expect(waiting.first).to_be_focused()  # the verdict has settled, so that it can be taken back
    page.keyboard.press("u")
    expect(waiting).to_have_count(PROPOSED)


def _rejects_all_and_takes_it_back(desk: Desk) -> None:
    page = desk.page
    page.get_by_text(f"Reject all {PROPOSED} on this page").click()
    page.locator(".bulk").get_by_role("button", name="It loses something").click()
    expect(page.get_by_role("heading", name=f"Rejected: {PROPOSED} operations")).to_be_visible()
    desk.examine("bulk")
    page.get_by_role("button", name=f"Take all {PROPOSED} back").click()
    expect(page.get_by_role("heading", name=f"Taken back: {PROPOSED} operations")).to_be_visible()
    page.get_by_role("link", name="Back to the reviews").click()
    expect(page.locator("[data-review]")).to_have_count(PROPOSED)


def _reads_a_call(desk: Desk, dream: str) -> None:
    page = desk.page
    desk.go(dream)
    page.locator(".timeline summary").first.click()
    page.locator(".timeline table a").first.click()
    expect(page.get_by_role("heading", name="Prompt")).to_be_visible()
    page.locator("summary").first.click()
    desk.examine("call")
