"""Saved filters: a person's own names for what a list shows, as links above it."""

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.listings.saved_filters import MAX_SAVED
from shared.core.tenants.roles import Role
from tests.integration.console.console_support import a_visitor, send
from tests.support.builders import a_store


def page(browser: TestClient, tenant: str, rest: str) -> str:
    answer = browser.get(f"/console/t/{tenant}/{rest}")
    assert answer.status_code == 200
    return unescape(answer.text)


def saved(text: str) -> dict[str, str]:
    """The links of saved filters by their names."""
    chips = re.search(r'aria-label="Saved filters">(.*?)</nav>', text, re.DOTALL)
    return {name: where for where, name in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', chips[1])} if chips else {}


def save(browser: TestClient, tenant: str, name: str, query: str, of: str = "reviews") -> Any:
    return send(browser, f"/console/t/{tenant}/filters", list=of, name=name, query=query)


def test_a_saved_filter_is_a_link_that_leads_to_what_was_shown(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser = a_visitor(ports, tenant, Role.REVIEWER)
    assert "Save this filter" not in page(browser, tenant, "reviews")
    shown = page(browser, tenant, "reviews?confidence=high&kind=MERGE")
    query = re.search(r'name="query" value="([^"]+)"', shown)
    assert query
    answer = save(browser, tenant, "Sure merges", query[1])
    assert answer.headers["location"].endswith("/reviews?kind=MERGE&confidence=high")
    here = page(browser, tenant, "reviews?kind=MERGE&confidence=high")
    assert saved(here) == {"Sure merges": f"/console/t/{tenant}/reviews?kind=MERGE&confidence=high"}
    assert 'aria-current="true">Sure merges' in here
    assert 'aria-current="true">Sure merges' not in page(browser, tenant, "reviews")
    send(browser, f"/console/t/{tenant}/filters/delete", list="reviews", name="Sure merges")
    assert saved(page(browser, tenant, "reviews")) == {}


def test_each_list_and_each_person_has_its_own(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    ada, bob = a_visitor(ports, tenant, Role.REVIEWER), a_visitor(ports, tenant)
    save(ada, tenant, "mine", "state=error&since=2026-01-02", of="dreams")
    assert saved(page(ada, tenant, "dreams")) == {"mine": f"/console/t/{tenant}/dreams?state=error&since=2026-01-02"}
    assert saved(page(ada, tenant, "reviews")) == {}
    assert saved(page(bob, tenant, "dreams")) == {}
    send(bob, f"/console/t/{tenant}/filters/delete", list="dreams", name="mine")
    assert "There is no such saved filter" in page(bob, tenant, "dreams")
    assert list(saved(page(ada, tenant, "dreams"))) == ["mine"]


def test_an_operator_keeps_a_question_to_the_audit_log(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser = a_visitor(ports, tenant)
    answer = save(browser, tenant, "keys of that day", "action=key.&day=2026-01-02", of="audit")
    where = f"/console/t/{tenant}/settings/audit?action=key.&day=2026-01-02"
    assert answer.headers["location"] == where
    assert saved(page(browser, tenant, "settings/audit")) == {"keys of that day": where}
    assert "keys of that day is deleted" in page(
        browser,
        tenant,
        send(browser, f"/console/t/{tenant}/filters/delete", list="audit", name="keys of that day")
        .headers["location"]
        .removeprefix(f"/console/t/{tenant}/"),
    )


def test_a_name_that_is_taken_gets_the_new_filters_and_there_are_never_too_many(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser = a_visitor(ports, tenant)
    for number in range(MAX_SAVED + 1):
        save(browser, tenant, f"filter {number:02}", "kind=MERGE")
    text = page(browser, tenant, "reviews")
    assert len(saved(text)) == MAX_SAVED
    assert "delete one first" in text
    save(browser, tenant, "filter 03", "kind=SPLIT")
    assert saved(page(browser, tenant, "reviews"))["filter 03"].endswith("?kind=SPLIT")


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [
        ("  ", "kind=MERGE", "The name of a filter has"),
        ("x" * 61, "kind=MERGE", "The name of a filter has"),
        ("a\x00b", "kind=MERGE", "The name of a filter has"),
        ("all", "", "Choose a filter first"),
        ("evil", "next=//evil.test&kind=", "Choose a filter first"),
        ("long", "store=" + "x" * 600, "more than 500 characters"),
    ],
)
def test_a_filter_that_cannot_be_saved_is_refused_with_the_reason(
    name: str, query: str, said: str, ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    browser = a_visitor(ports, tenant)
    save(browser, tenant, name, query)
    text = page(browser, tenant, "reviews")
    assert said in text
    assert saved(text) == {}


def test_a_name_is_text_and_never_markup(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser = a_visitor(ports, tenant)
    save(browser, tenant, "<script>alert(1)</script>", 'store="><script>&kind=MERGE')
    assert "<script>alert" not in browser.get(f"/console/t/{tenant}/reviews").text
