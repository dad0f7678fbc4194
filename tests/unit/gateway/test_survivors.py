"""Each line of a memory that was merged into another is followed to where it stands."""

from gateway.console.views.survivors import MAX_LINES, find_origins, find_survivors

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


def test_each_line_of_a_merged_text_names_the_memories_that_say_it() -> None:
    sources = {
        "a.md": "# A\n\nThe gate opens at seven.\nAda has the key.\n",
        "b.md": "# B\n\n- The gate opens at seven.\n- Deliveries come to the yard behind the house.\n",
    }
    merged = (
        "# A\n\nThe gate opens at seven.\nAda has the key.\n"
        "Deliveries come to the yard behind the old house.\nThe moon is full.\n"
    )
    assert [(one.fate, one.paths) for one in find_origins(merged, sources)] == [
        ("", ()),
        ("kept", ("a.md", "b.md")),
        ("kept", ("a.md",)),
        ("reworded", ("b.md",)),
        ("new", ()),
    ]


def test_a_sentence_in_other_words_names_the_checks_that_it_passes_or_the_one_that_it_does_not() -> None:
    sources = {
        "a.md": "---\ndescription: The yard of 12 Mill Lane\n---\n# Yard\n\n- Deliveries come to the yard behind the house.\n"
    }
    merged = "- Deliveries come to the yard of 12 Mill Lane behind the house.\n- Deliveries come to the yard behind the ruined house.\n"
    passing, doubtful = find_origins(merged, sources)
    assert "own_words" in passing.passed
    assert passing.doubt == ""
    assert (doubtful.passed, doubtful.doubt) == ((), 'own_words: no cited statement has the word "ruin"')
    (kept,) = find_origins("- Deliveries come to the yard behind the house.\n", sources)
    assert (kept.fate, kept.passed, kept.doubt) == ("kept", (), "")


def test_the_line_in_which_the_host_keeps_the_other_titles_is_not_doubted() -> None:
    sources = {
        "a.md": "# Yard\n\nThe yard is closed on Sundays.\n",
        "b.md": "# Court\n\nThe yard is closed on Sundays.\n",
    }
    assert [one.doubt for one in find_origins("The yard is closed on Sundays.\n\nAlso titled: Court.\n", sources)] == [
        "",
        "",
    ]


def test_a_line_of_two_statements_is_kept_only_if_both_are_in_a_source() -> None:
    sources = {"a.md": "The gate opens at seven.\n", "b.md": "Ada has the key.\n"}
    (both,) = find_origins("The gate opens at seven. Ada has the key.\n", sources)
    assert (both.fate, both.paths) == ("kept", ("a.md", "b.md"))
    (one,) = find_origins("The gate opens at seven. No sign shows the way back home from there.\n", sources)
    assert one.fate != "kept"


def test_a_text_of_too_many_lines_has_no_table_of_origins() -> None:
    assert find_origins("It rains.\n" * (MAX_LINES + 1), {"a.md": "It rains.\n"}) == []
