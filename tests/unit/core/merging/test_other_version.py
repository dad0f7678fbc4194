"""Two memories that name two versions of one thing now contradict each other; lists of versions, pasts and plans do not."""

import pytest

from shared.core.merging.other_version import find_other_version


def find(left: str, right: str, folder: str = "n") -> str | None:
    found = find_other_version("n/stack.md", left, f"{folder}/build.md", right)
    back = find_other_version(f"{folder}/build.md", right, "n/stack.md", left)
    assert (found is None) == (back is None)
    return found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The parser library uses 1.1.17.\n", "The parser library uses 1.1.18.\n"),
        (
            "# Runtime\n\nThe workers run on Python 3.11. Ana reviews.\n",
            "# Runtime\n\nThe workers run on Python 3.12.\n",
        ),
        ("# Stack\n\n- Backend: Django 4.2\n- Cache: Redis\n", "# Stack\n\n- Backend: Django 5.0\n- Queue: Celery\n"),
        ("# Node\n\nNode is pinned to 18.19.0 in `.nvmrc`.\n", "# Node\n\nNode is pinned to 20.11.1 in `.nvmrc`.\n"),
        ("The gateway runs v2.4.1 of the proxy.\n", "The gateway runs v2.4.2 of the proxy.\n"),
    ],
)
def test_two_versions_of_one_thing_are_found_however_little_else_is_shared(left: str, right: str) -> None:
    found = find(f"{left}\nThe pager is Olaf's.\n", f"{right}\nInvoices are sent at night by Petra.\n")
    assert found is not None
    assert "differ in a version" in found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("# Changelog\n\n## 1.1.17\n\n- Fixed the parser.\n", "# Changelog\n\n## 1.1.18\n\n- Fixed the parser.\n"),
        ("# Changelog\n\n- Parser uses 1.1.17.\n", "# Changelog\n\n- Parser uses 1.1.18.\n"),
        ("# Release 1.1.17\n\nThe parser uses 2.0.1.\n", "# Release 1.1.18\n\nThe parser uses 2.0.2.\n"),
        ("## 2026-01\n\nThe parser uses 2.0.1.\n", "## 2026-02\n\nThe parser uses 2.0.2.\n"),
        ("```\nparser==1.1.17\n```\n", "```\nparser==1.1.18\n```\n"),
        (
            "| package | version |\n|---|---|\n| parser | 1.1.17 |\n",
            "| package | version |\n|---|---|\n| parser | 1.1.18 |\n",
        ),
        ("The workers ran on Python 3.11.\n", "The workers ran on Python 3.12.\n"),
        ("The team upgraded workers to Python 3.11.\n", "The team upgraded workers to Python 3.12.\n"),
        ("The workers will run on Python 3.11.\n", "The workers will run on Python 3.12.\n"),
        ("The parser needs at least Python 3.11.\n", "The parser needs at least Python 3.12.\n"),
        ("The bug in 1.1.17 breaks the parser.\n", "The bug in 1.1.18 breaks the parser.\n"),
        ("On 2026-01-03 the workers run on Python 3.11.\n", "On 2026-01-03 the workers run on Python 3.12.\n"),
        ("The image ships Python 3.11 and Python 3.12.\n", "The image ships Python 3.12 and Python 3.13.\n"),
        ("- The matrix tests Python 3.11\n- The matrix tests Python 3.12\n", "- The matrix tests Python 3.13\n"),
        ("# Billing\n\nThe service runs on Python 3.11.\n", "# Search\n\nThe service runs on Python 3.12.\n"),
        ("The workers run on Python 3.11.\n", "The workers run on Python 3.11.\n"),
        ("The walk takes 3.5 hours today.\n", "The walk takes 4.5 hours today.\n"),
    ],
)
def test_lists_of_versions_and_texts_about_other_times_or_things_contradict_nothing(left: str, right: str) -> None:
    assert find(left, right) is None


def test_the_same_words_in_another_folder_may_be_of_another_project() -> None:
    assert find("The workers run on Python 3.11.\n", "The workers run on Python 3.12.\n", folder="other") is None
