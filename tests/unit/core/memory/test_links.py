"""Links between memories lead to a file beside them, to a path of the store, or out of the store."""

import pytest

from shared.core.memory.links import Link, find_paths, join_path


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
