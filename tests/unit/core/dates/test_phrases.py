"""Relative dates of a sentence: which days a phrase means, in any language; and which texts a model is asked about."""

import itertools
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.mentions import has_relative_date
from shared.core.dates.phrases import find_phrases
from shared.languages.language_file import read_date_words
from tests.support.laws import some_quick

THURSDAY = date(2026, 3, 5)


def dates_of(text: str, said_on: date = THURSDAY) -> list[str]:
    return [one.date for one in find_phrases(text, said_on)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("yesterday", "2026-03-04"),
        ("the day after tomorrow", "2026-03-07"),
        ("this morning", "2026-03-05"),
        ("two weeks ago", "week of 2026-02-16"),
        ("in 3 months", "2026-06"),
        ("a year ago", "2025"),
        ("last week", "week of 2026-02-23"),
        ("next year", "2027"),
        ("last weekend", "2026-02-28 to 2026-03-01"),
        ("last Thursday", "2026-02-26"),
        ("this Friday", "2026-03-06"),
        ("next Monday", "2026-03-09"),
        ("Die Heizung ist vorgestern ausgefallen.", "2026-03-03"),
        ("Das Dach wurde letzte Woche gedeckt.", "week of 2026-02-23"),
        ("Es war letzten Montag kaputt.", "2026-03-02"),
        ("Le port a changé avant-hier.", "2026-03-03"),
        ("La semaine dernière il a plu.", "week of 2026-02-23"),
        ("Fue el lunes pasado.", "2026-03-02"),
        ("El archivo se muda pasado mañana.", "2026-03-07"),
        ("O arquivo muda depois de amanhã.", "2026-03-07"),
        ("Dopodomani arriva il tecnico.", "2026-03-07"),
        ("Eergisteren kwam de brief.", "2026-03-03"),
    ],
)
def test_a_phrase_has_the_days_that_its_words_count_to(text: str, day: str) -> None:
    assert dates_of(text) == [day]


@pytest.mark.parametrize(
    "text",
    [
        "on Friday",
        "in May",
        "a few weeks ago",
        "in 99999999 years",
        "9000 years ago",
        "`yesterday`",
        "see_yesterday_x",
        "最后日志",
    ],
)
def test_what_names_no_day_by_itself_or_is_a_name_has_none(text: str) -> None:
    assert dates_of(text) == []


COUNTS = {
    "en": ("It broke {} days ago.", "It ends in {} days."),
    "de": ("Das Paket kam vor {} Tagen an.", "In {} Tagen läuft das Zertifikat ab."),
    "fr": ("Le colis est arrivé il y a {} jours.", "Le certificat expire dans {} jours."),
    "es": ("El paquete llegó hace {} días.", "El contrato termina dentro de {} días."),
    "pt": ("O pacote chegou há {} dias.", "O contrato termina daqui a {} dias."),
    "it": ("Il pacco è arrivato {} giorni fa.", "Il contratto scade tra {} giorni."),
    "nl": ("Het pakket kwam {} dagen geleden aan.", "Het contract loopt over {} dagen af."),
}


@given(st.sampled_from(sorted(COUNTS)), st.integers(2, 300))
def test_days_are_counted_alike_in_every_language(code: str, days: int) -> None:
    past, ahead = (text.format(days) for text in COUNTS[code])
    assert dates_of(past) == [str(THURSDAY - timedelta(days=days))]
    assert dates_of(ahead) == [str(THURSDAY + timedelta(days=days))]


@given(st.sampled_from(sorted(COUNTS)), st.integers(2, 12))
def test_a_number_in_words_counts_as_its_digits_do(code: str, days: int) -> None:
    word = read_date_words()[code].numbers.split()[days - 1].partition("/")[0]
    assert dates_of(COUNTS[code][0].format(word)) == dates_of(COUNTS[code][0].format(days))


def test_every_language_counts_days_and_is_noticed() -> None:
    assert COUNTS.keys() == read_date_words().keys()
    assert all(has_relative_date(text.format(3)) for texts in COUNTS.values() for text in texts)


@given(
    st.sampled_from(["last Friday", "next Monday", "this Sunday", "letzten Montag", "el lunes pasado"]),
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.integers(1, 500),
)
def test_said_whole_weeks_later_a_weekday_is_as_many_weeks_later(phrase: str, day: date, weeks: int) -> None:
    shift = timedelta(weeks=weeks)
    first, second = dates_of(phrase, day), dates_of(phrase, day + shift)
    assert [date.fromisoformat(one) + shift for one in first] == [date.fromisoformat(one) for one in second]


@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(
            ["last", "next", "Friday", "two", "days", "ago", "in", "a", "week", "the", "day", "before", "."]
        )
    ).map(" ".join)
)
def test_every_phrase_lies_in_the_text_in_order_and_apart(text: str) -> None:
    found = find_phrases(text, THURSDAY)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))


@pytest.mark.parametrize(
    "unit", some_quick(["yesterday ", "a ", "`", "1 day ", "](( ", "<!--", "last ", "vor zwei "], one_in=3)
)
def test_a_line_of_a_megabyte_is_bounded_work(unit: str) -> None:
    """Would not end with nested quantifiers."""
    text = unit * (1_000_000 // len(unit))
    assert len(find_phrases(text, THURSDAY)) < len(text)
    has_relative_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "It broke two Fridays ago.",
        "It broke the week before last.",
        "It broke last October.",
        "We fly tomorrow.",
        "It was forty-eight hours ago.",
        "It is put off to Tuesday week.",
        "Heute früh kam der Brief.",
        "Hier le colis est arrivé.",
        "我们昨天签了合同。",
        "契約は先月切れました。",
        "The note: 后天 we move.",
    ],
)
def test_a_model_is_asked_about_a_text_with_a_relative_date(text: str) -> None:
    assert has_relative_date(text)


@pytest.mark.parametrize(
    "text", ["Hier ist der Schlüssel.", "The hier library was updated.", "Tee gibt es genug.", "Deploys run on Friday."]
)
def test_a_text_without_a_relative_date_is_not_looked_at(text: str) -> None:
    assert not has_relative_date(text)
