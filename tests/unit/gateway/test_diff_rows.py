"""Two texts side by side: every line of both is there, in order, and what is marked is what differs."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.console.views.diff_rows import MAX_LINES, Row, diff_rows

LINES = st.lists(st.sampled_from(["", "a", "b b", "a b c", "the page", "the pages"]), max_size=30)


def _numbers(rows: list[Row], side: str) -> list[int]:
    return [number for row in rows if (number := getattr(row, f"{side}_number")) is not None]


@given(LINES, LINES)
def test_no_line_is_lost_or_told_twice(before: list[str], after: list[str]) -> None:
    rows = diff_rows("\n".join(before), "\n".join(after)) or []
    for side, lines in (("old", "\n".join(before).splitlines()), ("new", "\n".join(after).splitlines())):
        numbers = _numbers(rows, side)
        assert numbers == sorted(set(numbers))
        assert len(numbers) + sum(row.folded for row in rows) == len(lines)
        for row in rows:
            number = getattr(row, f"{side}_number")
            if number is not None:
                assert "".join(part.text for part in getattr(row, side)) == lines[number - 1]


def test_only_the_words_that_differ_are_marked() -> None:
    rows = diff_rows("Tokens live for one hour.", "Tokens live for two hours.")
    assert rows is not None
    assert [part.text for part in rows[0].old if part.is_marked] == ["one", "hour"]
    assert [part.text for part in rows[0].new if part.is_marked] == ["two", "hours"]


def test_long_stretches_of_the_same_are_folded_and_counted() -> None:
    same = [f"line {number}" for number in range(40)]
    rows = diff_rows("\n".join(["old", *same]), "\n".join(["new", *same])) or []
    assert [row.kind for row in rows] == ["changed", "same", "same", "same", "fold"]
    assert rows[-1].folded == 37


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert diff_rows("a\n" * MAX_LINES, "b\n") is None


def test_a_wide_table_costs_no_more_marks_than_a_page_can_wait_for() -> None:
    before = "| value " * 40 + "|\n"
    rows = diff_rows(before * 200, before.replace("v", "V") * 200)
    assert rows is not None
    marked = [row for row in rows if any(part.is_marked for part in row.old)]
    assert 0 < len(marked) < 10
    assert {row.kind for row in rows} == {"changed"}


def test_lines_added_at_either_end_are_shown_beside_their_neighbours() -> None:
    text = "".join(f"line {number}\n" for number in range(9))
    for before, after, kinds in (
        (text, text + "new\n", ["fold", "same", "same", "same", "added"]),
        (text, "new\n" + text, ["added", "same", "same", "same", "fold"]),
    ):
        assert [row.kind for row in diff_rows(before, after) or ()] == kinds
