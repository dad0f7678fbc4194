"""A contradiction that a person is told of without a model: all but one statement is the same, and that one cannot hold in both forms."""

import pytest

from shared.core.checks.at_odds import find_plain_conflict
from shared.core.merging.opposites import reason_opposed

_PAGE = "# Limits\n\n{}\n\nThe porter rings twice.\n"


def test_two_statements_that_cannot_both_hold_are_quoted() -> None:
    found = find_plain_conflict(
        _PAGE.format("The gate lets 50 requests a minute through."),
        _PAGE.format("The gate lets 90 requests a minute through."),
    )
    assert found is not None
    assert found.startswith('"The gate lets 50 requests')
    assert "50 against 90" in found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The quay does take on timber.", "The quay does not take on timber."),
        ("O cais abre aos domingos de manh\u00e3.", "O cais n\u00e3o abre aos domingos de manh\u00e3."),
        ("De kade is op zondag open.", "De kade is op zondag niet open."),
        ("Il molo \u00e8 aperto la domenica.", "Il molo non \u00e8 aperto la domenica."),
    ],
)
def test_a_denial_in_the_same_words_is_told(left: str, right: str) -> None:
    found = find_plain_conflict(_PAGE.format(left), _PAGE.format(right))
    assert found is not None
    assert "negation" in found


@pytest.mark.parametrize(
    "record", ["**Last updated:** {}", "- **Date**: {}", "Stand: {}", "\u66f4\u65b0\u65e5\uff1a{}"]
)
def test_the_day_of_a_page_is_no_statement_about_its_subject(record: str) -> None:
    page = _PAGE.format(record)
    assert find_plain_conflict(page.format("2026-03-04"), page.format("2026-05-06")) is None


def test_several_other_values_may_be_those_of_two_pages_of_one_template() -> None:
    page = "# Dock\n\n- Length of the dock {} m\n- Depth of the dock {} m\n"
    assert find_plain_conflict(page.format(80, 9), page.format(120, 11)) is None
    assert find_plain_conflict(page.format(80, 9), page.format(80, 11)) is not None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Honey never holds more than 18 % of water.", "Honey holds at most 18 % of water."),
        ("The parking ban at the quay costs 45 euros.", "The no-parking zone at the quay costs 45 euros."),
        ("Start: sudo anchor-up pier-nine", "Fix: sudo anchor-up pier-nine"),
        ("Label the charts in words rather than in codes.", "Label the charts in words, not in codes."),
        ("Jamais de rabais par \u00e9crit pour les clients.", "Pas de rabais par \u00e9crit pour les clients."),
        ("Keel: laid 5 April", "Steel hull, keel laid 5 April, no mast yet."),
    ],
)
def test_one_statement_in_two_wordings_is_not_called_a_contradiction(left: str, right: str) -> None:
    assert find_plain_conflict(_PAGE.format(left), _PAGE.format(right)) is None


def test_what_only_one_of_two_texts_denies_keeps_them_apart_and_is_not_called_a_contradiction() -> None:
    left = "# Cargo of the quay\n\nThe quay has taken on too much timber for its cranes and cannot bear a storm.\n"
    right = "# Cargo of the sheds\n\nThe quay has taken on too much timber for its sheds.\n"
    assert reason_opposed(left, right) is not None
    assert find_plain_conflict(left, right) is None
