"""A reason of hundreds of parts does not bury the other operations of a dream on a terminal."""

from gateway.cli.dreams.diff import shorten_reason


def test_a_reason_of_many_parts_is_cut_between_two_and_says_how_many_are_left() -> None:
    parts = [f"Linked a/{number}.md and b/{number}.md" for number in range(200)]
    short = shorten_reason("; ".join(parts))
    *shown, rest, hint = short.split("; ")
    assert shown == parts[: len(shown)]
    assert (rest, hint) == (f"… {200 - len(shown)} more", "dreams show --whole shows them")
    assert len(short) < 700


def test_a_reason_that_fits_and_one_of_a_single_long_part_are_told_as_they_are() -> None:
    assert shorten_reason("Merged two notes; nothing was lost") == "Merged two notes; nothing was lost"
    assert shorten_reason("word " * 200) == f"{('word ' * 200)[:600]}…"
