"""Special cases on pages: a failed dream, an operation without a text, a refusal, and the rules of retention."""

import re
from html import unescape

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.sessions.ingest import ImportTarget
from shared.services.sessions.live import open_live_session
from tests.integration.console.console_support import a_visitor, send
from tests.integration.gates.test_quarantine import quarantine
from tests.integration.undo.undo_support import Dreamt, of_kind
from tests.support.builders import a_store


def said(page: str) -> str:
    """The text that a person reads, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_a_dream_that_failed_does_not_say_that_no_change_was_needed(ports: Ports, tenant: str) -> None:
    failed = quarantine(ports, tenant)[-1]
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}"
    page = said(browser.get(f"{where}/dreams/{failed.id}").text)
    assert "It changed nothing. It failed; the reason is above." in page
    assert "up to date" not in page
    store = said(browser.get(f"{where}/stores/default").text)
    assert re.search(r"The newest dream, \d\d \w{3}, \d+\w\w , ended as error : orient failed", store)


def test_an_operation_without_a_text_promises_no_text_back(ports: Ports, dreamt: Dreamt) -> None:
    browser, where = a_visitor(ports, dreamt.tenant), f"/console/t/{dreamt.tenant}/operations"
    flag = browser.get(f"{where}/{of_kind(ports, dreamt.tenant, dreamt.dream, OperationKind.FLAG).id}").text
    assert "<title>Flagged · slowwave</title>" in flag
    assert "It changes no memory by itself" in flag or "it changes no memory by itself" in flag
    assert "restores these memories" not in flag
    redo = said(browser.get(f"/console/t/{dreamt.tenant}/dreams/{dreamt.dream.id}/redo").text)
    assert "Nothing to redo: this dream is completed, not undone." in redo


def test_a_page_that_is_not_allowed_says_in_words_what_is_not(ports: Ports, tenant: str) -> None:
    answer = a_visitor(ports, tenant, Role.REVIEWER).get(f"/console/t/{tenant}/settings/keys")
    assert answer.status_code == 403
    assert "The role reviewer may not see or change settings, keys and costs." in said(answer.text)


def test_retention_says_what_is_kept(ports: Ports, tenant: str) -> None:
    page = said(a_visitor(ports, tenant).get(f"/console/t/{tenant}/settings/retention").text)
    assert "What is kept Days From Dreams that can be undone 30 installation Old versions of memories" in page


def test_a_store_that_never_dreamt_offers_only_what_its_buttons_do(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    page = said(a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default").text)
    assert "It has not dreamt yet. The reason is above. “What would it cost?” says" in page
    assert "dry run" not in page.lower()


def test_a_session_without_events_has_none_yet_instead_of_never(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="api", is_current=True)
    open_live_session(ports.db, target, "chat-of-today")
    page = said(a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/sessions").text)
    assert "chat-of-today api going on 0 none yet not yet" in page
    assert "on the day" in page


def test_when_a_store_is_looked_at_next_is_said_once(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default"
    page = said(browser.get(where).text)
    assert page.count("checked again") == 1, page
    assert "Next check" not in page
    send(browser, f"{where}/pause")
    assert "checked again" not in said(browser.get(where).text), "a pause ends when a person ends it"
