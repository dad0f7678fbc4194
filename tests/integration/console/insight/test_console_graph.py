"""The graph of links: folders, the memories of one, and the neighbours of each, from which a person walks on."""

import re
from dataclasses import replace
from html import unescape

import pytest
from starlette.testclient import TestClient

from gateway.console.graph import graph
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.memory.model import Author
from shared.ports.memories import MemoryWrite
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, edit_memory
from shared.services.memories.links import RecentCounts, get_domain_page, get_link_map
from shared.services.memories.read import get_memory
from shared.settings import Settings
from tests.integration.console.console_support import a_visitor
from tests.support.builders import write

NOTES = {
    "api/auth.md": "# Auth\n\nSigned as [[tokens]] say; who is called: [rota](../ops/rota.md), [old](gone.md).\n",
    "api/tokens.md": "# Tokens\n\nSee [auth](auth.md).\n",
    "ops/rota.md": "---\nrelated: [api/auth.md]\n---\n\n# Rota\n\n<b>Ada</b> on Mondays.\n",
    "top.md": "# Top\n\n[[rota]]\n",
}


def graph_of(browser: TestClient, tenant: str, rest: str = "") -> str:
    answer = browser.get(f"/console/t/{tenant}/stores/default/graph{rest}")
    assert answer.status_code == 200
    return unescape(answer.text)


def id_of(ports: Ports, tenant: str, path: str) -> str:
    return get_memory(ports.db, tenant, "default", path).id


def links_between(ports: Ports, tenant: str) -> dict[tuple[str, str], int]:
    found = get_link_map(ports.db, tenant, "default", RecentCounts(ports.kept))
    return {(pair.source, pair.target): pair.links for pair in found.links}


def test_a_person_walks_from_the_folders_to_a_memory_and_from_there_to_its_neighbours(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, NOTES)
    browser = a_visitor(ports, tenant)
    assert browser.get(f"/console/t/{tenant}/graph").headers["location"].endswith("/stores/default/graph")
    folders = graph_of(browser, tenant)
    assert set(re.findall(r'<a href="[?]folder=([^"]+)" class="node"', folders)) == {"api", "ops", "%2F"}
    auth = f"/console/t/{tenant}/stores/default/graph/{id_of(ports, tenant, 'api/auth.md')}"
    assert f'<a href="{auth}" class="node"' in graph_of(browser, tenant, "?folder=api")
    walked = unescape(browser.get(auth).text)
    assert "gone.md: no memory is there" in walked
    neighbours = set(re.findall(r'<a href="([^"]+)" class="node"', walked))
    assert {one.rpartition("/")[2] for one in neighbours} == {
        id_of(ports, tenant, "api/tokens.md"),
        id_of(ports, tenant, "ops/rota.md"),
    }
    assert all(browser.get(one).status_code == 200 for one in neighbours)
    rota = unescape(
        browser.get(f"/console/t/{tenant}/stores/default/memories/{id_of(ports, tenant, 'ops/rota.md')}").text
    )
    linked = rota.partition('id="linked"')[2].partition("History")[0]
    assert "api/auth.md" in linked
    assert "top.md" in linked


def test_a_link_counts_where_it_leads_now(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/one.md": "[[b/two]] and [three](/c/three.md)\n", "b/two.md": "two\n"})
    assert links_between(ports, tenant) == {("a", "b"): 1}
    write(ports, tenant, {"c/three.md": "three\n"})
    assert links_between(ports, tenant) == {("a", "b"): 1, ("a", "c"): 1}
    two = id_of(ports, tenant, "b/two.md")
    archive_memory(ports.db, tenant, "default", two, expected=Expected(), actor="a test")
    assert links_between(ports, tenant) == {("a", "c"): 1}
    one = id_of(ports, tenant, "a/one.md")
    edit = MemoryEdit(content="Nothing.\n", actor="a test")
    edit_memory(ports.db, tenant, "default", one, edit, expected=Expected(), author=Author.USER)
    assert links_between(ports, tenant) == {}


def test_the_most_linked_memories_of_a_folder_come_first_page_by_page(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"hub/x.md": "x\n"} | {f"hub/n{number}.md": "[[x]]\n" for number in range(5)})
    page = get_domain_page(ports.db, tenant, "default", "hub", RecentCounts(ports.kept), offset=0, limit=4)
    assert next((one.path, one.links_out, one.links_in) for one in page.memories) == ("hub/x.md", 0, 5)
    assert len(page.joined) == 3
    rest = get_domain_page(
        ports.db, tenant, "default", "hub", RecentCounts(ports.kept), offset=page.following or 0, limit=4
    )
    assert len({one.id for one in (*page.memories, *rest.memories)}) == 6
    assert rest.following is None


def test_the_links_to_a_memory_come_page_by_page(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"x.md": "x\n"} | {f"n{number:02}.md": "[[x]]\n" for number in range(25)})
    browser = a_visitor(ports, tenant)
    where = f"/console/t/{tenant}/stores/default/memories/{id_of(ports, tenant, 'x.md')}"
    seen = set()
    for _ in range(2):
        text = browser.get(where).text
        seen |= set(re.findall(r"<code>(n\d\d[.]md)</code>", text))
        where = where.partition("?")[0] + (re.findall(r'href="([?]linked=[^"#]+)', text) or [""])[0]
    assert len(seen) == 25


def _count_as_a_large_store(monkeypatch: pytest.MonkeyPatch, *, seconds: float) -> None:
    monkeypatch.setattr(graph, "_MANY", 0)
    monkeypatch.setattr(graph, "_FRESH_SECONDS", seconds)


def test_a_count_of_one_process_is_shown_by_every_other_one(
    ports: Ports, settings: Settings, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _count_as_a_large_store(monkeypatch, seconds=3_600)
    write(ports, tenant, {"a/one.md": "[[b/two]]\n", "b/two.md": "two\n"})
    other_process = make_ports(settings)
    try:
        other = a_visitor(other_process, tenant)
        for rest in ("", "?folder=a"):
            graph_of(a_visitor(ports, tenant), tenant, f"{rest or '?'}&now=true")
            assert "<svg viewBox" in graph_of(other, tenant, rest)
        write(ports, tenant, {"a/three.md": "[[b/two]]\n"})
        assert "ago; memories were written since" in graph_of(other, tenant)
    finally:
        other_process.close()


def test_a_large_store_is_counted_again_only_after_a_write_and_a_minute(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/one.md": "[[b/two]]\n", "b/two.md": "two\n"})
    patient, eager = RecentCounts(ports.kept, links=0), RecentCounts(ports.kept, links=0, seconds=0)
    for recent in (patient, eager):
        assert len(get_link_map(ports.db, tenant, "default", recent).links) == 1
    write(ports, tenant, {"b/three.md": "[[a/one]]\n"})
    assert len(get_link_map(ports.db, tenant, "default", patient).links) == 1
    assert len(get_link_map(ports.db, tenant, "default", eager).links) == 2


def test_a_count_that_a_write_has_made_old_says_how_old_it_is(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _count_as_a_large_store(monkeypatch, seconds=3_600)
    write(ports, tenant, {"a/one.md": "[[b/two]]\n", "b/two.md": "two\n"})
    browser = a_visitor(ports, tenant)
    for rest in ("?now=true", "?folder=a&now=true"):
        assert "Counted" not in graph_of(browser, tenant, rest) + graph_of(browser, tenant, rest)
    write(ports, tenant, {"b/three.md": "[[a/one]]\n"})
    for rest in ("", "?folder=a"):
        assert "ago; memories were written since" in graph_of(browser, tenant, rest)


def test_an_old_count_of_a_large_store_is_shown_at_once_and_asks_for_a_new_one(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _count_as_a_large_store(monkeypatch, seconds=0)
    write(ports, tenant, {"a/one.md": "[[b/two]]\n", "b/two.md": "two\n"})
    browser = a_visitor(ports, tenant)
    for rest in ("", "?folder=a"):
        graph_of(browser, tenant, f"{rest or '?'}&now=true")
    write(ports, tenant, {"a/three.md": "[[b/two]] [[a/one]]\n"})
    for rest in ("", "?folder=a"):
        old = graph_of(browser, tenant, rest)
        assert "<svg viewBox" in old
        assert "three.md" not in old
        asked = re.search(r'hx-get="([^"]+)" hx-trigger="load"', old)
        assert asked is not None
        new = browser.get(unescape(asked[1])).text
        assert "memories were written since" not in new
        assert new == graph_of(browser, tenant, rest)


def test_a_write_of_a_transaction_that_began_before_a_later_one_makes_a_count_old(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/one.md": "[[b/two]]\n", "b/two.md": "two\n"})
    recent = RecentCounts(ports.kept, links=0, seconds=0)
    with ports.db.transaction(tenant) as early:
        early.audit.append_all("a test", "memory.write", [{}])  # from here on it has its number
        write(ports, tenant, {"b/four.md": "four\n"})
        assert [one.links for one in get_link_map(ports.db, tenant, "default", recent).links] == [1]
        store = early.stores.get("default").id
        memory = early.catalog(store).get(id_of(ports, tenant, "a/one.md"), lock=True)
        changed = replace(memory, content="[[b/two]] [[b/four]]\n", version=memory.version + 1)
        early.memories(store).write([MemoryWrite(memory=changed, change="update")])
    assert [one.links for one in get_link_map(ports.db, tenant, "default", recent).links] == [2]


def test_the_page_of_a_large_store_comes_before_its_links_are_counted(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _count_as_a_large_store(monkeypatch, seconds=60)
    write(ports, tenant, {"a b/one.md": "[[a b/two]]\n", "a b/two.md": "two\n"})
    browser = a_visitor(ports, tenant)
    for rest in ("", "?folder=a%20b"):
        first = graph_of(browser, tenant, rest)
        assert "<svg viewBox" not in first
        asked = re.search(r'hx-get="([^"]+)" hx-trigger="load"', first)
        assert asked is not None
        assert asked[1] in re.findall(r'<noscript>.*?href="([^"]+)"', first, re.DOTALL)
        counted = unescape(browser.get(asked[1]).text)
        assert "<svg viewBox" in counted
        assert "<svg viewBox" in graph_of(browser, tenant, rest)


def test_the_graph_of_a_generated_file_says_why_it_shows_no_links(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/one.md": "Nothing.\n", "MEMORY.md": "# Memory\n\n[One](a/one.md)\n"})
    page = graph_of(a_visitor(ports, tenant), tenant, f"/{id_of(ports, tenant, 'MEMORY.md')}")
    assert "This file is generated: what it lists is not counted as links." in page


def test_a_graph_without_links_says_how_to_write_one(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/one.md": "Nothing.\n"})
    browser = a_visitor(ports, tenant)
    assert "No memory links to another yet." in graph_of(browser, tenant)
    assert "none links to it" in graph_of(browser, tenant, "?folder=a")
    assert "It links to no memory" in graph_of(browser, tenant, f"/{id_of(ports, tenant, 'a/one.md')}")


def test_the_dead_links_of_a_store_lead_to_the_memories_whose_texts_have_them(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "_DEAD", 2)
    write(ports, tenant, {"a/one.md": "[[two]] <b> [x](<gone&.md>)\n", "b.md": "[one](a/one.md) [old](old.md)\n"})
    browser = a_visitor(ports, tenant)
    assert f'href="/console/t/{tenant}/stores/default/graph/dead"' in graph_of(browser, tenant)
    first = graph_of(browser, tenant, "/dead")
    for path, target in (("a/one.md", "two"), ("a/one.md", "gone&.md")):
        assert f'memories/{id_of(ports, tenant, path)}"' in first
        assert f"<code>{target}</code>" in unescape(first)
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following is not None
    rest = graph_of(browser, tenant, "/dead" + unescape(following[1]))
    assert "<code>old.md</code>" in rest
    assert "one.md" not in rest
    write(ports, tenant, {"a/two.md": "x\n", "a/gone&.md": "x\n", "old.md": "x\n"})
    assert "Every link leads to a memory." in graph_of(browser, tenant, "/dead")
