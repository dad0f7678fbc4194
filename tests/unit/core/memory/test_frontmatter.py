"""Frontmatter is read tolerantly and edited in place."""

import pytest

from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.memory.frontmatter import (
    body_of,
    build_frontmatter,
    read_fields,
    set_fields,
    split_frontmatter,
    with_body,
)

BYTEROVER = """---
title: Release-plz Guardrails
summary: 'Release-plz: runs from repo root'
tags: [a, 'b c', "d"]
related: []
keywords: []
createdAt: '2026-04-29T11:07:01.673Z'
---
## Reason

---
not: frontmatter
---
"""

BROKEN = {
    "invalid yaml": "---\ntitle: [a\n---\nbody\n",
    "no end": "---\ntitle: a\nbody\n",
    "no mapping": "---\n- a\n- b\n---\nbody\n",
    "prose": "---\nJust a rule above.\n---\nbody\n",
    "duplicate keys": "---\na: 1\na: 2\n---\nbody\n",
    "alias": "---\na: &x [1, 2]\nb: *x\n---\nbody\n",
    "an impossible date": "---\na: 2025-13-45\n---\nbody\n",
    "a hostile tag": '---\na: !!int ""\n---\nbody\n',
    "an object": "---\na: !!python/object/apply:os.system [id]\n---\nbody\n",
    "a list as a key": "---\n? [a]\n: 1\n---\nbody\n",
    "an abyss": "---\na: " + "[" * 5000 + "]" * 5000 + "\n---\nbody\n",
    "dashes without end": "---\n" + "- " * 20_000 + "\n---\nbody\n",
    "a tab": "---\n\ta: 1\n---\nbody\n",
    "a control character": "---\na: \x01\n---\nbody\n",
    "half a surrogate pair": "---\na: \ud800\n---\nbody\n",
    "two documents": "---\na: 1\n--- b\n---\nbody\n",
    "too long": "---\na: " + "x" * 70_000 + "\n---\nbody\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_block_that_cannot_be_read_is_left_alone(text: str) -> None:
    front = split_frontmatter(text)
    assert not front.is_valid
    assert front.raw + front.body == text
    assert read_fields(text) == {}
    with pytest.raises(UneditableFrontmatterError):
        set_fields(text, {"related": ["a.md"]})


def test_a_colon_in_a_value_without_quotes_is_read_as_it_is_meant() -> None:
    text = "---\nname: Letters\ndescription: Letters: one page, never two\ntype: feedback\n---\n\nOne page.\n"
    assert read_fields(text)["description"] == "Letters: one page, never two"
    assert (body_of(text), with_body(text, "New.\n")) == (
        "\nOne page.\n",
        text.removesuffix("\nOne page.\n") + "New.\n",
    )
    edited = set_fields(text, {"type": "rule"})
    assert read_fields(edited) == {**read_fields(text), "type": "rule"}
    assert edited == text.replace("feedback", "rule").replace(
        "Letters: one page, never two", '"Letters: one page, never two"'
    )


def test_a_billion_laughs_is_refused_without_being_expanded() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    text = "---\n" + "\n".join(lines) + "\n---\nbody"
    assert read_fields(text) == {}
    assert not split_frontmatter(text).is_valid


@pytest.mark.parametrize("text", ["", "plain", "# Title\n\ntext", "--- not a delimiter\n---\n", "----\na: 1\n----\n"])
def test_a_text_without_frontmatter_is_all_body_and_valid(text: str) -> None:
    front = split_frontmatter(text)
    assert (front.raw, front.body, front.is_valid) == ("", text, True)
    assert read_fields(text) == {}


@pytest.mark.parametrize("text", ["---\n---\n", "---\n---", "---\n# only a comment\n---\nbody"])
def test_an_empty_block_is_valid_and_can_be_filled(text: str) -> None:
    assert split_frontmatter(text).is_valid
    if text.endswith(("\n", "body")):
        assert read_fields(set_fields(text, {"a": "b"})) == {"a": "b"}


def test_only_the_first_block_is_frontmatter() -> None:
    front = split_frontmatter(BYTEROVER)
    assert front.body.startswith("## Reason\n")
    assert read_fields(BYTEROVER)["tags"] == ["a", "b c", "d"]


def test_a_changed_flow_list_stays_flow_and_keeps_the_spelling_of_its_items() -> None:
    edited = set_fields(BYTEROVER, {"tags": ["a", "b c", "e"], "related": ["api/auth.md"]})
    assert edited == BYTEROVER.replace("""[a, 'b c', "d"]""", "[a, 'b c', e]").replace(
        "related: []", "related: [api/auth.md]"
    )


def test_new_fields_come_at_the_end_in_the_given_order() -> None:
    edited = set_fields(BYTEROVER, {"consolidated_at": "2026-07-13T18:45:02Z", "consolidated_from": ["a.md", "b.md"]})
    added = 'consolidated_at: "2026-07-13T18:45:02Z"\nconsolidated_from:\n  - "a.md"\n  - "b.md"\n'
    assert edited == BYTEROVER.replace("---\n## Reason", added + "---\n## Reason")


def test_a_block_list_keeps_its_indentation_its_comments_and_its_neighbours() -> None:
    text = "---\n# head\ntags:  # mine\n- a\n- 'b' # why\n\n# about n\nn: 1 # one\n---\nbody"
    edited = set_fields(text, {"tags": ["a", "b", "c d"], "n": 2})
    assert edited == text.replace("- 'b' # why\n", "- 'b' # why\n- c d\n").replace("n: 1 # one", "n: 2 # one")


def test_an_emptied_block_list_leaves_comments_and_the_next_field_alone() -> None:
    text = "---\ntags:\n    - a\n    # - b\n# about n\nn: 1\n---\nbody"
    assert set_fields(text, {"tags": []}) == "---\ntags: []\n    # - b\n# about n\nn: 1\n---\nbody"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("k: old", "k: new"),
        ("k: 'old'", "k: 'new'"),
        ('k: "old" # c', 'k: "new" # c'),
        ("k:", "k: new"),
        ("k: # c", "k: new # c"),
        ("k: one\n  two\n  three", "k: new"),
        ("k: |\n  one\n  # no comment\n\n  two", 'k: "new"'),
        ("k: >-\n  one\n  two", 'k: "new"'),
        ("k:\n  a: 1\n  b:\n    - c", "k: new"),
        ("k: {a: 1, b: 2}", "k: new"),
        ("k: !!str 5", "k: new"),
        ("'k': old", "'k': new"),
        ("k : old", "k : new"),
        ("k: ~", "k: new"),
    ],
)
def test_a_field_is_replaced_whatever_stood_there(before: str, after: str) -> None:
    frame = "---\nfirst: [1,  2]\n{}\n# tail\nlast:   'x'\n---\nbody\n---\n"
    assert set_fields(frame.format(before), {"k": "new"}) == frame.format(after)


def test_a_list_of_mappings_grows_without_touching_its_items() -> None:
    text = "---\nfrom:\n  - date: '2026-07-13'\n    path: a.md\n    # kept\n  - date: '2026-07-14'\n    path: b.md\nx: 1\n---\n"
    old = [{"date": "2026-07-13", "path": "a.md"}, {"date": "2026-07-14", "path": "b.md"}]
    edited = set_fields(text, {"from": [*old, {"date": "2026-07-15", "path": "c.md"}]})
    assert edited == text.replace("    path: b.md\n", '    path: b.md\n  - {date: "2026-07-15", path: c.md}\n')


def test_line_endings_and_byte_order_marks_survive() -> None:
    text = "\ufeff---\r\ntitle: a\r\ntags:\r\n  - x\r\n---\r\nbody\nmixed\r\n"
    edited = set_fields(text, {"tags": ["x", "z"], "new": "v w"})
    assert edited == text.replace("  - x\r\n---", '  - x\r\n  - z\r\nnew: "v w"\r\n---')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("body\r\n", "---\r\na: b\r\n---\r\nbody\r\n"),
        ("\ufeff# T\n", "\ufeff---\na: b\n---\n# T\n"),
        ("", "---\na: b\n---\n"),
    ],
)
def test_a_missing_block_is_put_in_front(text: str, expected: str) -> None:
    assert set_fields(text, {"a": "b"}) == expected


def test_setting_what_is_there_changes_nothing() -> None:
    fields = read_fields(BYTEROVER)
    assert set_fields(BYTEROVER, fields) is BYTEROVER
    assert set_fields("no frontmatter", {}) == "no frontmatter"
    assert set_fields(BROKEN["no end"], {}) == BROKEN["no end"]


def test_a_flow_mapping_as_a_block_is_refused() -> None:
    text = "---\n{a: 1}\n---\nbody"
    assert read_fields(text) == {"a": 1}
    with pytest.raises(UneditableFrontmatterError):
        set_fields(text, {"a": 2})


@pytest.mark.parametrize("value", [object(), b"bytes", "\ud800", {"a": object()}])
def test_a_value_that_yaml_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(BadInputError):
        set_fields("---\na: 1\n---\n", {"a": value})


def test_a_block_too_long_to_be_read_again_is_not_written() -> None:
    with pytest.raises(BadInputError):
        build_frontmatter({"a": "x" * 70_000}, "body")
    with pytest.raises(UneditableFrontmatterError):
        set_fields("---\na: 1\n---\n", {"b": "x" * 70_000})


def test_a_new_file_looks_like_the_published_sample() -> None:
    fields = {
        "title": "Authentication Patterns Across Services",
        "type": "synthesis",
        "confidence": 0.85,
        "sources": ["api/_index.md", "security/_index.md"],
        "synthesized_at": "2025-04-15T10:00:00Z",
    }
    assert build_frontmatter(fields, "\nBody\n") == (
        '---\ntitle: "Authentication Patterns Across Services"\ntype: synthesis\nconfidence: 0.85\nsources:\n'
        '  - "api/_index.md"\n  - "security/_index.md"\nsynthesized_at: "2025-04-15T10:00:00Z"\n---\n\nBody\n'
    )
