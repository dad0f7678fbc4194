"""Memories as folders: a small store is seen at once, a large one a folder at a time, with counts."""

import re

from shared.all_ports import Ports
from shared.services.memories.tree import find_folder_page
from tests.integration.console.console_support import a_visitor
from tests.support.builders import a_store, write

_FILE = re.compile(r"/memories/(mem_\w+)\"><code>([^<]+)</code>")
_FOLDER = re.compile(r"<code>([^<]+/)</code></a> <span class=\"dim\">([\d,]+)</span>")


def test_a_small_store_is_seen_whole_with_its_folders_counted(ports: Ports, tenant: str) -> None:
    write(
        ports,
        tenant,
        {"a.md": "# A\n", "api/auth.md": "# Auth\n", "api/v2/limits.md": "# L\n", "ops/on-call.md": "# O\n"},
    )
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/memories"
    shown = browser.get(where).text
    assert _FOLDER.findall(shown) == [("api/", "2"), ("v2/", "1"), ("ops/", "1")]
    assert [name for _, name in _FILE.findall(shown)] == ["limits.md", "auth.md", "on-call.md", "a.md"]
    inside = browser.get(where, params={"folder": "api/"}).text
    assert [name for _, name in _FILE.findall(inside)] == ["limits.md", "auth.md"]
    assert "No memory here in this folder." in browser.get(where, params={"folder": "gone"}).text


def test_a_large_store_unfolds_a_folder_at_a_time(ports: Ports, tenant: str) -> None:
    texts = {f"d{number % 3}/n{number:03}.md": f"# Note {number}\n" for number in range(180)} | {"top.md": "# Top\n"}
    write(ports, tenant, texts)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default"
    shown = browser.get(f"{where}/memories").text
    assert _FOLDER.findall(shown) == [("d0/", "60"), ("d1/", "60"), ("d2/", "60")]
    assert [name for _, name in _FILE.findall(shown)] == ["top.md"]
    opened = re.search(rf'hx-get="({where}/folders\?folder=d1/&amp;memories=60)"', shown)
    assert opened
    branch = browser.get(opened[1].replace("&amp;", "&")).text
    assert "<html" not in branch
    assert 'aria-expanded="true"' in branch
    assert len(_FILE.findall(branch)) == 50
    more = re.search(r'rel="next" href="([^"]+)"', branch)
    assert more
    rest = browser.get(more[1].replace("&amp;", "&")).text
    assert len(_FILE.findall(rest)) == 10
    folded = browser.get(f"{where}/folders?folder=d1/&memories=60&open=no").text
    assert 'aria-expanded="false"' in folded
    assert _FILE.findall(folded) == []


def test_all_folders_come_before_the_first_memory_page_by_page(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {f"f{number}/a.md": "# A\n" for number in range(5)} | {"x.md": "# X\n", "y.md": "# Y\n"})
    first = find_folder_page(ports.db, tenant, "default", "", limit=3)
    assert [one.name for one in first.folders] == ["f0", "f1", "f2"]
    assert (first.files, first.more_folders) == ([], "f2")
    second = find_folder_page(ports.db, tenant, "default", "", after_folder="f2", limit=3)
    assert [one.name for one in second.folders] == ["f3", "f4"]
    assert [one.path for one in second.files] == ["x.md", "y.md"]


def test_a_folder_of_any_letters_is_counted_and_opened(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"日本/東京.md": "# A\n", "a%_b/c d.md": "# B\n", "<b>/x.md": "# C\n"})
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/memories"
    for folder, name in (("日本/", "東京.md"), ("a%_b/", "c d.md"), ("<b>/", "x.md")):
        shown = browser.get(where, params={"folder": folder}).text
        assert [found for _, found in _FILE.findall(shown)] == [name]
        assert "<b>/" not in shown


def test_a_tenant_with_stores_is_led_to_the_first_one(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, "zeta")
    a_store(ports, tenant, "beta")
    browser = a_visitor(ports, tenant)
    for place in ("memories", "sessions"):
        assert re.search(rf"/stores/\w+/{place}$", browser.get(f"/console/t/{tenant}/{place}").headers["location"])


def test_a_misspelt_search_finds_words_that_are_spelt_alike(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"shop/returns.md": "# Returns\n\nA refund takes three days.\n", "b.md": "# Build\n"})
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/memories"
    shown = browser.get(where, params={"q": "refnd"}).text
    assert "No memory contains “refnd”." in shown
    assert "Spelt alike" in shown
    assert "shop/returns.md" in shown
    assert "b.md</code>" not in shown
    assert "1 hit for “refund”" in browser.get(where, params={"q": "refund"}).text
    assert "No memory contains these words." in browser.get(where, params={"q": "xyzzyx"}).text


def test_a_path_that_was_chosen_while_typing_opens_its_memory(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"shop/returns.md": "# Returns\n"})
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/memories"
    led = browser.get(where, params={"q": "shop/returns.md"}).headers["location"]
    assert "<code>shop/returns.md</code></h1>" in browser.get(led).text
    assert browser.get(where, params={"q": "shop/returns"}).status_code == 200


def test_paths_and_titles_are_suggested_while_a_search_is_typed(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"shop/returns.md": "# Refunds & <b>returns</b>\n", "b.md": "# Build\n"})
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default"
    assert f'hx-get="{where}/suggestions"' in browser.get(f"{where}/memories").text
    shown = browser.get(f"{where}/suggestions", params={"q": "refu"}).text
    assert shown.strip() == '<option value="shop/returns.md">Refunds &amp; &lt;b&gt;returns&lt;/b&gt;</option>'
    assert browser.get(f"{where}/suggestions").text.strip() == ""
