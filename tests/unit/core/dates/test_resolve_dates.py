"""Relative dates of what was said: which days are meant, where it was said, in which language, and when it is unknown."""

import itertools
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.mentions import RELATIVE_PHRASE, has_relative_date
from shared.core.dates.resolve import MAX_PHRASES, resolve_dates
from shared.core.dates.resolved import Granularity
from shared.core.errors import BadInputError
from tests.support.laws import some_quick

THURSDAY = datetime(2026, 3, 5, 12, tzinfo=UTC)


def days_of(text: str, at: datetime = THURSDAY, locale: str = "en") -> list[tuple[str, str]]:
    found = resolve_dates(text, at, locale=locale)
    return [(text[one.start : one.end], (one.day or one.from_date).isoformat()) for one in found]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("yesterday", "2026-03-04"),
        ("the day after tomorrow", "2026-03-07"),
        ("two weeks ago", "2026-02-19"),
        ("1 month and 2 days ago", "2026-02-03"),
        ("in a fortnight", "2026-03-19"),
        ("3 days from tomorrow", "2026-03-09"),
        ("last Wednesday", "2026-03-04"),
        ("last Thursday", "2026-02-26"),
        ("this Friday", "2026-03-06"),
        ("next Monday", "2026-03-09"),
        ("previous Sunday", "2026-03-01"),
        ("next week on Tuesday", "2026-03-10"),
        ("Tuesday of last week", "2026-02-24"),
        ("the second Monday of next month", "2026-04-13"),
        ("the 20th of next month", "2026-04-20"),
        ("Monday two weeks from now", "2026-03-16"),
        ("We met on Tuesday.", "2026-03-03"),
        ("We will meet on Tuesday.", "2026-03-10"),
        ("It broke the day before.", "2026-03-04"),
        ("last week", "2026-02-23"),
        ("last weekend", "2026-02-28"),
        ("this month", "2026-03-01"),
        ("next year", "2027-01-01"),
        ("last night", "2026-03-04"),
    ],
)
def test_a_phrase_with_one_meaning_has_its_day(text: str, day: str) -> None:
    assert [found for _, found in days_of(text)] == [day]


@pytest.mark.parametrize(
    "text",
    [
        "a few weeks ago",
        "about two weeks ago",
        "two or three days ago",
        "two weeks ago yesterday",
        "It is on Friday.",
        "Releases go out on Fridays.",
        "Saturday pickups must be booked by noon.",
        "Every Friday was a release day.",
        "We worked from Monday to Friday.",
        "I went back Friday the 13th",
        "I wrote it in two days.",
        "It ran twice in a week.",
        "It was submitted, and 3 weeks later it was approved.",
        "The day before the deploy we froze.",
        "We deployed last month and it broke the next day.",
        "the last week of May",
        "in 99999999 years",
        "9000 years ago",
    ],
)
def test_a_phrase_with_two_meanings_or_none_is_not_resolved(text: str) -> None:
    days = [phrase for phrase, _ in days_of(text)]
    assert days in ([], ["last month"])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("It broke on the last Friday of October.", "2025-10-31"),
        ("We will meet on the first Tuesday of Sept.", "2026-09-01"),
        ("the last Sunday of June 2025", "2025-06-29"),
        ("the third Monday of last month", "2026-02-16"),
        ("the last day of next month", "2026-04-30"),
        ("last day of May 2024", "2024-05-31"),
        ("by the end of next month", "2026-04-30"),
        ("since the beginning of this year", "2026-01-01"),
        ("the week after next", "2026-03-16"),
        ("the week before last", "2026-02-16"),
        ("the Friday before last", "2026-02-20"),
        ("two Fridays ago", "2026-02-20"),
        ("last week's Sunday", "2026-03-01"),
        ("Sunday from last week", "2026-03-01"),
        ("this past weekend", "2026-02-28"),
        ("over the past week", "2026-02-26"),
        ("last quarter", "2025-10-01"),
        ("last October", "2025-10-01"),
        ("We shipped it in January.", "2026-01-01"),
        ("We met on the 15th.", "2026-02-15"),
        ("20 of next month", "2026-04-20"),
        ("a week ago today", "2026-02-26"),
        ("fourteen days ago", "2026-02-19"),
        ("2 wks ago", "2026-02-19"),
        ("two days back", "2026-03-03"),
    ],
)
def test_parts_of_the_calendar_are_named_as_people_write_them(text: str, day: str) -> None:
    [found] = resolve_dates(text, THURSDAY)
    assert (found.day or found.from_date).isoformat() == day
    assert found.is_clear


@pytest.mark.parametrize(
    "text",
    [
        "the last Friday of October",
        "a couple of days ago",
        "the last Friday of the month",
        "end of month",
        "in the last month",
        "last January",
        "Please finish by Friday.",
    ],
)
def test_a_date_that_only_a_convention_decides_is_marked_as_unclear(text: str) -> None:
    assert [one.is_clear for one in resolve_dates(text, THURSDAY)] == [False]


@pytest.mark.parametrize(
    "text", ["It may march on.", "last March", "in March", "in May 2024", "We march on.", "May we?"]
)
def test_a_months_name_alone_is_no_relative_date(text: str) -> None:
    assert days_of(text) == []


def test_next_friday_has_a_day_but_is_marked_as_unclear() -> None:
    (found,) = resolve_dates("next Friday", THURSDAY)
    assert (found.day, found.is_clear) == (date(2026, 3, 13), False)


def test_a_phrase_is_as_exact_as_the_unit_it_counts_in() -> None:
    (found,) = resolve_dates("two months ago", THURSDAY)
    assert (found.from_date, found.to_date, found.granularity) == (
        date(2026, 1, 1),
        date(2026, 1, 31),
        Granularity.MONTH,
    )


def test_the_last_days_are_a_range_up_to_the_day_it_was_said() -> None:
    (found,) = resolve_dates("over the last 3 days", THURSDAY)
    assert (found.from_date, found.to_date, found.granularity) == (
        date(2026, 3, 2),
        date(2026, 3, 5),
        Granularity.RANGE,
    )


def test_the_speakers_time_zone_decides_which_day_it_is() -> None:
    late = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)
    (vienna,) = resolve_dates("yesterday", late, "Europe/Vienna")
    (york,) = resolve_dates("yesterday", late, "America/New_York")
    assert (vienna.day, york.day) == (date(2026, 3, 4), date(2026, 3, 3))


def test_an_unknown_time_zone_is_refused_with_an_example() -> None:
    with pytest.raises(BadInputError, match="Europe/Vienna"):
        resolve_dates("yesterday", THURSDAY, "Mars/Olympus")


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("de", "Gestern war es kaputt.", ("Gestern", "2026-03-04")),
        ("de-AT", "Vor zwei Wochen war es gut.", ("Vor zwei Wochen", "2026-02-19")),
        ("de", "Es war letzten Montag kaputt.", ("letzten Montag", "2026-03-02")),
        ("es", "Ayer lo arreglamos.", ("Ayer", "2026-03-04")),
        ("es", "Fue el lunes pasado.", ("el lunes pasado", "2026-03-02")),
        ("fr", "C'était il y a deux semaines.", ("il y a deux semaines", "2026-02-19")),
        ("fr", "On livre dans 3 jours.", ("dans 3 jours", "2026-03-08")),
        ("de", "We fixed it yesterday.", ("yesterday", "2026-03-04")),
        ("fr", "Le port a changé avant-hier.", ("avant-hier", "2026-03-03")),
        ("es", "El archivo se muda pasado mañana.", ("pasado mañana", "2026-03-07")),
        ("es", "Se renovó hace tres días.", ("hace tres días", "2026-03-02")),
        ("pt", "O arquivo muda depois de amanhã.", ("depois de amanhã", "2026-03-07")),
        ("pt", "Entregamos sexta-feira passada.", ("sexta-feira passada", "2026-02-27")),
    ],
)
def test_the_tenants_language_is_understood_and_english_everywhere(
    locale: str, text: str, expected: tuple[str, str]
) -> None:
    assert days_of(text, locale=locale) == [expected]


@pytest.mark.parametrize("text", ["Guten Morgen!", "Das machen wir am Morgen."])
def test_a_german_morning_is_not_tomorrow(text: str) -> None:
    assert days_of(text, locale="de") == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("fr", "Un projet d'avant-garde."),
        ("es", "Trabaja desde hace tres años."),
        ("es", "Terminó en tres días."),
        ("pt", "Há muitos erros."),
    ],
)
def test_a_phrase_with_two_readings_names_no_day_in_any_language(locale: str, text: str) -> None:
    assert days_of(text, locale=locale) == []


def test_an_unknown_language_has_english_phrases_only() -> None:
    assert days_of("yesterday gestern", locale="zz") == [("yesterday", "2026-03-04")]


WEEKDAY_PHRASES = st.sampled_from(
    ["last Friday", "next Monday", "this Sunday", "We met on Tuesday.", "next week on Friday"]
)


@given(WEEKDAY_PHRASES, st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(1, 500))
def test_said_whole_weeks_later_a_weekday_is_as_many_weeks_later(phrase: str, day: date, weeks: int) -> None:
    at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    shift = timedelta(weeks=weeks)
    first, second = resolve_dates(phrase, at), resolve_dates(phrase, at + shift)
    assert [one.from_date + shift for one in first] == [one.from_date for one in second]


@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(
            ["last", "next", "on", "Friday", "two", "days", "ago", "in", "a", "week", "the", "day", "before", ".", ","]
        )
    ).map(" ".join)
)
def test_every_phrase_lies_in_the_text_in_order_and_apart(text: str) -> None:
    found = resolve_dates(text, THURSDAY)
    assert all(0 <= one.start < one.end <= len(text) and one.from_date <= one.to_date for one in found)
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))


@pytest.mark.parametrize("length", some_quick([100_000, 1_000_000], one_in=2))
@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize(
    "unit",
    some_quick(["yesterday ", "a ", "`", "1 day ", "](( ", "<!--", "friday, ", "last ", "one ", "vor zwei "], one_in=3),
)
def test_a_line_of_a_megabyte_is_bounded_work(unit: str, locale: str, length: int) -> None:
    """Would not end with nested quantifiers or a sentence search for each of 100,000 phrases."""
    assert len(resolve_dates(unit * (length // len(unit)), THURSDAY, locale=locale)) <= 20 * MAX_PHRASES


@pytest.mark.parametrize(
    "text",
    [
        "two Fridays ago",
        "the week before last",
        "the first Tuesday of October",
        "last October",
        "tomorrow",
        "forty-eight hours ago",
        "Thursday week",
        "two weeks on Sunday",
    ],
)
def test_a_memory_with_such_a_phrase_is_looked_at(text: str) -> None:
    assert has_relative_date(f"It broke {text}.")


@given(st.from_regex(RELATIVE_PHRASE, fullmatch=True))
def test_no_phrase_that_names_a_day_is_passed_over_for_lack_of_a_word(phrase: str) -> None:
    assert has_relative_date(phrase)


@pytest.mark.parametrize(
    "text",
    [
        "It is two weeks today since she left.",
        "The puppy is a week old today, and a week today was short.",
        "The Monday week plan is out.",
        "It broke thirty-six hours ago.",
        "It broke about 48 hours ago.",
        "We were away three days yesterday.",
    ],
)
def test_how_long_something_has_lasted_and_parts_of_days_are_not_dated(text: str) -> None:
    assert [words for words, _ in days_of(text) if words != "today"] == []


_ONES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@given(st.integers(min_value=20, max_value=99), st.sampled_from("- "))
def test_a_number_in_words_counts_as_its_digits_do(number: int, joint: str) -> None:
    tens, ones = divmod(number, 10)
    english = _TENS[tens] + (joint + _ONES[ones] if ones else "")
    (_, day), *_ = days_of(f"{number} days ago")
    assert days_of(f"{english} days ago") == [(f"{english} days ago", day)]


@pytest.mark.parametrize(
    ("locale", "text", "days"),
    [
        ("de", "Morgen in einer Woche ist Abgabe.", []),
        ("de", "Freitag in einer Woche ist Abgabe.", []),
        ("fr", "La pompe a lâché il y a vingt-cinq jours.", ["2026-02-08"]),
        ("fr", "On part demain en huit.", ["2026-03-13"]),
        ("es", "Llegó hace veinte días.", ["2026-02-13"]),
        ("pt", "Chegou há vinte dias.", ["2026-02-13"]),
        ("it", "Dopodomani arriva il tecnico.", ["2026-03-07"]),
        ("nl", "Eergisteren kwam de brief.", ["2026-03-03"]),
    ],
)
def test_longer_counts_are_read_whole_or_not_at_all(locale: str, text: str, days: list[str]) -> None:
    assert [day for _, day in days_of(text, locale=locale)] == days
