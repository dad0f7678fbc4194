"""Names in a synced folder: where a conflict's text is kept, and which files macOS and Windows would confuse."""

import pytest

from shared.core.sync.names import find_alike, find_confused, is_conflict, name_conflict


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("notes.md", "notes.conflict.md"),
        ("a/b.c/notes.v2.md", "a/b.c/notes.v2.conflict.md"),
        ("skills/mail/run", "skills/mail/run.conflict"),
    ],
)
def test_a_conflict_is_kept_beside_its_file_under_a_name_that_is_recognized(path: str, kept: str) -> None:
    assert name_conflict(path, ()) == kept
    second = name_conflict(path, (kept,))
    assert second not in {path, kept}
    assert is_conflict(kept)
    assert is_conflict(second)
    assert not is_conflict(path)


def test_a_note_about_conflicts_is_none() -> None:
    assert not is_conflict("git/merge-conflict.md")
    assert not is_conflict("conflict.md")


def test_of_names_that_file_systems_confuse_only_the_present_or_first_one_is_used() -> None:
    assert find_confused(["A.md", "a.md", "b.md"], present=()) == {"a.md": "A.md"}
    assert find_confused(["A.md", "a.md"], present=["a.md"]) == {"A.md": "a.md"}
    assert find_confused(["A.md", "a.md"], present=["A.md", "a.md"]) == {}
    assert find_alike(["A.md", "a.md", "b.md"]) == [("A.md", "a.md")]
