"""The page of one memory: rendered and as it is written, its links, its versions compared."""

import re

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.memories.read import get_memory
from tests.integration.console.console_support import a_visitor
from tests.support.builders import write

TEXT = """---
title: Auth
tags: [api]
---
# Auth

See [[rate-limits]], [tokens](../ops/tokens.md#life) and [[gone]].
"""


def page_of(ports: Ports, tenant: str, path: str) -> str:
    return f"/console/t/{tenant}/stores/default/memories/{get_memory(ports.db, tenant, 'default', path).id}"


def change(ports: Ports, tenant: str, path: str, content: str) -> None:
    memory = get_memory(ports.db, tenant, "default", path)
    edit = MemoryEdit(content=content)
    edit_memory(ports.db, tenant, "default", memory.id, edit, expected=Expected(), author=Author.USER)


def test_a_text_is_rendered_with_its_links_and_its_source_is_a_click_away(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"api/auth.md": TEXT, "misc/rate-limits.md": "# Limits\n", "ops/tokens.md": "# Tokens\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "api/auth.md")
    shown = browser.get(where).text
    assert '<h3 id="in-auth">Auth</h3>' in shown
    assert f'<a href="{page_of(ports, tenant, "misc/rate-limits.md")}">rate-limits</a>' in shown
    assert f'<a href="{page_of(ports, tenant, "ops/tokens.md")}#in-life">tokens</a>' in shown
    assert 'gone</span> <span class="told-of">(dead link)</span>' in shown
    assert "<summary>Frontmatter: 2 fields</summary>" in shown
    source = browser.get(where, params={"view": "source"}).text
    assert "tags: [api]" in source
    assert "[[rate-limits]]" in source


def test_any_two_versions_are_compared(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "It is one now.\n"})
    for word in ("two", "three"):
        change(ports, tenant, "a.md", f"It is {word} now.\n")
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    form = browser.get(where).text
    assert f'action="{where}/compare"' in form
    assert 'max="3"' in form
    first_and_last = browser.get(f"{where}/compare").text
    assert "<del>one</del>" in first_and_last
    assert "<ins>three</ins>" in first_and_last
    part = browser.get(f"{where}/compare?old=2&new=3", headers={"HX-Request": "true"}).text
    assert "<del>two</del>" in part
    assert "<html" not in part
    assert "The text is the same in both." in browser.get(f"{where}/compare?old=2&new=2").text
    assert "There is no version 9" in browser.get(f"{where}/compare?old=9&new=3").text


@pytest.mark.parametrize("query", ["?old=0", "?old=x", "?new=-1", "?start=-1"])
def test_a_version_that_is_no_number_is_refused(query: str, ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "One.\n"})
    assert a_visitor(ports, tenant).get(page_of(ports, tenant, "a.md") + "/compare" + query).status_code == 422


def test_a_page_of_a_long_text_full_of_links_stays_below_its_bound(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "[a](b.md) [[c]] **d**\n" * 20_000, "b.md": "# B\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    change(ports, tenant, "a.md", "[a](b.md) other words\n" * 900)
    for address in (where, f"{where}?view=source&part=3", f"{where}/compare"):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert len(answer.content) <= 150_000, address
    assert re.search(r"Part 1 of \d+", browser.get(where).text)
