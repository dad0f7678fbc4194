"""An owner's day at the console, in Chromium: what the agent learned and knows, what it cost, and who may do what."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.e2e.gateway.console_browser import PICTURES, Desk, Look, a_key, needs_chromium
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import write

#: Forms, rights and texts are held by tests/integration/console without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
PATH = "office/door.md"
#: The graph that is walked: written after the dream, which would move them.
LINKED = {
    "team/rota.md": "# Rota\n\nAda opens [the office](../office/door.md) on Mondays; before, [another](gone.md) did.\n",
    "team/ada.md": "# Ada\n\nShe is on the [[rota]].\n",
}
#: More links than any of these pages has.
_MOST_TABS = 80
#: Names that may be seen in pictures, each of one test.
LOOKS = {Look(1280, "light"): "acme-office", Look(400, "dark"): "blue-office"}


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_an_owner_reads_mends_looks_at_costs_and_hands_out_keys(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = LOOKS[look] if PICTURES else f"owner-{uuid4().hex}"
    a_rich_store(session_ports, tenant)
    dream_of_everything(session_ports, tenant)
    write(session_ports, tenant, LINKED)
    token = a_key(session_ports, tenant, Role.ADMIN)
    desk = Desk(chromium, address, look)
    try:
        desk.go(f"/console/t/{tenant}")
        desk.sign_in(token)
        _sees_own_tenant_only(desk, tenant)
        _reads_what_was_learned(desk)
        _reads_what_was_said(desk)
        _asks_as_an_agent(desk)
        _finds_a_memory(desk)
        _walks_the_graph(desk)
        _mends_it(desk)
        _compares_what_changed(desk)
        _reads_what_it_cost(desk)
        _hands_out_a_key(desk)
        _reads_who_did_what(desk)
        assert desk.problems == []
    finally:
        desk.close()


def _sees_own_tenant_only(desk: Desk, tenant: str) -> None:
    page = desk.page
    expect(page.get_by_role("heading", name=tenant)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Tenants")).to_have_count(0)
    desk.examine("own-tenant")
    _reads_a_day_of_a_chart(desk)


def _reads_a_day_of_a_chart(desk: Desk) -> None:
    """Under the mouse a chart says the numbers of a day, and again those of all days when the mouse has left."""
    page = desk.page
    memories = page.locator("figure", has=page.get_by_text("Memories", exact=True))
    said = memories.locator("[data-said]")
    expect(memories.locator("canvas")).to_be_visible()
    memories.locator("[data-chart]").hover()
    expect(said).to_have_text(re.compile(r"^\d\d \w{3}: [\d,]+$"))
    page.get_by_role("heading", level=1).hover()
    expect(said).to_contain_text("14 days")


def _goes_to(desk: Desk, place: str) -> None:
    desk.page.get_by_role("navigation", name="Main").get_by_role("link", name=place).click()


def _reads_what_was_learned(desk: Desk) -> None:
    page = desk.page
    _goes_to(desk, "Insight")
    expect(page.get_by_role("heading", name="What it learned this week")).to_be_visible()
    expect(page.locator(".learned")).to_contain_text("It corrected one statement")
    desk.examine("insight")
    page.get_by_role("link", name="Week before").click()
    expect(page.get_by_role("heading", name="What it learned", exact=True)).to_be_visible()
    desk.examine("insight-before")
    page.get_by_role("link", name="This week").click()
    page.locator(".lessons li", has_text="5678").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Corrected")).to_be_visible()


def _reads_what_was_said(desk: Desk) -> None:
    page = desk.page
    _goes_to(desk, "Sessions")
    desk.examine("sessions")
    page.locator("tbody").get_by_role("link", name="s0", exact=True).click()
    expect(page.locator(".event mark").first).to_be_visible()
    expect(page.locator(".became")).to_contain_text(PATH)
    desk.examine("session")


def _reads_what_it_cost(desk: Desk) -> None:
    page = desk.page
    _goes_to(desk, "Costs")
    expect(page.locator("tbody tr", has_text="default").first).to_be_visible()
    desk.examine("costs")
    page.get_by_role("link", name="by phase").click()
    expect(page.get_by_role("heading", name="By phase")).to_be_visible()
    desk.examine("costs-by-phase")


def _finds_a_memory(desk: Desk) -> None:
    page = desk.page
    _goes_to(desk, "Memories")
    page.locator("input[name=q]").fill("code of the office door")
    page.locator("input[name=q]").press("Enter")
    page.locator(".hits").get_by_role("link", name="Door", exact=True).click()
    expect(page.get_by_role("heading", name=PATH)).to_be_visible()
    desk.examine("memory")


def _asks_as_an_agent(desk: Desk) -> None:
    page = desk.page
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Ask the memory")).to_be_visible()
    desk.examine("ask")
    page.keyboard.press("/")
    page.keyboard.type("What is the code of the office door?")
    page.keyboard.press("Enter")
    found = page.locator(".read", has=page.get_by_role("link", name=PATH)).first
    expect(found.locator(".lines").first).to_contain_text("5678")
    desk.unfold_all()
    desk.examine("asked")
    said = found.get_by_label("What is right").first
    said.fill("The code of the office door is 9012.")
    found.get_by_role("button", name="Note the correction").first.click()
    expect(page.get_by_role("status")).to_contain_text(f"the next dream corrects {PATH}")


def _sees_the_whole_drawing(desk: Desk) -> None:
    """No part of it is beyond the edge of its box, and each node has its name beside it."""
    box = desk.page.locator(".graph")
    assert box.evaluate("each => each.scrollWidth <= each.clientWidth")
    nodes = box.locator(".node")
    assert nodes.count() == box.locator(".node text:visible").count()


def _walks_the_graph(desk: Desk) -> None:
    page = desk.page
    memory = page.url
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Memories").click()
    page.get_by_role("link", name="Graph of links").click()
    expect(page.get_by_role("heading", name="Links between folders")).to_be_visible()
    _sees_the_whole_drawing(desk)
    desk.examine("graph")
    _goes_by_keyboard_to(desk, "team")
    expect(page.get_by_role("heading", name="Links of team")).to_be_visible()
    _sees_the_whole_drawing(desk)
    desk.examine("graph-folder")
    _goes_by_keyboard_to(desk, "rota.md")
    expect(page.get_by_role("heading", name="team/rota.md")).to_be_visible()
    expect(page.locator(".ends .dead")).to_have_text("gone.md")
    desk.examine("graph-memory")
    _goes_by_keyboard_to(desk, "door.md")
    expect(page.get_by_role("heading", name=PATH)).to_be_visible()
    expect(page.locator("section", has_text="Linked from")).to_contain_text("team/rota.md")
    page.goto(memory)


def _goes_by_keyboard_to(desk: Desk, node: str) -> None:
    """Press Tab until a node of the drawing has the focus, then Enter."""
    page = desk.page
    expect(page.locator(".graph a.node", has_text=node).first).to_be_visible()
    for _ in range(_MOST_TABS):
        page.keyboard.press("Tab")
        focused = page.locator(".graph a.node:focus")
        if focused.count() and node in (focused.text_content() or ""):
            page.keyboard.press("Enter")
            return
    msg = f"no Tab led to {node}"
    raise AssertionError(msg)


def _mends_it(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("link", name="Edit", exact=True).click()
    page.locator("textarea[name=content]").fill(
        "# Door\n\nThe code of the office door is 9012, since a person says so.\n"
    )
    desk.examine("edit")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("article.prose")).to_contain_text("9012")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()


def _compares_what_changed(desk: Desk) -> None:
    page = desk.page
    page.locator(".history details summary").first.click()
    expect(page.locator(".history .diff").first).to_be_visible()
    desk.examine("history")


def _hands_out_a_key(desk: Desk) -> None:
    page = desk.page
    _goes_to(desk, "Settings")
    desk.examine("settings")
    page.locator("main").get_by_role("link", name="Keys", exact=True).click()
    page.get_by_label("Name").fill("A reviewer's key")
    page.get_by_label("Role").select_option("reviewer")
    page.get_by_role("button", name="Make the key").click()
    expect(page.locator("[data-secret]")).to_contain_text("swk_")
    desk.examine("secret")
    page.get_by_role("link", name="I have kept it").click()
    row = page.locator("tbody tr", has_text="A reviewer's key")
    expect(row).to_be_visible()
    expect(page.get_by_text("swk_")).to_have_count(0)
    desk.examine("keys")


def _reads_who_did_what(desk: Desk) -> None:
    page = desk.page
    page.locator("main").get_by_role("link", name="Audit log").click()
    expect(page.locator("tbody tr").first).to_be_visible()
    desk.examine("audit")
