"""A contradiction that a person is told of: two whole statements about the subject, quoted."""

import pytest

from shared.core.merging.opposites import decide_opposites
from workers.offline.plain_conflict import find_plain_conflict


def test_two_statements_that_cannot_both_hold_are_quoted() -> None:
    found = find_plain_conflict(
        "# Limits\n\nThe gate lets 50 requests a minute through.\n",
        "# Limits\n\nThe gate lets 90 requests a minute through.\n",
    )
    assert found is not None
    assert found.startswith('"The gate lets 50 requests')
    assert "50 against 90" in found


def test_a_line_of_a_sentence_that_was_wrapped_by_hand_contradicts_nothing() -> None:
    left = (
        "This gate differs from the old one because it doesn't require\na name in long form, and it does not check that\n"
        "the door is in a file of settings. It asks the porter.\n"
    )
    right = "This door differs from the old one because\nit doesn't use the door in a file of settings. It asks the porter.\n"
    assert decide_opposites(left, right) is not None  # enough to keep them apart
    assert find_plain_conflict(left, right) is None


@pytest.mark.parametrize(
    "record",
    [
        "**Last updated:** {}",
        "Last reviewed: {}",
        "- **Date**: {}",
        "Stand: {}",
        "Zuletzt ge\u00e4ndert: {}",
        "**Derni\u00e8re mise \u00e0 jour** : {}",
        "**\u00daltima actualizaci\u00f3n**: {}",
        "\u66f4\u65b0\u65e5\uff1a{}",
    ],
)
def test_the_days_of_a_page_are_no_statements_about_its_subject(record: str) -> None:
    page = f"# Limits\n\n{record}\n\nThe gate lets 50 requests a minute through.\n"
    assert find_plain_conflict(page.format("2026-03-04"), page.format("2026-05-06")) is None


def test_the_day_of_a_thing_is_one() -> None:
    page = "# Licence\n\nDay on which the licence of the crane ends: {}\n"
    assert find_plain_conflict(page.format("2026-03-04"), page.format("2026-05-06")) is not None


def test_a_stub_and_a_long_page_do_not_contradict_each_other_by_what_only_the_page_denies() -> None:
    page = "".join(f"Part {n} of the crane is oiled on the first day of the week.\n" for n in range(70))
    assert find_plain_conflict("Moved to the page of the crane's part 3.\n", page + "It is not painted.\n") is None


def test_code_keeps_its_lines() -> None:
    code = "```\nlet the gate through {} requests in a minute\nkeep the gate open when it is full, and ring\n```\n"
    found = find_plain_conflict(code.format(50), code.format(90))
    assert found is not None
    assert "keep the gate" not in found


def test_a_clause_that_denies_something_else_is_no_contradiction() -> None:
    left = "# Cargo of the quay\n\nThe quay has taken on too much timber for its cranes and cannot bear a storm.\n"
    right = "# Cargo of the sheds\n\nThe quay has taken on too much timber for its sheds.\n"
    assert decide_opposites(left, right) is not None  # enough to keep them apart
    assert find_plain_conflict(left, right) is None
    assert find_plain_conflict(right, left) is None


@pytest.mark.parametrize(
    "denied",
    ["The quay does not take on timber for its cranes.", "No timber is taken on by the quay for its cranes."],
)
def test_a_denial_of_what_the_other_says_is_one(denied: str) -> None:
    assert find_plain_conflict("The quay does take on timber for its cranes.", denied) is not None


def test_a_denial_of_something_else_in_the_same_sentence_is_no_contradiction() -> None:
    assert find_plain_conflict("- Keel: laid 5 April", "Steel hull, keel laid 5 April, no mast yet.") is None


def test_several_other_values_are_those_of_two_pages_of_one_template_unless_both_are_about_one_thing() -> None:
    page = "# Dock\n\n- Length of the dock {} m\n- Depth of the dock {} m\n- Cranes at the dock {}\n"
    left, right = page.format(80, 9, 2), page.format(120, 11, 4)
    assert find_plain_conflict(left, right, is_one_subject=False) is None
    assert find_plain_conflict(left, right) is not None
    assert find_plain_conflict(left, page.format(80, 11, 2), is_one_subject=False) is not None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "If the starter smells of varnish, feed it twice that day.",
            "When the starter smells of varnish, feed it twice that day.",
        ),
        ("Singers who miss three rehearsals do not sing.", "Those who miss three rehearsals do not sing."),
        ("# Mooring plan, version 1\n\nStern first.\n", "# Mooring plan, version 2\n\nStern first.\n"),
        ("Honey never holds more than 18 % of water.", "Honey holds at most 18 % of water."),
        ("The parking ban at the quay costs 45 euros.", "The no-parking zone at the quay costs 45 euros."),
        ("Start: sudo anchor-up pier-nine", "Fix: sudo anchor-up pier-nine"),
        ("Label the charts in words rather than in codes.", "Label the charts in words, not in codes."),
        (
            "Name sources at the end, archives before papers.",
            "Name sources at the end, archives first and papers after.",
        ),
        ("Jamais de rabais par \u00e9crit pour les clients.", "Pas de rabais par \u00e9crit pour les clients."),
    ],
)
def test_one_statement_in_two_wordings_contradicts_nothing(left: str, right: str) -> None:
    assert find_plain_conflict(left, right) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Le quai est ouvert le dimanche matin.", "Le quai n'est pas ouvert le dimanche matin."),
        ("El muelle siempre abre los domingos.", "El muelle nunca abre los domingos."),
        ("O cais abre aos domingos de manh\u00e3.", "O cais n\u00e3o abre aos domingos de manh\u00e3."),
        ("De kade is op zondag open.", "De kade is op zondag niet open."),
        ("Il molo \u00e8 aperto la domenica.", "Il molo non \u00e8 aperto la domenica."),
    ],
)
def test_a_denial_in_other_languages_is_told(left: str, right: str) -> None:
    found = find_plain_conflict(left, right)
    assert found is not None
    assert "negation" in found
