"""The words of the console: nothing is said twice, and no code of a failure stands in a sentence."""

import pytest

from gateway.console.views.words import (
    FILTERS,
    beyond,
    capital,
    label,
    note_beside,
    reason_of,
    span,
    unlinked,
    why_only,
)


@pytest.mark.parametrize(
    ("reason", "rest", "why"),
    [
        ("Merge a.md and b.md — overlapping labels", "a.md and b.md — overlapping labels", "Overlapping labels"),
        ("Merge a.md, b.md", "a.md, b.md", ""),
        ("From sessions of May (save): It rains.", None, None),
        ("Mergedale is a town", None, None),
    ],
)
def test_a_reason_beside_its_kind_does_not_say_the_kind_again(reason: str, rest: str | None, why: str | None) -> None:
    assert beyond(reason, "MERGE") == (reason if rest is None else rest)
    assert why_only(reason, "MERGE") == (reason if why is None else why)


def test_a_reason_begins_with_a_capital_and_says_a_code_in_words() -> None:
    said = capital("no answer from the model (model_unreachable 1, by budget.tokens_per_call)")
    assert said == "No answer from the model (model unreachable 1, by budget.tokens_per_call)"
    assert capital("") == ""
    assert capital("api/limits.md and api/quota.md differ") == "api/limits.md and api/quota.md differ"


@pytest.mark.parametrize(("days", "said"), [(3, "3 d"), (45, "1 mo"), (419, "1 y"), (800, "2 y")])
def test_a_long_span_is_said_in_months_and_years(days: int, said: str) -> None:
    assert span(days * 86_400) == said


def test_a_search_shows_the_words_of_a_link_and_not_its_address() -> None:
    text = "Ada opens [the office](../office/door.md) on Mondays; see [[rota]], ![a plan](p.png) and [1] (or not)."
    assert unlinked(text) == "Ada opens the office on Mondays; see rota, a plan and [1] (or not)."


def test_a_whole_number_has_no_decimals_and_a_setting_an_english_name() -> None:
    assert [FILTERS["number"](value) for value in (20.0, 13.56, 1_000_000, 0)] == ["20", "13.56", "1,000,000", "0"]
    assert (label("usd_per_day"), label("usd_this_day")) == ("Dollars per day", "Dollars today")


def test_a_card_gives_one_reason_and_repeats_no_note() -> None:
    merge, asked = "Merge a.md and b.md — 89% alike", "proposed only: their titles are about two things"
    assert reason_of(merge, "MERGE", asked) == "Their titles are about two things"
    assert note_beside(asked) == ""
    assert reason_of(merge, "MERGE", "") == "89% alike"
    assert note_beside("changed since it was proposed") == "changed since it was proposed"
