"""Titles and summaries are one line, whatever the memory looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.frontmatter import summary_of, title_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: Auth Patterns\n---\n# Other\n", "Auth Patterns"),
        ("---\ntitle: 'It''s: quoted'\n---\n", "It's: quoted"),
        ('---\ntitle: "a \\"b\\" c"\n---\n', 'a "b" c'),
        ("---\ntitle: one\n  two\n---\n", "one two"),
        ("---\ntitle: std::vector and a#b\n---\n", "std::vector and a#b"),
        ("---\ntitle: words # a comment\n---\n", "words"),
        ("---\ntitle: >-\n  folded\n  words\n---\n", "folded words"),
        ("---\ntitle: 2025\n---\n", "2025"),
        ("---\ntitle: [a, b]\n---\n# Heading\n", "Heading"),
        ("---\ntitle: null\n---\n# Heading\n", "Heading"),
        ("---\ntitle:\n---\n# Heading ##\n", "Heading"),
        ("---\nname: Claude's own field\n---\n# Heading\n", "Claude's own field"),
        ("---\ntitle: Readable\nbroken: [a\n---\nbody", "Readable"),
        ("```sh\n# not a title\n```\n# Title\r\n", "Title"),
        ("## Reason\ntext\n# Late title\n", "Late title"),
        ("# **Crane** round of the **quay**\n", "Crane round of the quay"),
        ("# `__init__` and 2 ** 3 ** 4\n", "`__init__` and 2 ** 3 ** 4"),
        ("#hashtag\n", "rate limits v2"),
        ("", "rate limits v2"),
    ],
)
def test_the_title_is_the_best_that_the_text_offers(text: str, expected: str) -> None:
    assert title_of("api/rate_limits-v2.md", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nsummary: From the head.\n---\nBody.", "From the head."),
        ("---\ndescription: From Claude.\n---\nBody.", "From Claude."),
        ("---\nsummary: {a: b}\n---\nBody text. More.", "Body text."),
        (
            "# T\n\n| a | b |\n|---|---|\n\n```\ncode. Here\n```\n\nThe first sentence. The second.",
            "The first sentence.",
        ),
        ("- **Task**: do it\n- more", "Task: do it"),
        ("1. [x] done\n", "done"),
        ("<!-- note -->\n![img](x.png)\n---\nReal text", "Real text"),
        ("Uses Dr. Smith's notes, e.g. Lamport clocks. Then more.", "Uses Dr. Smith's notes, e.g. Lamport clocks."),
        ("Pinned to v1.2.3 since 3.10 broke. Next.", "Pinned to v1.2.3 since 3.10 broke."),
        ("Mittwoch, 15. Mai 2024, am Kai. Es regnet.", "Mittwoch, 15. Mai 2024, am Kai."),
        (
            "The page `https://quay.example/...` \u304b\u3089 moved. More.",
            "The page https://quay.example/... \u304b\u3089 moved.",
        ),
        ("# Letter\n\nDear members of the quay,\n\nthe crane is sold.", "the crane is sold."),
        ("# only a heading", ""),
        ("# T\n\n## Task:\n\nTask:\n\nMove the cron jobs to the new host.", "Move the cron jobs to the new host."),
        ("# T\n\n**Session Key:** a1b2\n**Date:** 2026-03-04\n\nThe import runs twice.", "The import runs twice."),
        ("# T\n\nStatus: done\nOwner: Ana\n", "Status: done"),
        (
            "# Rules of review\n\nRules of review (updated 2026-03-20):\n\n- Two people look at it.",
            "Two people look at it.",
        ),
        (
            "# T\n\nAfter each change run these commands:\n\n## 1. Format\n```\nfmt\n```\n## 2. Test\n```\ntest\n```\n",
            "After each change run these commands: Format; Test",
        ),
        (
            "# T\n\nThe bot has the following rights:\n\n- **Read**: all of the channels it was asked to\n- posts\n\nMore.",
            "The bot has the following rights: Read; posts",
        ),
        ("# T\n\nStart it by hand like this:\n```\nrun\n```\nIt needs a minute.", "It needs a minute."),
        ("# T\n\n## Logging\n- Use `slog`\n\n## Errors\n- Wrap them\n", "Logging; Errors"),
        (
            "# T\n\n## Key\n- The mirror has a name for each branch.\n\n## Rest\n- x\n",
            "The mirror has a name for each branch.",
        ),
        ("# T\n\n## Set up\n\n### a\n```\nx\n```\n### b\n```\ny\n```\nFetches it.\n\n## Use\n", "Set up; Use"),
        ("# T\n\n## Patterns\n```\nx\n```\n## Mistakes\n```\ny\n```\n", "Patterns; Mistakes"),
        ("# The cache is cold\n\nThe cache is cold.\n\nIt warms within an hour.", "It warms within an hour."),
        ("**Impact:** Log-ins failed for every tenth user.", "Impact: Log-ins failed for every tenth user."),
        ("# T\n\nAlert: none; this is planned work\n\nA customer leaves.", "A customer leaves."),
        ("# T\n\nAlert: none; this is planned work", "Alert: none; this is planned work"),
        (
            "# T\n\nRule: nonetheless the queue is drained first\n\nMore.",
            "Rule: nonetheless the queue is drained first",
        ),
        ("# T\n\n**Context.** Two tests were slow. More.", "Two tests were slow."),
        ("# T\n\n**Owner**: the payments team", "Owner: the payments team"),
        ("Done. The cache was moved to the new host. More.", "Done. The cache was moved to the new host."),
        ("~~~\nnever closed", ""),
        ("", ""),
    ],
)
def test_the_summary_is_the_first_prose_that_is_there(text: str, expected: str) -> None:
    assert summary_of(text) == expected


def test_a_long_summary_is_cut_at_a_word() -> None:
    summary = summary_of("word " * 100, limit_chars=22)
    assert summary == "word word word word…"


@given(
    st.one_of(st.text(), st.text().map("---\ntitle: {0}\nsummary: {0}\n---\n# {0}\n{0}".format)), st.integers(0, 300)
)
def test_headlines_are_one_line_without_control_characters_and_within_the_limit(text: str, limit_chars: int) -> None:
    summary, title = summary_of(text, limit_chars), title_of("a/b.md", text)
    assert len(summary) <= limit_chars
    assert title
    for line in (summary, title):
        assert len((line + "x").splitlines()) == 1
        assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0x202A <= ord(sign) <= 0x202E for sign in line)


def test_a_sentence_that_is_wrapped_by_hand_is_shown_whole() -> None:
    text = "# Manifest\n\nAll adapters of a project write a versioned manifest so uninstall and\ndebug tools can tell whose files are whose. More.\n"
    told = "All adapters of a project write a versioned manifest so uninstall and debug tools can tell whose files are whose."
    assert summary_of(text) == told
    quoted = text.replace("\nAll", "\n> All").replace("\ndebug", "\n> debug")
    assert summary_of(quoted) == told


def test_lines_with_an_end_of_their_own_are_not_joined() -> None:
    assert summary_of("# Host\n\nThe box under the desk\nOwner: the night shift\n") == "The box under the desk"


def test_a_card_of_labels_says_less_than_the_sentence_below_it() -> None:
    card = "# Role\n\n## Metadata\n- **Name**: mason\n- **Focus**: walls, arches, doors, and all that holds them\n"
    assert (
        summary_of(f"{card}\n## Purpose\nA mason builds what stands for years.\n")
        == "A mason builds what stands for years."
    )


def test_fields_at_the_head_of_a_page_say_less_than_its_first_sentence() -> None:
    fields = (
        "**Applies to:** Every crew that lifts crates with the crane\n**Last updated:** 2026-03-04\n**Status:** Draft"
    )
    said = "\n\n---\n\n## What is it?\n\nA way to lift crates over an empty yard.\n"
    for head in (fields, fields.replace("**", ""), fields.replace("**:", ":**")):
        assert summary_of(f"# Lifting\n\n{head}{said}") == "A way to lift crates over an empty yard."
    # Where fields are all there is, one of them is better than nothing.
    assert summary_of(f"# Lifting\n\n{fields}\n") == "Applies to: Every crew that lifts crates with the crane"


def test_a_label_may_begin_with_an_accent() -> None:
    text = "# Diario\n\n\u00daltima actualizaci\u00f3n: 2026-03-04\n\nLa gr\u00faa levanta cajas.\n"
    assert summary_of(text) == "La gr\u00faa levanta cajas."


def test_what_a_page_is_for_is_a_sentence_though_it_has_a_label() -> None:
    text = "# Lifting\n\n**Purpose:** It tells the crew which crates the crane can lift.\n\nMore is in the yard.\n"
    assert summary_of(text) == "Purpose: It tells the crew which crates the crane can lift."


def test_fields_too_long_to_be_edited_still_name_a_memory_and_what_stands_behind_them_tells_what_it_holds() -> None:
    crew = "".join(f"  - berth: {number}\n    # Berth {number} is dry.\n" for number in range(3_000))
    text = (
        f"---\nid: crane-crew\nname: Crane crew\nplan:\n{crew}---\n# Crew of the crane\n\nSix people work the crane.\n"
    )
    assert title_of("crew.md", text) == "Crane crew"
    assert summary_of(text) == "Six people work the crane."
    assert title_of("crew.md", text.replace("name: Crane crew\n", "")) == "Crew of the crane"


def test_a_rule_across_the_page_begins_no_fields() -> None:
    text = "---\nThe crane is dry.\n" + "It lifts.\n" * 10_000 + "---\nThe end is here.\n"
    assert summary_of(text) == "The crane is dry."


def test_a_picture_that_leads_elsewhere_says_nothing() -> None:
    text = "# Crane\n\n[![build](https://harbour.example/b.svg)](https://harbour.example)\n\nThe crane lifts crates.\n"
    assert summary_of(text) == "The crane lifts crates."
