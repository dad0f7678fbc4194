"""One value has one spelling for every comparer: clock times, number words, prices, degrees, British and American words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.subject_words import list_stems
from shared.core.text.same_values import may_be_one_time, place_on_dial, read_clock
from shared.core.text.tokens import find_tokens, tidy
from shared.core.text.wording import wording_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The backup runs at 8 pm.", "The backup runs at 20:00."),
        ("Practice is at 7:30 p.m. in the hall.", "Practice is at 19:30 in the hall."),
        ("Die Probe beginnt um 19 Uhr.", "Die Probe beginnt um 19:00 Uhr."),
        ("Bis neun Uhr wird gebracht.", "Bis 9 Uhr wird gebracht."),
        ("La visite est à 14h30.", "La visite est à 14:30."),
        ("The job starts at midnight.", "The job starts at 00:00."),
        ("Three sets of twelve.", "3 sets of 12."),
        ("It waits for twenty-five minutes.", "It waits for 25 min."),
        ("Two thousand rows fit.", "2,000 rows fit."),
        ("2_000 rows fit.", "2000 rows fit."),
        ("Der Teig ruht fünfundvierzig Minuten.", "Der Teig ruht 45 Minuten."),
        ("A page has 10k rows.", "A page has 10,000 rows."),
        ("It costs €49.00.", "It costs 49 euros."),
        ("The colour is grey.", "The color is gray."),
        ("We organise it by e-mail.", "We organize it by email."),
        ("Bake it at 200 °C.", "Bake it at 200 degrees Celsius."),
        ("The 3rd floor is ours.", "The third floor is ours."),
        ("The bins go out on Wed mornings.", "The bins go out on Wednesday mornings."),
    ],
)
def test_two_spellings_of_one_value_are_one_wording(one: str, other: str) -> None:
    assert wording_of(one) == wording_of(other)
    assert reason_opposed(one, other) is None
    assert find_missing_specifics(other, [one]) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The backup runs at 8 pm.", "The backup runs at 8 am."),
        ("The shift begins at 12 am.", "The shift begins at 12 pm."),
        ("The backup runs at 8:00.", "The backup runs at 20:00."),
        ("The pod gets 2 GB.", "The pod gets 2048 MB."),
        ("The pod gets 2 GB.", "The pod gets 2 GiB."),
        ("Bake it at 200 °C.", "Bake it at 200 °F."),
        ("The parcel weighs 1.500 kg.", "The parcel weighs 1500 kg."),
        ("It costs 49.00 euros.", "It costs 4900 euros."),
        ("It runs version 3.10.", "It runs version 3.1."),
        ("It runs version 3.00.", "It runs version 3."),
        ("The tablet is taken once a day.", "The tablet is taken 11 a day."),
        ("We met at Seven Bridges.", "We met at 7 bridges."),
        ("The 3rd floor is ours.", "The 3 floors are ours."),
        ("The walk is 5 m.", "The walk is 5 min."),
    ],
)
def test_two_values_that_look_alike_stay_two(one: str, other: str) -> None:
    assert wording_of(one) != wording_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("8 am", "8 pm"), ("19 Uhr", "9 Uhr"), ("midnight", "noon"), ("three hours", "4 hours"), ("2 GB", "2 GiB")],
)
def test_another_value_in_the_same_sentence_is_a_contradiction(one: str, other: str) -> None:
    said = "The nightly backup of the shop runs for or at {0}."
    assert reason_opposed(said.format(one), said.format(other)) is not None


def test_an_hour_without_its_half_of_the_day_contradicts_neither() -> None:
    assert may_be_one_time("8:30", "20:30")
    assert may_be_one_time("8", "20:00")
    assert not may_be_one_time("08:30", "20:30")
    assert not may_be_one_time("8:30", "21:30")
    assert reason_opposed("The class starts at 8:30 sharp.", "The class starts at 8:30 pm sharp.") is None


@pytest.mark.parametrize(
    ("number", "word"), [("13", "pm"), ("0", "am"), ("8:75", "am"), ("25", "uhr"), ("8", "apples")]
)
def test_a_number_that_is_no_time_of_day_is_read_as_none(number: str, word: str) -> None:
    assert read_clock(number, word) is None


def test_titles_that_count_in_words_are_told_apart_like_those_with_digits() -> None:
    assert list_stems("Phase two") == list_stems("Phase 2") != list_stems("Phase three")


def test_a_line_that_goes_on_counting_is_read_in_its_length() -> None:
    tokens = find_tokens(tidy("2 thousand" + " thousand" * 5_000 + " 8" + " uhr" * 5_000))
    assert max(len(token.text) for token in tokens) < 20


@given(*[st.from_regex(r"\A[0-9]{1,2}(:[0-9]{2})?\Z")] * 2)
def test_only_times_with_one_place_on_the_dial_may_be_one(one: str, other: str) -> None:
    assert place_on_dial(one) == place_on_dial(other) or not may_be_one_time(one, other)


def test_what_is_no_time_has_no_place_on_the_dial() -> None:
    assert [place_on_dial(number) for number in ("8", "20:00", "2026", "3.5")] == [(8, "00"), (8, "00"), None, None]
