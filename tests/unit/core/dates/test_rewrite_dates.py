"""Relative dates in a text: the clear ones get their date behind them, the unclear ones and everything else stay."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.rewrite import rewrite_dates

AT = datetime(2026, 3, 5, 12)  # noqa: DTZ001  # a local time
PHRASES = st.sampled_from(
    [
        "yesterday",
        "today",
        "tomorrow",
        "two days ago",
        "last Friday",
        "last week",
        "next month",
        "in 3 weeks",
        "last year",
    ]
)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Deployed yesterday.", "Deployed yesterday (2026-03-04)."),
        ("Yesterday the disk filled up.", "Yesterday (2026-03-04) the disk filled up."),
        ("We ship tomorrow", "We ship tomorrow (2026-03-06)"),
        ("- [ ] Report is due today", "- [ ] Report is due today (2026-03-05)"),
        ("It broke ten days ago.", "It broke ten days ago (2026-02-23)."),
        ("Seen the day before yesterday.", "Seen the day before yesterday (2026-03-03)."),
        ("After yesterday's deploy it broke.", "After yesterday's (2026-03-04) deploy it broke."),
        ("It broke last week.", "It broke last week (week of 2026-02-23)."),
        ("We moved in two months ago.", "We moved in two months ago (2026-01)."),
        ("The fund closed last year.", "The fund closed last year (2025)."),
        ("It failed last weekend.", "It failed last weekend (2026-02-28 to 2026-03-01)."),
        ("We met on Tuesday.", "We met on Tuesday (2026-03-03)."),
        ("It was closed on Tuesday.", "It was closed on Tuesday (2026-03-03)."),
        ("It has been paid on the 25th.", "It has been paid on the 25th (2026-02-25)."),
        ("The car is fixed next week.", "The car is fixed next week (week of 2026-03-09)."),
        ("**Update:** Yesterday it broke.", "**Update:** Yesterday (2026-03-04) it broke."),
        ("We met last Thursday.", "We met last Thursday (2026-02-26)."),
        ("Broke yesterday, fixed today.", "Broke yesterday (2026-03-04), fixed today (2026-03-05)."),
    ],
)
def test_a_clear_phrase_stays_and_gets_its_date(text: str, dated: str) -> None:
    assert rewrite_dates(text, AT) == dated


@pytest.mark.parametrize(
    "text",
    [
        "The file holds the locale today; more fields will come.",
        "Bindery: by mail, reply in a day",
        "We proposed to the bakery: close on Monday evening",
        "In April the pump leaked and was mended.",
        "No heavy lifts except the last two weeks.",
        "- Sunday evening all of those marked red",
        "**Today:** open wounds",
        "The count moved to the last Thursday.",
        "The cards were sent on the 9th.",
        "- Wages: monthly, paid on the 3rd.",
        "80 orders in three weeks.",
        "So bills of June settled in July count for the second half.",
        "It broke about 3 days ago.",
        "It took 2-3 days ago at most.",
        "It broke a few days ago.",
        "We ship next Friday.",
        "The previous Wednesday was fine.",
        "It is on Friday.",
        "The museum is closed on Monday.",
        "Salaries are paid on the 25th.",
        "The rent is due on the 1st.",
        "The pool is heated in February.",
        "The queue gets drained on Sunday.",
        "They're then collected on Tuesday.",
        "Orders placed on Tuesday are shipped on Wednesday.",
        "The permit is issued in two weeks.",
        "The hundred metres start on Saturday.",
        "I broke my wrist half a year ago.",
        "We rested, and left the next day.",
        "The newspaper is called USA Today, and I was there.",
        "Her parrot was named Friday.",
        "There was no tomorrow in the old ending.",
        "I was not born yesterday.",
        "Better one sparrow today than a pigeon tomorrow.",
        "Deploys on Friday need two people and will wait.",
        "Use `yesterday` as the argument.",
        'She said "yesterday" and left.',
        "> It broke yesterday.",
        "```\nlog of yesterday\n```",
        "    yesterday in an indented block",
        "# What happened yesterday",
        "**What happened yesterday**",
        "- Read the notes of today + yesterday first, they were written.",
        "Check what was deployed yesterday.",
        "- [ ] Summarize what was said last week.",
        "The report was split into yesterday/today.",
        "Signals age ten years in a week and were reset.",
        "You were told about it yesterday.",
        "The key was 'yesterday' and failed.",
        "The log of yesterday was stored as {date}.",
        "The job normally ran on what failed yesterday.",
        "The team releases on the last Friday of the month.",
        "| yesterday | 3 |",
        "Always ask what the merchant did yesterday.",
        "What did we do yesterday?",
        "It broke 2026-03-04 (yesterday).",
        "It broke yesterday (March 4, 2026).",
        "See [yesterday](notes/yesterday.md) and https://example.org/today",
        "The yesterday-job and today_count are names.",
        "## Log of 2026-02-01\n\nIt broke yesterday.",
        "---\nnote: broke yesterday\n---\n",
        "no date at all",
        "",
        "None pay tomorrow, but all have paths to revenue.",
    ],
)
def test_unclear_quoted_general_and_dated_phrases_are_left_alone(text: str) -> None:
    assert rewrite_dates(text, AT) == text


def test_at_the_edge_of_the_calendar_nothing_changes() -> None:
    assert rewrite_dates("It broke 3 days ago.", datetime(1, 1, 1)) == "It broke 3 days ago."  # noqa: DTZ001  # a local time


def test_a_path_that_carries_another_date_makes_the_phrase_unclear() -> None:
    assert rewrite_dates("It broke yesterday.", AT, name="log/2026-01-01.md") == "It broke yesterday."


@given(st.integers(1, 999), st.dates(date(1990, 1, 1), date(2100, 1, 1)))
def test_days_ago_are_counted_from_the_day_it_was_written(days: int, at: date) -> None:
    dated = rewrite_dates(f"Broke {days} days ago.", datetime.combine(at, time(9)))
    assert (at - timedelta(days=days)).isoformat() in dated


@given(
    st.lists(
        st.one_of(
            st.text(max_size=60), PHRASES, st.sampled_from(["`", "\n", ". ", "on ", "next ", "the day before", " was "])
        )
    )
)
def test_rewriting_twice_changes_nothing_more(parts: list[str]) -> None:
    once = rewrite_dates(" ".join(parts), AT)
    assert rewrite_dates(once, AT) == once


@given(st.lists(st.one_of(st.text(max_size=40), PHRASES)))
def test_only_dates_in_parentheses_are_put_in(parts: list[str]) -> None:
    text = " ".join(parts)
    dated = rewrite_dates(text, AT)
    added = re.compile(r" \((?:week of )?\d{4}(?:-\d{2}){0,2}(?: to \d{4}-\d{2}-\d{2})?\)")
    assert added.sub("", dated) == added.sub("", text)


@given(
    PHRASES,
    st.sampled_from(["`{}`", "```\n{}\n```\n", "https://example.org/{}", "---\nnote: {}\n---\n", "see_{}_x", '"{}"']),
)
def test_nothing_in_code_addresses_names_quotes_or_frontmatter_is_touched(phrase: str, frame: str) -> None:
    inside = frame.format(phrase.replace(" ", "_") if "{}_" in frame or "//" in frame else phrase)
    assert rewrite_dates(f"{inside} broke.\n", AT) == f"{inside} broke.\n"


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Crates ordered on Friday arrive on Tuesday."),
        ("en", "Samples taken on Wednesday go to the lab on Thursday."),
        ("es", "El barco sale a las ocho de mañana."),
        ("es", "Más vale hoy que mañana."),
        ("de", "Was du heute kannst besorgen, das verschiebe nicht auf morgen."),
        ("de", "Frau Morgen übernimmt den Hafen."),
        ("en", "Some mornings yesterday's rolls are still there."),
        ("en", "That colour is so last year."),
        ("en", "She builds the ships of tomorrow."),
        ("en", "They drank as if there were no tomorrow."),
        ("en", "Here today, gone tomorrow."),
        ("de", "Dieser Streit ist Schnee von gestern."),
        ("fr", "Ce n'est pas demain la veille qu'ils naviguent."),
        ("fr", "Le patron n'est pas né d'hier."),
        ("es", "Mi abuela no nació ayer."),
    ],
)
def test_recurring_days_mornings_sayings_and_names_get_no_date(locale: str, text: str) -> None:
    assert rewrite_dates(text, datetime(2026, 3, 4, 12, tzinfo=UTC), locale=locale) == text


@pytest.mark.parametrize(
    ("locale", "text", "day"),
    [
        ("en", "The crates sent on Friday arrived late.", "2026-02-27"),
        ("en", "Prices dropped on Friday.", "2026-02-27"),
        ("es", "Mañana llega el barco.", "2026-03-05"),
        ("en", "So yesterday we sold the boat.", "2026-03-03"),
        ("en", "As of yesterday the port is closed.", "2026-03-03"),
        ("fr", "Le courrier d'hier était vide.", "2026-03-03"),
        ("de", "Wir treffen uns morgen am Hafen.", "2026-03-05"),
    ],
)
def test_past_and_due_events_beside_recurring_days_are_dated(locale: str, text: str, day: str) -> None:
    assert f"({day})" in rewrite_dates(text, datetime(2026, 3, 4, 12, tzinfo=UTC), locale=locale)
