"""Each statement of a memory is named once, and stands where the host says it stands."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.frontmatter import body_of
from shared.core.reading.placed import Form, name_document, read_placed, render_placed

NOTE = """---
title: Gateway
description: Limits of the gateway
---

# Gateway

The gateway allows 600 requests a minute. It answers 429 beyond.
Bursts are fine.

## Hosts

- web-01 runs in Bergen
  - its port is 8080
- [x] web-02 runs in Oslo. It is old.

| host | disk |
| --- | --- |
| web-01 | 40 GB |

```
curl /limits
```

## Superseded

- “The gateway allows 60 requests a minute.” — until 2026-02-01
"""
LINES = st.sampled_from(
    [
        "# Title", "## Part", "Ports are open. They stay open.", "- an item", "  - a sub-item. It is small.", "1. first", "",
        "| a | b |", "| - | - |", "| 1 | 2 |", "```", "code = 1", "> quoted", "**Label:**", "\u7aef\u53e3\u662f8080\u3002\u5b83\u5728\u5965\u65af\u9646\u3002",
        "## Superseded", "- gone", "<!-- slowwave:index end -->", "a\tb", "---",
    ]
)  # fmt: skip


def test_a_remark_of_the_notes_own_is_read_by_sentences_and_what_it_quotes_stays_whole() -> None:
    remarks = "# A\n\n> **Note:** this is old. Ports moved.\n\ntext\n\n> [!NOTE]\n> The port is 80.\n\n> Ann said it.\n"
    assert [(one.form, one.text) for one in read_placed(remarks)] == [
        (Form.PROSE, "**Note:** this is old."),
        (Form.PROSE, "Ports moved."),
        (Form.PROSE, "text"),
        (Form.PROSE, "The port is 80."),
        (Form.WHOLE, "> Ann said it."),
    ]


def test_sentences_items_rows_code_and_the_description_are_statements_and_what_is_superseded_is_none() -> None:
    found = [(one.form, one.text) for one in read_placed(NOTE)]
    assert found == [
        (Form.PROSE, "The gateway allows 600 requests a minute. It answers 429 beyond."),
        (Form.PROSE, "Bursts are fine."),
        (Form.ITEM, "web-01 runs in Bergen"),
        (Form.ITEM, "its port is 8080"),
        (Form.ITEM, "web-02 runs in Oslo. It is old."),
        (Form.ROW, "| web-01 | 40 GB |"),
        (Form.WHOLE, "```\ncurl /limits\n```"),
        (Form.FIELD, "Limits of the gateway"),
    ]


def test_a_model_sees_headings_and_columns_above_the_named_statements() -> None:
    shown = render_placed(NOTE, "c").splitlines()
    assert shown[:3] == ["title: Gateway", "[c8] description: Limits of the gateway", "# Gateway"]
    assert "[c3] web-01 runs in Bergen" in shown
    assert shown.index("| host | disk |") + 1 == shown.index("[c6] | web-01 | 40 GB |")


def test_a_tag_behind_a_statement_belongs_to_it() -> None:
    placed = read_placed(
        "- Init uses a root commit. [convention]\n- [project] Ports are open. Doors are shut. [project]\n"
    )
    assert [one.text for one in placed] == [
        "Init uses a root commit. [convention]", "[project] Ports are open.", "Doors are shut. [project]"
    ]  # fmt: skip


def test_a_generated_line_of_an_index_is_no_statement() -> None:
    index = (
        "# Mine\n\nRead this first.\n\n<!-- slowwave:index begin (generated: edits between these lines are overwritten) -->\n"
        "- [A](a.md)\n<!-- slowwave:index end -->\n"
    )
    assert [one.text for one in read_placed(index)] == ["Read this first."]


@given(lines=st.lists(LINES, max_size=25))
def test_a_statement_stands_where_its_offsets_say_and_no_two_overlap(lines: list[str]) -> None:
    text = "\n".join(lines)
    found, body = read_placed(text), body_of(text)
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert all(body[one.start : one.end].split() == one.text.split() for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(positions=st.sets(st.integers(0, 20_000), max_size=50))
def test_no_two_documents_have_the_same_letters(positions: set[int]) -> None:
    names = {name_document(one) for one in positions}
    assert len(names) == len(positions)
    assert all(name.isalpha() and name.islower() for name in names)
