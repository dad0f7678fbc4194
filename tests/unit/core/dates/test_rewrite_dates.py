"""Relative dates in a text: the clear ones get their date behind them, the unclear ones and everything else stay."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone

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
        ("It broke ten days ago.", "It broke ten days ago (2026-02-23)."),
        ("It was seen the day before yesterday.", "It was seen the day before yesterday (2026-03-03)."),
        ("**Update:** it broke yesterday.", "**Update:** it broke yesterday (2026-03-04)."),
        ("Broke yesterday, fixed today.", "Broke yesterday (2026-03-04), fixed today."),
        ("Made 3 days ago in the morning.", "Made 3 days ago (2026-03-02) in the morning."),
        ("The dentist is tomorrow at 10.", "The dentist is tomorrow (2026-03-06) at 10."),
        ("The van was sold yesterday.", "The van was sold yesterday (2026-03-04)."),
    ],
)
def test_a_clear_phrase_stays_and_gets_its_date(text: str, dated: str) -> None:
    assert rewrite_dates(text, AT) == dated


@pytest.mark.parametrize(
    "text",
    [
        "1. Today's tasks were set.",
        "2) Plan for tomorrow",
        "Open tickets (last 30 days)",
        "P1: fix within this week",
        "Tickets of P1 get fixed next week at the latest if they were filed today.",
        "The Today view was redesigned.",
        "Yesterday View was added.",
        "We built the tomorrow tab.",
        "The job reads yesterday's log.",
        "Nightly job: exports orders placed yesterday.",
        "The digest lists what was deployed yesterday.",
        "Posts the tickets closed yesterday to the channel.",
        "Mira, the hero of the story, left the castle yesterday.",
        "Example: the disk filled up yesterday.",
        "- [ ] The report is due today",
        "- [x] Deployed yesterday",
        "**Yesterday:** deployed the fix.",
        "What we did yesterday:",
        "Ida will be away for three weeks from next Friday.",
        "Ida will be away from tomorrow.",
        "After yesterday's deploy it broke.",
        "The log of yesterday was lost.",
        "She told me that it broke yesterday.",
        "It was open from yesterday to tomorrow.",
        "Every order placed yesterday was shipped.",
        "Not to be used today.",
        "She wanted a list of the plans people are running today.",
        "Open the files, start using it today.",
        "It pays for itself in 25 days.",
        "The sync was confirmed on Tuesday.",
        "Review by Wed, final Fri, then submitted.",
        "We met on 18 December.",
        "Suspended till Feb 27.",
        "The mountains were formed 40 years ago.",
        "Die Brücke wurde vor 10 Jahren gebaut.",
        "El puente se abrió hace 10 años.",
        "Ana sets up the call this month, Bo next month.",
        "We wrote the LinkedIn post today.",
        "The relay lifts at 02:18 UTC tomorrow.",
        "Merge tomorrow, Mar 7.",
        "- 2026-03-01 and 2026-03-02: broke, fixed yesterday.",
        "The call begins tomorrow 19/02.",
        "Set tomorrow plan before the end of the day.",
        "Finish the bathroom tomorrow",
        "Horizons: today, tomorrow, 13 days.",
        "The report is due today.",
        "Supply chains today run on lists.",
        "It broke last week.",
        "It was two weeks ago.",
        "We met last Thursday.",
        "We begin in 3 days.",
        "It rang last night.",
        "This morning the pump failed.",
    ],
)
def test_titles_rules_habits_stories_names_and_spans_are_no_statement_of_a_day(text: str) -> None:
    assert rewrite_dates(text, AT) == text


@pytest.mark.parametrize(
    "text",
    [
        "最后日志写于昨天。",
        "后天线已经更换了。",
        "今天晚间部署完成了。",
        "明日方舟更新了。",
        "明日香さんが来ました。",
        "先月号を読みました。",
        "下周报已经发送。",
        "周一致性检查通过了。",
        "本周刊发布了。",
        "今年度の計画を立てました。",
        "锅炉昨天坏了。",
        "เมื่อวานนี้ระบบล่ม",
    ],
)
def test_where_words_have_no_spaces_between_them_nothing_is_cut_in_two(text: str) -> None:
    assert rewrite_dates(text, AT) == text
    assert rewrite_dates(f"We moved. {text}\n{text}", AT) == f"We moved. {text}\n{text}"


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Das Dach wurde gestern gedeckt.", "Das Dach wurde gestern (2026-03-04) gedeckt."),
        ("Le colis est arrivé avant-hier soir.", "Le colis est arrivé avant-hier soir (2026-03-03)."),
        ("Ho spedito il pacco ieri.", "Ho spedito il pacco ieri (2026-03-04)."),
    ],
)
def test_a_statement_in_another_language_is_dated_where_its_tense_is_told(text: str, dated: str) -> None:
    assert rewrite_dates(text, AT) == dated


@pytest.mark.parametrize(
    "text",
    [
        "Der Job liest das Log von gestern.",
        "Die Berichte werden bis morgen erwartet.",
        "Wenn es gestern regnete, blieb der Markt leer.",
        "On envoie le rapport d'hier.",
        "El informe de ayer fue largo.",
        "Il negozio apre sempre domani.",
        "Am Freitag war der Markt voll.",
        "Heute kam der Brief.",
        "Wir fahren morgen.",
        "La matrona pasa mañana.",
        "Hier, le marché était fermé.",
    ],
)
def test_habits_attributes_and_conditions_of_other_languages_are_left_alone(text: str) -> None:
    assert rewrite_dates(text, AT) == text


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)))  # noqa: DTZ001  # given its zone below
def test_a_moment_in_utc_is_dated_only_while_the_day_is_the_same_almost_everywhere(at: datetime) -> None:
    dated = rewrite_dates("It broke yesterday.", at.replace(tzinfo=UTC))
    days = {(at + timedelta(hours=hours)).date() for hours in (-8, 10)}
    day = (at.date() - timedelta(days=1)).isoformat()
    assert dated == ("It broke yesterday." if len(days) > 1 else f"It broke yesterday ({day}).")


def test_a_zone_that_was_set_makes_a_moment_local_and_etc_utc_says_that_it_is_utc() -> None:
    late = datetime(2026, 3, 5, 22, tzinfo=UTC)
    assert rewrite_dates("It broke yesterday.", late, "Asia/Tokyo") == "It broke yesterday (2026-03-05)."
    assert rewrite_dates("It broke yesterday.", late, "Etc/UTC") == "It broke yesterday (2026-03-04)."
    own = late.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert rewrite_dates("It broke yesterday.", own, "America/New_York") == "It broke yesterday (2026-03-05)."


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
    "text",
    [
        "Crates ordered on Friday arrive on Tuesday.",
        "Samples taken on Wednesday go to the lab on Thursday.",
        "El barco sale a las ocho de mañana.",
        "Más vale hoy que mañana.",
        "Was du heute kannst besorgen, das verschiebe nicht auf morgen.",
        "Frau Morgen übernimmt den Hafen.",
        "Some mornings yesterday's rolls are still there.",
        "That colour is so last year.",
        "She builds the ships of tomorrow.",
        "They drank as if there were no tomorrow.",
        "Here today, gone tomorrow.",
        "Dieser Streit ist Schnee von gestern.",
        "Ce n'est pas demain la veille qu'ils naviguent.",
        "Le patron n'est pas né d'hier.",
        "Mi abuela no nació ayer.",
    ],
)
def test_recurring_days_mornings_sayings_and_names_get_no_date(text: str) -> None:
    assert rewrite_dates(text, datetime(2026, 3, 4, 12, tzinfo=UTC)) == text
