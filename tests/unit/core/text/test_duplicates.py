"""Hashes of texts: which are equal byte for byte, and which are a file and its copies."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.paths import original_of
from shared.core.text.duplicates import content_hash, fold_hash, is_same_text

NAMES = st.text("abcdefghijklmnop\u90e8\u7f72-_ ", min_size=1, max_size=12).filter(
    lambda name: name.strip("-_ ") == name
)


def test_the_content_hash_is_sha256_of_the_bytes() -> None:
    assert content_hash("é\n") == hashlib.sha256("é\n".encode()).hexdigest()
    assert content_hash("half \ud800") != content_hash("half \ud801")


def test_a_text_that_holds_settings_alone_has_no_duplicates() -> None:
    stub = "---\nalwaysApply: false\n---\n"
    assert fold_hash("rules/tests.md", stub) == ""
    for told in (f"{stub}Run them at night.\n", "---\nsummary: Tests of the crane run at night\n---\n"):
        assert fold_hash("rules/tests.md", told) == fold_hash("rules/tests-copy.md", told) != ""


@pytest.mark.parametrize(
    "copy",
    [
        "ops/deploy-copy.md",
        "ops/deploy (1).md",
        "ops/deploy copy 2.md",
        "ops/deploy - Copy (2).md",
        "ops/deploy-Kopie.md",
    ],
)
def test_a_copy_of_a_file_is_folded_into_it(copy: str) -> None:
    text = "# Deploy\n\nTag the commit and wait.\n"
    assert original_of(copy) == "ops/deploy.md"
    assert fold_hash(copy, text) == fold_hash("ops/deploy.md", text) != ""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("plants/fern/watering.md", "plants/palm/watering.md"),
        ("plants/fern.md", "plants/palm.md"),
        ("customers/acme/contact.md", "customers/globex/contact.md"),
        ("projects/a/README.md", "projects/b/README.md"),
        ("en/setup.md", "de/setup.md"),
        ("docs/es.md", "docs/is.md"),
        ("env/staging.md", "env/production.md"),
        ("inbox/deploy.md", "ops/deploy.md"),
        ("log/2026-03-01.md", "log/2026-03-02.md"),
        ("rooms/room.md", "rooms/room-2.md"),
        ("api/v1.md", "api/v2.md"),
        ("langs/c++.md", "langs/c#.md"),
        ("office/office.md", "office/office-old.md"),
    ],
)
def test_equal_texts_under_two_names_are_kept_as_two(left: str, right: str) -> None:
    text = "Water once a week. Ask Ida for the key.\n"
    assert fold_hash(left, text) != fold_hash(right, text)


@given(left=NAMES, right=NAMES, text=st.text(max_size=80))
def test_no_text_makes_duplicates_of_two_names(left: str, right: str, text: str) -> None:
    for paths in ((f"plants/{left}.md", f"plants/{right}.md"), (f"plants/{left}/a.md", f"plants/{right}/a.md")):
        hashes = {fold_hash(path, text) for path in paths}
        assert left == right or original_of(paths[0]) == original_of(paths[1]) or len(hashes) == 2 or hashes == {""}


def test_a_copy_of_a_gathered_note_is_folded_whatever_its_frontmatter_lists() -> None:
    text = "---\nsources:\n- session: s1\n  quote: The gate opens at seven\n---\nThe gate opens at seven.\n"
    assert fold_hash("notes/gate.md", text) == fold_hash("notes/gate-copy.md", text) != ""


@pytest.mark.parametrize(
    "template",
    [
        "# {{name}}\n\nWater: {{often}}\n",
        "# Daily\n\n## Done\n\n## Next\n",
        "Name:\nPhone:\n",
        "# Customer\n\nContact: <name>\n",
        "# Site\n\nTODO\n",
    ],
)
def test_a_template_that_is_not_filled_in_yet_has_no_duplicates(template: str) -> None:
    assert fold_hash("t/daily.md", template) != fold_hash("t/daily-copy.md", template)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "\u4eca\u5929\u90e8\u7f72\u3002\u5148\u5907\u4efd\u3002",
            "\u4eca\u5929\u90e8\u7f72\uff01\u5148\u5907\u4efd\uff01",
        ),
        ("Café opens at 8.", "Café opens at 8!\n"),
        ("\uff30ort \uff18\uff10\u3000is open", "Port 80 is open"),
        ("- one\n- two\n", "* one\n\n*  two"),
        ("The door is BLUE.\n", "the door  is blue"),
    ],
)
def test_signs_that_say_nothing_make_no_other_text(left: str, right: str) -> None:
    assert is_same_text(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("\u5148\u90e8\u7f72\uff0c\u540e\u6d4b\u8bd5\u3002", "\u5148\u6d4b\u8bd5\uff0c\u540e\u90e8\u7f72\u3002"),
        ("Deploy now.", "Deploy now?"),
        ("Do not. Stop.", "Do not stop."),
        ("- one\n- two\n", "- one\n  - two\n"),
        ("- one\n", "+ one\n"),
        ("The area is 5 m²", "The area is 5 m2"),
        ("Run `ls -A`", "Run `ls -a`"),
        ("Run `docker build .`", "Run `docker build `"),
    ],
)
def test_what_carries_meaning_makes_another_text(left: str, right: str) -> None:
    assert not is_same_text(left, right)
