"""An owner's look at what an agent knows, in Chromium: folders, a memory and its versions, an edit, and a session."""

from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.memories.read import get_memory
from tests.e2e.gateway.console_browser import Desk, Look, a_key, needs_chromium
from tests.integration.console.knowledge.test_console_sessions import a_read_session
from tests.support.builders import write

#: Pages, forms and rights are held by tests/integration/console without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
LIMITS = """---
title: Rate limits
tags: [api, limits]
---
# Rate limits

The public API allows **300 requests** a minute for each key. See [[auth]], [the rota](../ops/on-call.md#who) and [[gone]].

| plan | requests |
|------|---------:|
| free | 60 |
| team | 300 |

- [ ] measure it again
- `Retry-After` says when, as [the standard](https://www.rfc-editor.org/rfc/rfc9110) wants

```
GET /v1/parcels
```
"""


@pytest.mark.parametrize("look", [Look(1280, "light"), Look(400, "dark")], ids=str)
def test_an_owner_reads_compares_edits_and_follows_a_session(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"owner-{look}-{uuid4().hex[:8]}"
    a_read_session(session_ports, tenant)
    _write(session_ports, tenant)
    desk = Desk(chromium, address, look)
    try:
        desk.go(f"/console/t/{tenant}/memories")
        desk.sign_in(a_key(session_ports, tenant, Role.ADMIN))
        _unfolds_a_folder(desk)
        _reads_a_memory(desk)
        _compares_versions_with_a_slider(desk)
        _saves_over_another_ones_edit(desk, session_ports, tenant)
        _asks_what_would_go(desk)
        _follows_a_session(desk)
        # The browser reports the status of the page of a conflict, 409, as an error.
        assert [one for one in desk.problems if "409" not in one] == []
    finally:
        desk.close()


def _write(ports: Ports, tenant: str) -> None:
    many = {f"notes/n{number:02}.md": f"# Note {number}\n\nIt is number {number}.\n" for number in range(60)}
    write(ports, tenant, {"api/limits.md": LIMITS, "ops/on-call.md": "# On call\n\n## Who\n\nAnna.\n", **many})
    memory = get_memory(ports.db, tenant, "default", "api/limits.md")
    for number in ("400 requests", "500 requests"):
        edit = MemoryEdit(content=LIMITS.replace("300 requests", number))
        edit_memory(ports.db, tenant, "default", memory.id, edit, expected=Expected(), author=Author.AGENT)


def _unfolds_a_folder(desk: Desk) -> None:
    page = desk.page
    desk.examine("folders")
    api = page.locator(".folder > a", has_text="api/")
    expect(api).to_have_attribute("aria-expanded", "false")
    api.focus()
    expect(api).to_be_focused()
    page.keyboard.press("Enter")
    expect(api).to_have_attribute("aria-expanded", "true")
    expect(api).to_be_focused()
    desk.examine("unfolded-folder")
    page.get_by_role("link", name="limits.md").click()
    expect(page.get_by_role("heading", name="api/limits.md")).to_be_visible()


def _reads_a_memory(desk: Desk) -> None:
    page = desk.page
    expect(page.locator(".prose .dead")).to_have_text("gone")
    page.get_by_text("Frontmatter: 2 fields").click()
    page.get_by_text("What changed").first.click()
    expect(page.locator(".history ins").first).to_be_visible()
    desk.examine("memory")
    page.locator(".prose").get_by_role("link", name="auth").click()
    expect(page.get_by_role("heading", name="auth.md")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="api/limits.md")).to_be_visible()


def _compares_versions_with_a_slider(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#compared del")).to_have_text("300")
    slider = page.get_by_role("slider", name="Older version, slider")
    slider.focus()
    expect(slider).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#compared del")).to_have_text("400")
    expect(slider).to_be_focused()
    desk.examine("compare")


def _saves_over_another_ones_edit(desk: Desk, ports: Ports, tenant: str) -> None:
    page = desk.page
    page.locator(".trail").get_by_role("link", name="api/limits.md").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    desk.examine("edit")
    text = page.get_by_label("Text", exact=True)
    text.fill(text.input_value().replace("500 requests", "mine"))
    memory = get_memory(ports.db, tenant, "default", "api/limits.md")
    edit = MemoryEdit(content=memory.content.replace("500 requests", "theirs"))
    edit_memory(ports.db, tenant, "default", memory.id, edit, expected=Expected(), author=Author.AGENT)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing of it is lost")
    expect(page.get_by_label("Your text")).to_have_value(memory.content.replace("500 requests", "mine"))
    desk.examine("conflict")
    page.get_by_role("button", name="Save over version 4").click()
    expect(page.get_by_text("Saved as version 5")).to_be_visible()


def _asks_what_would_go(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("link", name="Remove its text").last.click()
    expect(page.get_by_text("What goes:")).to_be_visible()
    desk.examine("redact")
    page.get_by_label("I know that this cannot be undone").check()
    page.get_by_role("button", name="Remove its text for good").click()
    expect(page.get_by_text("The text of version 1 is removed for good")).to_be_visible()


def _follows_a_session(desk: Desk) -> None:
    page = desk.page
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    desk.examine("sessions")
    page.get_by_role("link", name="chat").click()
    expect(page.locator("mark").first).to_be_visible()
    desk.examine("session")
    page.locator(".became").get_by_role("link").first.click()
    page.get_by_role("link", name="session …").last.click()  # the first one names who said it
    expect(page.locator(".event.aimed")).to_be_visible()
