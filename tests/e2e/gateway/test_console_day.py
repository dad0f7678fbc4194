"""An operator's day at the console, in Chromium: from a tenant that does not dream to a dream that was undone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from celery import Celery
from playwright.sync_api import Browser, Page, expect

from shared.adapters.celery.config import celery_config
from shared.all_ports import Ports
from shared.bootstrap import broker_url, make_ports
from shared.core.dream.model import DreamState
from shared.core.memory.model import Memory
from shared.core.tenants.roles import Role
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint
from shared.settings import Settings
from tests.e2e.cli.cli_support import DEMO_NOTES
from tests.e2e.gateway.console_browser import LOOKS, Desk, Look, a_key, needs_chromium
from tests.e2e.workers.worker_support import a_worker
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import take_picture, write
from tests.support.clients.served import a_server

#: Pages, forms and rights are held by tests/integration/console without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
NOTES = {str(path.relative_to(DEMO_NOTES)): path.read_text() for path in sorted(DEMO_NOTES.rglob("*.md"))}
#: Names that may be seen in pictures.
TENANTS = dict(zip(map(str, LOOKS), ("acme-parcels", "blue-parcels", "city-parcels", "dawn-parcels"), strict=True))
ENDED_MS = 90_000


@pytest.fixture(scope="module")
def address(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("console") / "worker.log"
    app = Celery("console")
    app.conf.update(celery_config(settings, broker_url(settings)))
    ports = make_ports(settings, lambda: app)
    try:
        with a_worker(settings, log, {"SLOWWAVE_LLM": "offline"}), a_server(ports) as found:
            yield found
    finally:
        ports.close()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_an_operator_finds_out_dreams_judges_and_undoes(
    look: Look, address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = TENANTS[str(look)]
    write(session_ports, tenant, NOTES)
    create_endpoint(session_ports, tenant, NewEndpoint(url="https://hooks.example.com/slowwave"), actor="a test")
    before = take_picture(session_ports, tenant)
    desk = Desk(chromium, address, look)
    try:
        _signs_in(desk, a_key(session_ports, tenant, Role.OPERATOR), tenant)
        _orders_all_tenants(desk, look, session_ports, tenant)
        _finds_why_it_does_not_dream(desk)
        _starts_and_watches(desk)
        _rejects_one(desk)
        _judges_with_keys(desk, tenant)
        _looks_at_webhooks(desk, tenant)
        _undoes(desk, tenant)
        _sees_the_memory_restored(desk, tenant)
        assert desk.problems == []
    finally:
        desk.close()
    after = take_picture(session_ports, tenant)
    assert _texts(after.memories) == _texts(before.memories)


def test_the_examination_finds_what_is_hard_to_use(chromium: Browser, address: str) -> None:
    desk = Desk(chromium, address, LOOKS[-1])
    desk.page.set_content("<html lang='en'><title>x</title><main><button></button><pre>" + "w" * 500 + "</pre></main>")
    desk.examine("bad")
    desk.close()
    assert any("px wide" in problem for problem in desk.problems)
    assert any("button-name" in problem for problem in desk.problems)


def _texts(memories: Mapping[str, Memory]) -> dict[str, Memory]:
    return {key: replace(memory, is_dirty=True) for key, memory in memories.items()}


def _signs_in(desk: Desk, token: str, tenant: str) -> None:
    page = desk.page
    desk.go(f"/console/t/{tenant}")
    desk.examine("sign-in")
    desk.sign_in(token)
    expect(page.get_by_role("heading", name=tenant)).to_be_visible()
    desk.examine("first-overview")
    desk.go("/console")
    expect(page.get_by_role("heading", name="Tenants")).to_be_visible()
    desk.examine("tenants")


def _orders_all_tenants(desk: Desk, look: Look, ports: Ports, tenant: str) -> None:
    """The tenant that has most of what a column counts comes first; on a narrow screen, a list of choices has the columns."""
    page = desk.page
    runs, partial, pays = _tenants_beside(ports, tenant)
    desk.go("/console?find=" + tenant)
    for order, first in (
        ("running", runs), ("partial", partial), ("failed", ""), ("overdue", ""), ("to_review", ""), ("spent", ""),
        ("tokens", pays), ("cost", pays), ("attention", ""), ("name", tenant),
    ):  # fmt: skip
        header = page.locator(f"thead th:has(a[href^='?order={order}&'])")
        if look.width > 640:
            header.get_by_role("link").click()
        else:
            page.get_by_label("Order by").select_option(order)
        expect(header).to_have_attribute("aria-sort", "ascending" if order == "name" else "descending")
        expect(page.locator("td.name")).to_have_count(4)
        if first:
            expect(page.locator("td.name").first).to_have_text(first)
    desk.examine("tenants-ordered")
    page.get_by_role("link", name=tenant, exact=True).click()


def _tenants_beside(ports: Ports, tenant: str) -> tuple[str, str, str]:
    """Return a tenant whose dream runs, one whose dream ended partial, and one whose dream cost something."""
    runs, partial, pays = (f"{tenant}-{name}" for name in ("runs", "partial", "pays"))
    for name in (runs, partial, pays):
        write(ports, name, {"a.md": "# A\n\nIt rains.\n"})
        dream = start_and_claim(ports, name)
        with ports.db.transaction(name) as uow:
            if name == pays:
                usage = LlmUsage(input_tokens=900, output_tokens=100, cost_usd=1.5)
                reply = LlmReply(outcome=LlmOutcome.REFUSED, model="claude-haiku-4-5", usage=usage)
                uow.calls.record(dream.id, "prune", "k", reply, latency_ms=1)
            if name != runs:
                state = DreamState.PARTIAL if name == partial else DreamState.COMPLETED
                uow.dreams.finish(dream.id, state, reason="", has_failed=False)
    return runs, partial, pays


def _finds_why_it_does_not_dream(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("link", name="default").click()
    expect(page.get_by_role("heading", name="Why is it not dreaming?")).to_be_visible()
    expect(page.get_by_text("Its agent was active").first).to_be_visible()
    desk.examine("store")


def _starts_and_watches(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Force a dream").click()
    expect(page.get_by_text("A dream was started")).to_be_visible()
    page.evaluate("window.sameDocument = true")
    expect(page.locator("#live[data-state=completed]")).to_be_visible(timeout=ENDED_MS)
    assert page.evaluate("window.sameDocument"), "the page was loaded again"
    for phase in ("orient", "consolidate", "index"):
        expect(page.locator(".timeline li", has=page.get_by_text(phase, exact=True))).to_be_visible()
    expect(page.locator(".timeline .busy")).to_have_count(0)
    desk.examine("dream")


def _rejects_one(desk: Desk) -> None:
    page = desk.page
    dream = page.url
    page.locator(".chips").get_by_role("link", name=re.compile("^merged")).click()
    page.get_by_text("What changed").first.click()
    expect(page.locator(".operations .reading p").first).to_be_visible()
    desk.examine("unfolded")
    page.locator(".operations").get_by_role("link", name="Merged").first.click()
    expect(page.locator(".reading p", has_text="from").first).to_be_visible()
    desk.examine("diff")
    page.locator("[data-reject] summary").click()
    page.get_by_role("button", name="It is wrong").click()
    expect(page.get_by_text("Rejected: nothing was changed")).to_be_visible()
    desk.go(dream[dream.index("/console") :])
    expect(page.locator(".state", has_text="rejected").first).to_be_visible()


def _judges_with_keys(desk: Desk, tenant: str) -> None:
    page = desk.page
    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Reviews")).to_be_visible()
    waiting = page.locator("[data-review]:not([data-settled])")
    number = waiting.count()
    page.keyboard.press("j")
    expect(waiting.first).to_be_focused()
    desk.examine("reviews")
    page.keyboard.press("a")
    expect(page.locator("[data-settled]", has_text="Approved")).to_be_visible()
    expect(waiting).to_have_count(number - 1)
    expect(waiting.first).to_be_focused()
    if number > 1:
        page.keyboard.press("r")
        page.keyboard.press("2")
        expect(page.locator("[data-settled]", has_text="because: It loses something")).to_be_visible()
        desk.examine("verdicts")
        page.keyboard.press("u")
        expect(waiting).to_have_count(number - 1)
        expect(waiting.first).to_be_focused()
        _never_rejects_after_g(desk, number - 1)
    desk.go(f"/console/t/{tenant}")
    desk.examine("overview")


def _never_rejects_after_g(desk: Desk, number: int) -> None:
    """A key that follows `g` names a page, however late it comes; here `g g r` and a hesitating `g … r`."""
    page = desk.page
    for keys in (["g", "g", "r"], ["g", "Shift", "r"]):
        page.keyboard.press("j")
        page.evaluate("window.sameDocument = true")
        for key in keys:
            page.wait_for_timeout(1_600 if key == "r" else 0)
            page.keyboard.press(key)
        page.wait_for_function("!window.sameDocument")
        expect(page.locator("[data-review]:not([data-settled])")).to_have_count(number)


def _looks_at_webhooks(desk: Desk, tenant: str) -> None:
    page = desk.page
    desk.go(f"/console/t/{tenant}")
    page.locator("main").get_by_role("link", name="Webhooks").click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is being sent")).to_be_visible()
    expect(page.locator("tbody", has_text="webhook.test")).to_be_visible()
    desk.examine("webhooks")


def _undoes(desk: Desk, tenant: str) -> None:
    page = desk.page
    desk.go(f"/console/t/{tenant}/dreams")
    desk.examine("dreams")
    page.locator("tbody a").first.click()
    page.get_by_role("link", name="Undo this dream").click()
    expect(page.get_by_role("heading", name="What an undo would do")).to_be_visible()
    desk.examine("undo")
    page.get_by_role("button", name="Undo the dream").click()
    expect(page.get_by_text(re.compile(r"Undone: \d+ operations"))).to_be_visible()
    expect(page.locator("#live[data-state=undone]")).to_be_visible()


def _sees_the_memory_restored(desk: Desk, tenant: str) -> None:
    page = desk.page
    path, text = next((path, text) for path, text in NOTES.items() if path == "api/rate-limits.md")
    desk.go(f"/console/t/{tenant}/stores/default/memories?prefix={path}")
    desk.examine("memories")
    _open(page, path)
    desk.examine("restored")
    page.get_by_role("link", name="Source").click()
    assert page.locator("pre.text").text_content() == text


def _open(page: Page, path: str) -> None:
    page.get_by_role("link", name=path).click()
    expect(page.get_by_role("heading", name=path)).to_be_visible()
