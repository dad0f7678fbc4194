"""Relative dates: the clear ones become absolute with the phrase kept, the unclear ones stay."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.llm.offline_dates import resolve_dates

AT = "2026-03-05"


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("Deployed yesterday.", "Deployed 2026-03-04 (yesterday)."),
        ("Yesterday the disk filled up.", "2026-03-04 (yesterday) the disk filled up."),
        ("We ship tomorrow", "We ship 2026-03-06 (tomorrow)"),
        ("- [ ] Report is due today", "- [ ] Report is due 2026-03-05 (today)"),
        ("Merged the fix today.", "Merged the fix 2026-03-05 (today)."),
        ("It broke 3 days ago.", "It broke 2026-03-02 (3 days ago)."),
        ("It broke ten days ago.", "It broke 2026-02-23 (ten days ago)."),
        ("Seen the day before yesterday.", "Seen 2026-03-03 (the day before yesterday)."),
        ("After yesterday's deploy it broke.", "After yesterday's (2026-03-04) deploy it broke."),
    ],
)
def test_a_clear_phrase_gets_its_date_and_stays(text: str, resolved: str) -> None:
    assert resolve_dates(text, AT) == resolved


@pytest.mark.parametrize(
    "text",
    [
        "It broke last week.",
        "The file holds the locale today; more fields will come.",
        "It broke about 3 days ago.",
        "It took 2-3 days ago at most.",
        "It broke a few days ago.",
        "It broke 2 weeks and 2 days ago.",
        "It ends 4 months from tomorrow.",
        "Use `yesterday` as the argument.",
        'She said "yesterday" and left.',
        "> It broke yesterday.",
        "```\nlog of yesterday\n```",
        "    yesterday in an indented block",
        "# What happened yesterday",
        "| yesterday | 3 |",
        "Always ask what the merchant did yesterday.",
        "What did we do yesterday?",
        "It broke 2026-03-04 (yesterday).",
        "It broke yesterday (March 4, 2026).",
        "See [yesterday](notes/yesterday.md) and https://example.org/today",
        "The yesterday-job and today_count are names.",
        "## Log of 2026-02-01\n\nIt broke yesterday.",
    ],
)
def test_what_is_unclear_quoted_general_or_dated_already_is_left_alone(text: str) -> None:
    assert resolve_dates(text, AT) == text


@pytest.mark.parametrize("at", ["", "soon", "2026-13-40", "0001-01-01"])
def test_without_a_usable_date_of_the_memory_nothing_changes(at: str) -> None:
    assert resolve_dates("It broke 3 days ago.", at) == "It broke 3 days ago."


def test_a_path_that_carries_another_date_makes_the_phrase_unclear() -> None:
    assert resolve_dates("It broke yesterday.", AT, "log/2026-01-01.md") == "It broke yesterday."


@given(st.integers(1, 999), st.dates(date(1990, 1, 1), date(2100, 1, 1)))
def test_days_ago_are_counted_from_the_date_of_the_memory(days: int, at: date) -> None:
    assert (at - timedelta(days=days)).isoformat() in resolve_dates(f"Broke {days} days ago.", at.isoformat())


@given(st.text(max_size=200), st.sampled_from(["yesterday", "today", "tomorrow", "two days ago"]), st.text(max_size=80))
def test_resolving_twice_changes_nothing_more(before: str, phrase: str, after: str) -> None:
    once = resolve_dates(f"{before} {phrase} {after}", AT)
    assert resolve_dates(once, AT) == once
