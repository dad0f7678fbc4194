"""A sentence gets a title in its own words without a model, or is left out if a stranger would not understand it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.offline.phrases import is_worth_keeping, state_plainly, title_statement


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        (
            "The label archive was moved to the Frankfurt bucket yesterday.",
            "Label archive was moved to the Frankfurt bucket",
        ),
        ("Let's make the retry limit a constant.", "Make the retry limit a constant"),
        ("The rota changes on Mondays at 08:30 UTC.", "Rota changes on Mondays at 08:30 UTC"),
        ("Label exports are named by depot and ISO date, always!", "Label exports are named by depot and ISO date"),
        ("If there is an error, always exit with os.Exit(1)", "If there is an error, always exit with os.Exit(1)"),
        ("We keep the archive in Lyon because the depot is there", "We keep the archive in Lyon"),
    ],
)
def test_a_title_is_the_first_clause_in_its_own_words_and_order(statement: str, title: str) -> None:
    assert title_statement(statement) == title


@given(st.text(min_size=1, max_size=300))
def test_a_title_of_any_text_has_at_most_60_characters_on_one_line(statement: str) -> None:
    title = title_statement(statement)
    assert len(title) <= 60 + 1  # a capital may take two characters
    assert "\n" not in title


@pytest.mark.parametrize(
    ("quote", "statement"),
    [
        ("I told you already: exports are named by depot.", "Exports are named by depot."),
        ("For the last time, exports are named by depot.", "Exports are named by depot."),
        ("You are not correct: hooks receive the prompt field.", "Hooks receive the prompt field."),
        ("Again, keep the changelog short.", "Keep the changelog short."),
        ("I keep telling you, reports use UTC.", "Reports use UTC."),
        ("I told you a hundred times that invoices are in EUR.", "Invoices are in EUR."),
        ("I've told you to use pnpm.", "Use pnpm."),
        ("WTF, I said no trailing whitespace!", "No trailing whitespace!"),
        ("How many times do I have to say it? Answer in German!", "Answer in German!"),
    ],
)
def test_annoyance_is_no_part_of_what_is_remembered(quote: str, statement: str) -> None:
    assert state_plainly(quote) == statement


@pytest.mark.parametrize(
    "quote",
    [
        "I told you about the outage in Malmö.",
        "I told you not to merge on Fridays.",
        "How many times do I need to run the migration?",
        "I keep the logs in /var/log.",
    ],
)
def test_words_that_only_look_like_annoyance_stay(quote: str) -> None:
    assert state_plainly(quote) == quote


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("preference", "3, but enabled by default"),  # an answer to a list that is no longer in sight
        ("decision", "Let's make both a constant"),
        ("decision", "Let's add a few table tests."),
        ("decision", "The real issue is likely that the test writes a file."),
        ("correction", "I was able to do it through the UI"),
        ("correction", "Not as a comment, but as a document attached to the issue directly."),
        ("preference", "That's a memory I'll never forget."),
        ("preference", "I love how it turned out in the end"),
        ("preference", "You've always been there for me."),
        ("save", "To prepare emotionally, since the wait can be hard."),
    ],
)
def test_a_sentence_that_needs_its_session_becomes_no_memory(kind: str, statement: str) -> None:
    assert not is_worth_keeping(kind, statement)


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("decision", "We use pnpm here."),
        ("decision", "We decided to go with Postgres."),
        ("decision", "I want to replace the usage of getUserID with a machine identifier."),
        ("correction", "The rota changes on Mondays at 08:30 UTC."),
        ("correction", "We don't have `Entire-Session` anymore so this is obsolete."),
        ("preference", "I prefer tabs over spaces."),
        ("preference", "Never deploy on Fridays."),
        ("preference", "I love creating art!"),
        ("save", "Keep our working documentation in linear."),
    ],
)
def test_a_sentence_that_a_stranger_understands_is_kept(kind: str, statement: str) -> None:
    assert is_worth_keeping(kind, statement)
