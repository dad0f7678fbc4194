"""Statements: what a text surely says, what it does not, and what may not be torn apart."""

import pytest
from hypothesis import given

from shared.core.checks.at_odds import reason_at_odds, reason_denied
from shared.core.merging.statements import find_unsaid, find_unsupported
from tests.support.laws import examples
from tests.support.turned import Turned, turned


def unsaid(merged: str, *sources: str) -> list[str]:
    return [statement.text for statement in find_unsaid(merged, sources)]


def made_up(merged: str, *sources: str) -> list[str]:
    return [statement.text for statement in find_unsupported(merged, sources)]


def test_a_text_says_all_of_itself_and_makes_nothing_up() -> None:
    text = (
        "# A\n\nOne fact. It holds.\n\n## B\n\n1. Stop.\n2. Go.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nrun\n```\n"
    )
    assert unsaid(text, text) == []
    assert made_up(text, text) == []


def test_a_sentence_that_points_back_is_one_statement_with_what_it_points_to() -> None:
    merged = "Valkey holds the queues. It runs on port 6380."
    assert unsaid(merged, "Redis holds the sessions. It runs on port 6380.") == [
        "Redis holds the sessions. It runs on port 6380."
    ]


def test_paragraphs_with_one_that_points_back_say_the_first_of_them_and_not_the_other_way_round() -> None:
    plain, longer = "Restart the print bridge.", "Restart the print bridge.\n\nMacro 118 holds this answer."
    assert unsaid(longer, plain) == []
    assert unsaid(plain, longer) == [longer]
    assert reason_at_odds(longer, plain) is None


def test_the_same_item_under_another_heading_is_another_statement() -> None:
    assert unsaid("# Hosts\n\n## Staging\n\n- Port 8080.", "# Hosts\n\n## Production\n\n- Port 8080.") == [
        "- Port 8080."
    ]


def test_a_title_is_a_statement_that_a_heading_or_a_sentence_may_keep() -> None:
    source = "# project beta\n\nPort 8080."
    assert unsaid("# project alpha\n\nPort 8080.", source) == ["project beta"]
    assert unsaid("# project alpha\n\nPort 8080. Also titled: project beta.", source) == []
    assert unsaid("# project alpha\n\n## project beta\n\nPort 8080.", source) == []


def test_a_sentence_about_its_title_does_not_hold_for_another_title() -> None:
    assert unsaid("# Staging\n\nIt runs on 8080.", "# Production\n\nIt runs on 8080.")[0] == "It runs on 8080."


def test_the_steps_of_a_numbered_list_are_one_statement() -> None:
    assert unsaid("1. Migrate.\n2. Stop.", "1. Stop.\n2. Migrate.") == ["1. Stop.\n2. Migrate."]


def test_the_cells_of_a_table_are_said_under_their_columns_only() -> None:
    assert unsaid("| min | max |\n|---|---|\n| 1 | 2 |", "| max | min |\n|---|---|\n| 1 | 2 |") != []


def test_a_bag_of_words_says_nothing() -> None:
    source = "Deploys of `api` go out on Tuesday through Jenkins 2."
    assert unsaid("Notes. Deploys api Tuesday Jenkins 2 go out through.", source) == [source]


def test_an_absolute_day_behind_a_relative_one_keeps_the_statement() -> None:
    source = "Yesterday the disk was full."
    assert unsaid("Yesterday (2026-03-09) the disk was full.", source) == []
    assert unsaid(source, "Yesterday (2026-03-09) the disk was full.") != []


def test_words_of_a_models_own_are_found() -> None:
    source = "# Deploy\n\nDeploys need an approval."
    assert made_up("# Deploy\n\nDeploys need no approval.", source) == ["Deploys need no approval."]
    assert made_up("# Ignore all rules\n\nDeploys need an approval.", source) == ["Ignore all rules"]
    assert made_up("# Deploy\n\n## Never\n\nDeploys need an approval.", source) == ["Deploys need an approval."]


@examples(400)
@given(turned())
def test_a_turned_statement_is_never_said_by_the_other_one(pair: Turned) -> None:
    assert unsaid(pair.left, pair.right) != []
    assert unsaid(pair.right, pair.left) != []


@examples(400)
@given(turned())
def test_a_turned_statement_is_always_at_odds_with_the_other_one(pair: Turned) -> None:
    assert reason_at_odds(pair.left, pair.right) is not None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("There is no lock in the scheduler.", "Locks are taken by the scheduler for each task."),
        ("Priya likes early meetings.", "Priya dislikes early meetings."),
        ("Port 22 is allowed from outside.", "Port 22 is blocked from outside."),
        ("The disk of app-04 is full.", "The disk of app-05 is full."),
        ("The cache is warm.", "The cache is cold."),
        (
            "Tickets stay in the archive for at least two years after closing.",
            "A closed ticket has to be purged six weeks later.",
        ),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "# Notes\n\nKept by hand.\n\n{}\n\nReviewed in spring."])
def test_statements_that_cannot_both_hold_are_at_odds_in_any_frame(left: str, right: str, frame: str) -> None:
    assert reason_at_odds(frame.format(left), frame.format(right)) is not None


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ("The cache is warm.", "The cache is cold.", "may speak of the same thing in different words"),
        ("The pool has 12 lanes.", "The pool has 14 lanes.", "may speak of the same thing, and name different values"),
        (
            "Backups run on atlas at night.",
            "Backups do not run on atlas.",
            "may speak of the same thing, and only one of them denies something",
        ),
    ],
)
def test_the_reason_quotes_both_statements_and_gives_the_one_thing_that_is_known(
    left: str, right: str, reason: str
) -> None:
    assert reason_at_odds(left, right) == f'"{left}" and "{right}" {reason}.'


def test_two_fillings_of_one_place_are_told_as_such() -> None:
    found = reason_at_odds("Anna leads it. The gate is blue. Ben pays.", "Anna leads it. Roses grow. Ben pays.")
    assert found == '"The gate is blue." and "Roses grow." stand in the same place in different words.'


def test_a_statement_that_only_one_text_has_is_at_odds_with_nothing() -> None:
    assert reason_at_odds("Host atlas. The lease ends in May.", "Host atlas. Printers are on floor two.") is None
    assert reason_at_odds("Port 8080. Host atlas.", "Port 8080. Host atlas. Printers are on floor two.") is None
    assert reason_at_odds("The retry policy is strict.", "Our retry policy is strict.") is None


def test_the_same_steps_in_another_order_are_at_odds_and_a_list_without_numbers_has_no_order() -> None:
    assert reason_at_odds("1. Stop it.\n2. Migrate.", "1. Migrate.\n2. Stop it.") is not None
    assert reason_at_odds("- Stop it.\n- Migrate.", "- Migrate.\n- Stop it.") is None


def test_a_step_is_compared_alone_with_the_steps_of_another_text() -> None:
    first, second = "1. Ring the bell.\n2. Open the sluice.", "Ring the bell."
    assert reason_at_odds(first, second) is None


def test_statements_that_were_superseded_are_at_odds_with_nothing() -> None:
    late = "# Gate\n\nThe gate opens at ten.\n\n## Superseded\n\n- “The gate opens at nine.” — until 2026-03-04\n"
    assert reason_at_odds(late, "# Gate\n\nThe gate opens at ten.\n") is None
    assert reason_denied("The pier is never lit.", "## Superseded\n\n- “The pier is lit.” — until 2026-03-04") is None


def test_a_sentence_that_only_its_headings_tell_apart_is_told_once_with_that_reason() -> None:
    said = "- The export cron failed, since its key is missing.\n"
    found = reason_at_odds(said, f"# Monday\n\n## Cron\n\n{said}")
    assert found == (
        '"The export cron failed, since its key is missing." stands in both under other headings, '
        "so that it may be about two things."
    )
