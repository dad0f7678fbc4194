"""Each line of a memory that was merged into another is followed to where it stands."""

from gateway.console.views.survivors import MAX_LINES, find_survivors

MERGED = "---\na: 1\n---\n# Gate\n\nThe gate opens at seven, and closes at nine.\nBring a key for the side door.\n"


def test_a_line_is_kept_reworded_or_not_kept_and_its_place_is_told() -> None:
    source = "# Gate\n\nThe gate opens at seven\nBring one key for the side door.\nRoses need water.\n"
    found = [(line.fate, line.number) for line in find_survivors(source, MERGED)]
    assert found == [("kept", 4), ("kept", 6), ("reworded", 7), ("not kept", None)]


def test_a_line_is_kept_if_each_of_its_statements_stands_somewhere_in_the_merged_text() -> None:
    merged = "# Gate\n\n- Roses need water!\n- Bring a key for the side door.\n"
    found = find_survivors(
        "Bring a key for the side door. Roses need the water.\nThe gate is locked on Sunday.\n", merged
    )
    assert [line.fate for line in found] == ["kept", "not kept"]


def test_texts_that_are_too_long_to_compare_have_no_table() -> None:
    assert find_survivors("a line\n" * (MAX_LINES + 1), MERGED) == []
    assert find_survivors("x" * 2_000, MERGED) == []
    assert find_survivors("", MERGED) == []
