"""The text of an index: what stands there by hand is told from the generated block, to the byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.index_text import (
    before_block,
    by_hand,
    generated_in,
    holds_content,
    kind_of_text,
    pointed_to,
    with_block,
    with_pointers_of,
    without_pointers,
)
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, INDEX_LINE, MemoryKind
from tests.support.laws import examples

BLOCK = [INDEX_BEGIN, "- [a](a.md)", INDEX_END]
_PARTS = st.sampled_from([*"ab# -_\n\r\ufeff§", "<!-- x -->", INDEX_BEGIN, INDEX_END, INDEX_LINE, "```\n", "[x](a.md)"])
TEXTS = st.text(max_size=40) | st.lists(_PARTS, max_size=25).map("".join)


@examples(300)
@given(TEXTS, st.sampled_from([BLOCK, [INDEX_LINE], [INDEX_BEGIN, INDEX_END], []]))
def test_a_new_block_changes_no_byte_by_hand_and_settles(text: str, lines: list[str]) -> None:
    made = with_block(text, lines)
    hand = by_hand(text)
    # A text that does not end its last line gets a line break before the block: nothing else is added.
    assert by_hand(made) in {hand, f"{hand}\n", f"{hand}\r\n"}
    assert with_block(made, lines) == made
    assert with_block(made, []).startswith(hand)


@examples(100)
@given(TEXTS.filter(lambda text: "slowwave" not in text))
def test_without_marks_all_of_a_text_is_its_owners(text: str) -> None:
    assert by_hand(text) == text
    assert generated_in(text) == ""


def test_a_block_takes_on_the_line_breaks_of_its_file() -> None:
    assert with_block("One.\r\n", BLOCK) == "One.\r\n" + "".join(f"{line}\r\n" for line in BLOCK)
    assert by_hand(with_block("\ufeffOne.\r\nTwo.\r\n", BLOCK)) == "\ufeffOne.\r\nTwo.\r\n"


def test_a_mark_within_a_sentence_is_no_mark() -> None:
    text = f"The block begins with `{INDEX_BEGIN}`.\nIt ends with {INDEX_END}.\n"
    assert by_hand(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"One.\n{INDEX_BEGIN}\nTwo.\n",
        f"One.\nTwo.\n{INDEX_END}",
        f"One.\n{INDEX_BEGIN}\nTwo.\n{INDEX_BEGIN}\n- [a](a.md)\n{INDEX_END}\n",
        f"One.\n{INDEX_END}\nTwo.\n{INDEX_BEGIN}\n",
    ],
)
def test_what_follows_a_mark_without_its_twin_is_by_hand(text: str) -> None:
    assert by_hand(text) == "One.\nTwo.\n"


def test_lines_are_put_before_the_block_and_at_the_end_where_there_is_none() -> None:
    text = f"One.\n{INDEX_BEGIN}\n{INDEX_END}\nTwo.\n"
    assert before_block(text, ["Own."]) == f"One.\nOwn.\n{INDEX_BEGIN}\n{INDEX_END}\nTwo.\n"
    assert before_block("One.", ["Own."]) == "One.\nOwn.\n"


@pytest.mark.parametrize(
    "text",
    [
        "The user is allergic to peanuts.\n§\nThe deploy user is svc_deploy.\n",
        "# Memory\n\n- Never restart the primary.\n- See https://example.org/a.md and [the site](https://example.org/b.md).\n",
        "# Task Group: billing\n\nscope: invoices\n\n## Task 1\n\n### learnings\n\n- The job runs at six.\n",
        "---\ntype: user\n---\nThe user likes tea.\n",
        "- It is so.\n" * 20 + "- [more](more.md)\n",
    ],
)
def test_a_root_file_of_statements_is_a_memory(text: str) -> None:
    assert holds_content(text)
    assert kind_of_text("MEMORY.md", text) is MemoryKind.TOPIC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Memory\n",
        "<!-- nothing yet -->\n",
        "# Index\n\n- [Auth](api/auth.md) — how tokens work\n",
        "# Index\n\n- [[auth]] — how tokens work\n- `api/limits.md`: six hundred\n",
        "# Rules\n\n- Never push.\n- Ask first.\n\n# Files\n\n- [Auth](api/auth.md)\n",
        f"It is so.\n{INDEX_BEGIN}\n- [a](a.md)\n{INDEX_END}\n",
        f"It is so.\n{INDEX_LINE}\n",
    ],
)
def test_a_root_file_with_pointers_or_nothing_is_an_index(text: str) -> None:
    assert not holds_content(text)
    assert kind_of_text("MEMORY.md", text) is MemoryKind.INDEX


def test_only_the_root_file_may_be_either() -> None:
    assert kind_of_text("api/_index.md", "It is so.") is MemoryKind.INDEX
    assert kind_of_text("api/auth.md", "- [a](a.md)") is MemoryKind.TOPIC


_FRAME = "---\ngenerated_by: slowwave\n---\n\n# web\n\n"
_LISTED = ["- [a](a.md) — the first", "- [f](f.md)", "## b", "- [c](b/c.md)", "- [d](b/d%20e.md)"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("gone", [{"b/c.md"}, {"b/c.md", "b/d e.md"}, {"a.md", "b/d e.md", "f.md"}])
def test_pointers_that_go_leave_no_trace_and_come_back_where_they_stood(gone: set[str], newline: str) -> None:
    block = newline.join([INDEX_BEGIN, *_LISTED, INDEX_END, ""])
    for path, text in (
        ("MEMORY.md", f"By hand: [c](b/c.md){newline}{block}- [a](a.md) is mine"),
        ("_index.md", f"{_FRAME}{block}"),
    ):
        less = without_pointers(path, text, gone, text)
        assert pointed_to(path, less) == pointed_to(path, text) - gone
        assert by_hand(less) == by_hand(text)
        assert ("## b" in less) is not ({"b/c.md", "b/d e.md"} <= gone)
        assert with_pointers_of(path, less, text, gone) == text


def test_a_pointer_of_a_folders_index_leads_into_its_folder_and_one_by_hand_is_no_generated_one() -> None:
    text = f"{_FRAME}- [a](a.md)\n"
    assert pointed_to("web/_index.md", text) == {"web/a.md"}
    assert without_pointers("web/_index.md", text, {"a.md"}, text) == text
    assert without_pointers("web/_index.md", text, {"web/a.md"}, text) == _FRAME
    assert pointed_to("web/_index.md", "# web\n\n- [a](a.md)\n") == set()
