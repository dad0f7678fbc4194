"""A statement that a rewrite leaves out because another one says the same is shown beside that one, and is no loss by itself."""

import pytest

from shared.core.evaluation.measure import find_gone, find_reworded
from shared.core.evaluation.readers import Snapshot

KEPT = "- Mira values time with her family and feels happy in it.\n- Mira rows on Sundays."


def reworded(said: str, kept: str = KEPT, *, rewritten: bool = True) -> tuple[tuple[str, str, str], ...]:
    before, after = Snapshot(live={"mira.md": f"{kept}\n- {said}"}), Snapshot(live={"mira.md": kept})
    gone = find_gone(before, after, {})
    assert gone == (("mira.md", said),)
    return find_reworded(gone, after, {"mira.md": {"mira.md"}} if rewritten else {})


def test_a_statement_that_another_one_says_in_other_words_is_shown_beside_it() -> None:
    said = "Mira cherishes hours with family and feels most alive and happy in those moments."
    assert reworded(said) == (("mira.md", said, "Mira values time with her family and feels happy in it."),)


@pytest.mark.parametrize(
    "said",
    [
        "Mira spends time with her family at 14 Elm Road and feels happy.",
        "Mira never values time with her family and feels no joy.",
        "Mira paints boats and sells them at the market in spring.",
    ],
    ids=["another number", "a denial", "another subject"],
)
def test_what_no_other_statement_says_stays_gone(said: str) -> None:
    assert reworded(said) == ()


def test_what_no_rewrite_left_out_stays_gone() -> None:
    assert (
        reworded("Mira cherishes hours with family and feels most alive and happy in those moments.", rewritten=False)
        == ()
    )
