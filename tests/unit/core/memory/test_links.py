"""Links between memories lead to a file beside them, to a path of the store, or out of the store."""

import pytest

from shared.core.memory.links import MAX_LINKS, Link, find_links, find_paths, join_path, list_targets


@pytest.mark.parametrize(
    ("target", "is_wiki", "found"),
    [
        ("tokens.md", False, "api/tokens.md"),
        ("../ops/on-call.md", False, "ops/on-call.md"),
        ("/ops/on-call.md", False, "ops/on-call.md"),
        ("ops/on-call.md", False, "ops/on-call.md"),
        ("on%20call.md", False, "api/on call.md"),
        ("tokens", False, "api/tokens.md"),
        ("tokens", True, "api/tokens.md"),
        ("ops/on-call", True, "ops/on-call.md"),
        ("../../../etc/passwd.md", False, "etc/passwd.md"),
        ("", False, "api/auth.md"),
    ],
)
def test_a_link_leads_to_a_path_of_its_store(target: str, is_wiki: bool, found: str) -> None:
    assert found in find_paths("api/auth.md", Link(target, is_wiki=is_wiki))


@pytest.mark.parametrize("target", ["https://example.com/a.md", "mailto:a@example.com", "//example.com/a.md"])
def test_an_address_of_the_web_is_no_memory(target: str) -> None:
    assert Link(target).leaves_the_store
    assert find_paths("api/auth.md", Link(target)) == ()


def test_only_a_wiki_link_without_a_folder_is_looked_for_by_its_name() -> None:
    assert Link("notes", is_wiki=True).name == "notes.md"
    assert Link("ops/notes", is_wiki=True).name is None
    assert Link("notes").name is None


def test_no_path_leaves_the_store() -> None:
    assert join_path("a/b.md", "../../../c.md") == "c.md"


def test_links_are_found_as_they_are_written_and_those_in_code_are_text() -> None:
    text = (
        "---\nrelated:\n- ops/keys.md\n---\n\n# Auth\n\nSee [[tokens#Signing|how]], [the rota](../ops/on-call.md#nights), "
        "[[tokens]] again, `[[code]]`, ![a picture](door.md), [the web](https://example.com/a.md), [this](#below).\n\n"
        "```\n[[fenced]]\n```\n\n[1]: <setup.md>\n"
    )
    assert find_links("api/auth.md", text).links == (
        Link("ops/keys.md"),
        Link("tokens", is_wiki=True),
        Link("../ops/on-call.md"),
        Link("setup.md"),
    )


def test_a_text_with_too_many_links_keeps_the_first_ones_and_counts_the_others() -> None:
    found = find_links("a.md", " ".join(f"[[note-{number}]]" for number in range(MAX_LINKS + 7)))
    assert (len(found.links), found.left_out) == (MAX_LINKS, 7)


def test_a_generated_index_leads_nowhere() -> None:
    assert find_links("MEMORY.md", "- [Auth](api/auth.md)\n").links == ()


@pytest.mark.parametrize("target", ["/", "..", "a//b.md", "../../x.md", "\x00.md", "é" * 600])
def test_a_link_to_an_impossible_path_is_never_looked_up(target: str) -> None:
    found = list_targets("top.md", Link(target))
    assert all(not one.startswith("/") and "\x00" not in one and len(one.encode()) <= 1024 for one in found)
