"""Merging two changes of a text line by line: what an agent wrote since a dream stays, what the dream did can go."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.text.three_way import MAX_LINES, merge_three_ways
from tests.support.laws import examples

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "# Title", "- x"]), max_size=8)
TEXTS = LINES.map("\n".join)
#: Lines that no generated text has, so that each can be found again.
WRITTEN = st.lists(st.sampled_from([f"written {n}" for n in range(9)]), unique=True, max_size=4)


@given(base=TEXTS, other=TEXTS)
def test_a_side_that_changed_nothing_gives_the_other_exactly(base: str, other: str) -> None:
    assert merge_three_ways(base, base, other) == other
    assert merge_three_ways(base, other, base) == other
    assert merge_three_ways(base, other, other) == other


@given(base=TEXTS, theirs=TEXTS, ours=st.tuples(LINES, WRITTEN, LINES))
@examples(400)
def test_no_line_that_was_written_since_is_lost(
    base: str, theirs: str, ours: tuple[list[str], list[str], list[str]]
) -> None:
    written = ours[1]
    merged = merge_three_ways(base, "\n".join([*ours[0], *written, *ours[2]]), theirs)
    if merged is not None:
        found = merged.split("\n")
        assert [line for line in found if line.startswith("written")] == written


@given(base=TEXTS, theirs=TEXTS, written=WRITTEN.filter(bool))
def test_lines_that_were_appended_never_conflict(base: str, theirs: str, written: list[str]) -> None:
    merged = merge_three_ways(base, "\n".join([base, *written]), theirs)
    assert merged is not None
    assert all(line in merged.split("\n") for line in (*written, *filter(None, theirs.split("\n"))))


@given(base=LINES, place=st.integers(0, 8), written=WRITTEN.filter(bool))
def test_of_a_text_that_is_to_go_only_what_was_added_stays(base: list[str], place: int, written: list[str]) -> None:
    ours = [*base[:place], *written, *base[place:]]
    merged = merge_three_ways("\n".join(base), "\n".join(ours), "")
    assert merged is not None
    assert [line for line in merged.split("\n") if line] == written


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ("one and two\n", "one and two\nthree\n", "one\n", "one\nthree\n"),
        ("title\n\nboth\n", "title\n\nboth\n\nmine\n", "title\n\nhalf\n", "title\n\nhalf\n\nmine\n"),
        ("a\nlink\n", "mine\n", "a\n", "mine\n"),
        ("dreamt\n", "dreamt\nmine\n", "", "mine\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nC\n", "a\nC\n"),
        ("a\nb\n", "a\nmine\n", "a\nold\n", None),
        ("dreamt one\ndreamt two\n", "dreamt 1\ndreamt two\n", "", None),
        ("a\nb\nc\n", "a\n", "a\nb\nold\nc\n", None),
    ],
)
def test_both_changes_are_in_the_text_or_it_is_a_conflict(
    base: str, ours: str, theirs: str, merged: str | None
) -> None:
    assert merge_three_ways(base, ours, theirs) == merged


def test_a_text_of_very_many_lines_is_a_conflict_rather_than_a_wait() -> None:
    long = "\n".join(f"line {n}" for n in range(MAX_LINES + 1))
    assert merge_three_ways(long, f"{long}\nmine", f"old\n{long}") is None


def test_the_order_of_what_stays_is_the_order_in_which_it_was_written() -> None:
    merged = merge_three_ways("a\nb\nc\nd", "1\na\nb\n2\nc\nd\n3", "a\nB\nc\nd")
    assert merged == "1\na\nB\n2\nc\nd\n3"
    assert all(one < other for one, other in pairwise(merged.index(mark) for mark in "123"))
