"""A customer's console names nothing of the server: no command, no runbook, no environment variable."""

import re
from collections.abc import Iterator
from html import unescape

import psycopg
import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.api.api_support import a_tenant_with_everything
from tests.integration.console.console_support import a_visitor
from tests.support.builders import a_store
from workers.phases import CATALOG

_LINK = re.compile(r'(?:href|hx-get)="(/console/t/[^"#]+)"')
_TAGS = re.compile(r"<[^>]+>")
#: A command line, a path of the repository or a variable, in the text that a person reads.
_OF_THE_SERVER = re.compile(r"(?:\./)?slowwave [a-z]+[ `].*|runbooks?/\S+|SLOWWAVE_\w+|--[a-z]+[ =]\S+")
#: Digits and ids tell pages of one kind apart: this many pages of each kind are opened.
_OF_A_KIND = 3
_ID = re.compile(r"(?:drm|op|mem|call|hook|dlv|key|ses|aud)_\w+|cursor=[^&]+|=[^&]*")


def crawl(browser: TestClient, start: str) -> Iterator[tuple[str, str]]:
    """Follow links from a page, and yield each address with the text of its page."""
    waiting, seen, of_kind = [start], {start}, dict[str, int]()
    while waiting:
        where = waiting.pop(0)
        kind = _ID.sub("*", where)
        of_kind[kind] = of_kind.get(kind, 0) + 1
        if of_kind[kind] > _OF_A_KIND:
            continue
        answer = browser.get(where)
        assert answer.status_code in {200, 303, 403}, (where, answer.status_code)
        links = {unescape(link) for link in _LINK.findall(answer.text)} - seen
        seen |= links
        waiting += sorted(links)
        yield where, answer.text


def words_of(page: str) -> str:
    """Return the visible text of a page, without `pre`, which holds the tenant's own words."""
    return unescape(_TAGS.sub(" ", re.sub(r"(?s)<pre.*?</pre>", "", page)))


@pytest.mark.thorough
@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADMIN])
def test_no_page_that_a_customer_can_reach_names_a_command_of_the_server(role: Role, ports: Ports) -> None:
    theirs = a_tenant_with_everything(ports)
    configure_store(
        ports.db, theirs.tenant, "off", changes=StoreChanges(profile="swarmclaw"), phases=CATALOG, actor="a test"
    )
    a_store(ports, theirs.tenant, "empty")
    browser = a_visitor(ports, theirs.tenant, role)
    found = {
        where: _OF_THE_SERVER.findall(words_of(text)) for where, text in crawl(browser, f"/console/t/{theirs.tenant}")
    }
    assert {where: said for where, said in found.items() if said} == {}
    assert len(found) > 25


@pytest.mark.parametrize("shut", ["paused_at = now()", "tokens_per_day = 0"])
def test_why_a_store_does_not_dream_is_said_without_a_command(
    shut: str, ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    owner_connection.execute(f"UPDATE tenants SET {shut} WHERE id = %s".encode(), [tenant])
    for role in (Role.REVIEWER, Role.ADMIN):
        browser = a_visitor(ports, tenant, role)
        for page in ("", "/stores", "/stores/default", "/stores/default/memories", "/memories", "/stores/mine"):
            assert _OF_THE_SERVER.findall(words_of(browser.get(f"/console/t/{tenant}{page}").text)) == [], page
