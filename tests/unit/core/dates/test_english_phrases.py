"""English phrases by how they are made: a count, a unit and a direction; a weekday and its clause; and what means no moment."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.resolve import resolve_dates
from shared.core.dates.rewrite import rewrite_dates

THURSDAY = datetime(2026, 3, 5, 10, tzinfo=UTC)
EARLIEST, LATEST = datetime(1990, 1, 1), datetime(2090, 1, 1)  # noqa: DTZ001  # local times


def days_of(text: str, at: datetime = THURSDAY) -> list[str]:
    return [(one.day or one.from_date).isoformat() for one in resolve_dates(text, at)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The lift was repaired four nights ago.", "2026-03-01"),
        ("The opening is ten days away.", "2026-03-15"),
        ("Three days back the pump failed.", "2026-03-02"),
        ("She left a week ago Monday.", "2026-02-23"),
        ("The band played the night before last.", "2026-03-03"),
        ("The lease started at the beginning of February.", "2026-02-01"),
        ("We lost the signal on March 2nd.", "2026-03-02"),
    ],
)
def test_a_count_a_unit_and_a_direction_make_a_day(text: str, day: str) -> None:
    assert days_of(text)[0] == day


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The new intern begins on Monday.", ["2026-03-09"]),
        ("Ben is off on Friday.", ["2026-03-06"]),
        ("Choir rehearsal Wed 19:30, church hall", ["2026-03-11"]),
        ("The client call was moved to Monday.", ["2026-03-09"]),
        ("The hearing was brought forward to Monday.", ["2026-03-09"]),
        ("They adjourned it till the 19th.", ["2026-03-19"]),
        ("I've been ill since Monday.", ["2026-03-02"]),
        ("I told Ana on Monday that the parts would be late.", ["2026-03-02"]),
        ("We met on Monday and will meet again on Tuesday.", ["2026-03-02", "2026-03-10"]),
        ("Neighbours moving out Sat at 10am.", ["2026-03-07"]),
        ("Closed Mondays; open Tue-Sun 10 to 6.", []),
        ("He had a fall on the Tuesday of that week.", []),
        ("It is on Friday.", []),
        ("The vessel is delayed, ETA now Sunday.", ["2026-03-08"]),
        ("The parcel was delayed until Monday.", ["2026-03-09"]),
        ("Rain was announced for Monday.", ["2026-03-09"]),
        ("She wanted the paste changed; samples come on Monday.", ["2026-03-09"]),
        ("She wanted the paste changed; samples came on Monday.", ["2026-03-02"]),
        ("Compare the costs with the same week of the previous month.", []),
        ("Kofi asked for two weeks' leave in August.", []),
        ("She requested a desk in March.", []),
    ],
)
def test_the_clause_of_a_weekday_says_which_one_is_meant(text: str, days: list[str]) -> None:
    assert days_of(text) == days


@pytest.mark.parametrize("text", ["The crew comes next week.", "It rained last week."])
def test_on_a_sunday_a_week_is_not_sure_enough_to_be_written(text: str) -> None:
    assert rewrite_dates(text, THURSDAY + timedelta(days=3)) == text
    assert rewrite_dates(text, THURSDAY + timedelta(days=4)) != text


def test_a_weekday_that_is_arranged_is_not_sure_enough_to_be_written() -> None:
    assert rewrite_dates("The truck arrives on Wednesday.", THURSDAY) == "The truck arrives on Wednesday."
    assert "(2026-03-04)" in rewrite_dates("The truck arrived last Wednesday.", THURSDAY)


@pytest.mark.parametrize(
    "text",
    [
        "The inspector wrote 'two weeks ago' into the form.",
        "She read \u201ctomorrow\u201d off the sheet.",
        "Last Week Tonight had a piece on bees.",
        "We watched The Day Before Yesterday at Jo's.",
        "Tomorrow is a brand of tea.",
        "Hello {name}, your parcel comes tomorrow.",
        "If the race were next Friday, we would lose.",
        "Tomorrow and tomorrow, said the parrot.",
        "Pick one: today, tomorrow or next week.",
        "The variable tomorrow is empty.",
        "The page shows the last seven days.",
        "Today the hare, tomorrow the hound.",
        "Sessions expire in 24 hours.",
        "The glue dries in two hours.",
        "They normally pay the cleaner at the end of the month.",
    ],
)
def test_quotations_titles_templates_and_what_is_only_supposed_name_no_moment(text: str) -> None:
    assert days_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Her visa came through half a year ago.",
        "It began a year and a half ago.",
        "Monday just gone the roof leaked.",
        "The hearing was put off to Tuesday week.",
        "We fly on Monday fortnight.",
        "Tomorrow week we move out.",
        "The exam is two weeks tomorrow.",
        "The party is a week on Saturday.",
        "We met on Good Friday.",
        "The plan was due at the end of last week.",
        "We meet again this time next week.",
    ],
)
def test_of_a_phrase_that_no_rule_dates_no_part_is_dated(text: str) -> None:
    assert days_of(text) == []


@given(
    st.sampled_from(["yesterday", "two weeks ago", "last Friday", "the night before last"]),
    st.sampled_from(['"{}"', "'{}'", "\u201c{}\u201d", "\u00ab{}\u00bb"]),
)
def test_what_is_quoted_was_said_on_another_day(phrase: str, quotes: str) -> None:
    assert days_of(f"The label reads {quotes.format(phrase)} in red.") == []


def test_a_day_of_a_month_is_looked_for_on_the_side_that_its_word_says() -> None:
    said = datetime(2026, 3, 24, 10, tzinfo=UTC)
    (since,) = resolve_dates("Since January 23 the gate is open.", said)
    (limit,) = resolve_dates("Open windows, checked locks\n- Before April 2: oil the hinges", said)
    assert (since.day, limit.day) == (date(2026, 1, 23), date(2026, 4, 2))
    assert not limit.is_clear
    assert resolve_dates("Before April 2 we had no hinges.", said) == ()
