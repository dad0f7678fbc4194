"""Each line has the day of its nearest stamp, in its own zone, and where that is in doubt it has none."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.rewrite import rewrite_spoken
from shared.core.dates.spoken import find_spoken


def days(text: str) -> dict[str, str]:
    """Return the day of each line that has one."""
    found = find_spoken(text)
    parts = [(line, one.said_at) for one in found for line in text[one.start : one.end].splitlines()]
    return {line.strip(): said_at.date().isoformat() for line, said_at in parts if line.strip()}


EVENING = """# Session: 2026-01-15 02:05:33 UTC

- **Session Key**: agent:main

user: [Wed 2026-01-14 21:05 EST] We fly tomorrow.
assistant: You will fly tomorrow.
"""


def test_a_session_that_a_machine_named_by_its_clock_gets_no_date() -> None:
    assert rewrite_spoken("memory/2026-01-15-0205.md", EVENING) == EVENING


@pytest.mark.parametrize(
    "text",
    [
        EVENING,
        EVENING.replace("[Wed 2026-01-14 21:05 EST] ", ""),
        "# Session: 2026-01-15 10:05:33 UTC\n\nuser: We fly tomorrow.\n",
        "### [23:29:25] ASSISTANT\n\nWe fly tomorrow.\n",
        "- Posted: 2026-01-12\n- We fly tomorrow.\n",
        "- We fly tomorrow.\n- [2026-01-14 21:05 -0500] Packed.\n",
        "## 21:05 EST\n\nWe fly tomorrow.\n",
        "## 02:05 UTC\n\nWe fly tomorrow.\n",
        "- 2026-01-15T23:30:00Z: We fly tomorrow.\n",
        "## Late evening, Jan 14\n\nWe fly tomorrow.\n",
        "## Since 2026-01-10\n\nWe fly tomorrow.\n",
        "## Tomorrow\n\nWe fly tomorrow.\n",
        "- [2026-01-14] [2026-01-16] We fly tomorrow.\n",
    ],
)
def test_a_file_named_by_a_machine_s_clock_dates_no_line_whose_local_day_may_be_another(text: str) -> None:
    assert rewrite_spoken("memory/2026-01-15.md", text) == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/2026-01-14.md", "# Notes\n\n- 09:00 started\n\n## Evening\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14-trip.md", "We fly tomorrow.\n"),
        ("agents/ida/memory/daily/2026-01-14.md", "# Wednesday, 14 January 2026\n\nWe fly tomorrow.\n"),
    ],
)
def test_what_an_agent_wrote_in_the_file_of_a_day_is_of_that_day(path: str, text: str) -> None:
    assert rewrite_spoken(path, text) == text.replace("fly tomorrow", "fly tomorrow (2026-01-15)")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("journal/2026-01-14.md", "We fly tomorrow.\n"),
        ("2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/log.md", "# Log\n\n## 2026-01-14\n\nWe fly tomorrow.\n"),
        ("memory/plans/trip.md", "# Trip\n\nWe fly tomorrow.\n"),
        ("memory/trip-2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/2026-01-14/trip.md", "We fly tomorrow.\n"),
        ("memory/2026-01-14-to-2026-01-20.md", "We fly tomorrow.\n"),
        ("memory/templates/2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/stories/2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/dreaming/light/2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Template\n\n- 2026-01-14: We fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Chapter 3\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Support rules\n\n### Escalation\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14.md", "```\nnot closed\n\nWe fly tomorrow.\n"),
        ("memory/2026-02-31.md", "We fly tomorrow.\n"),
    ],
)
def test_diaries_living_notes_examples_rules_and_stories_get_no_date(path: str, text: str) -> None:
    assert rewrite_spoken(path, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "# Log\n\n## 2026-01-14\n\nWe fly tomorrow.\n",
        "# Log\n\n## Wednesday, 14 January 2026\n\n- We fly tomorrow.\n\n## January 20, 2026\n\n- Home.\n",
        "**2026-01-14 21:05**\n\nWe fly tomorrow.\n",
        "- 2026-01-14 9:05 PM PST: Packed.\n  We fly tomorrow.\n- 2026-01-16: Arrived.\n",
        "- 2026-01-14T10:00:00Z We fly tomorrow.\n",
    ],
)
def test_the_nearest_stamp_of_an_entry_or_a_section_tells_when_it_was_written(text: str) -> None:
    assert [day for line, day in days(text).items() if "tomorrow" in line] == ["2026-01-14"]


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = "# Log\n\nabove\n\n## 2026-02-03\n\nfirst\n\n### Details\n\nmore\n\n## Later\n\nbelow\n\n## 2026-02-10\n\nlast\n"
    assert days(text) == {"first": "2026-02-03", "more": "2026-02-03", "last": "2026-02-10"}


ZONES = st.one_of(
    st.sampled_from(["Z", " UTC", " EST", " JST", " GMT+8", "", " (CET)"]),
    st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 14), st.sampled_from([0, 30, 45])),
)
FRAMES = st.sampled_from(["[{}] {}", "- {}: {}", "user: [{}] {}", "## {}\n\n{}", "**{}**\n\n{}", "- **{}** — {}"])


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), ZONES, FRAMES, st.integers(-3, 3))  # noqa: DTZ001  # a local time
def test_a_file_never_gets_another_day_than_that_of_the_stamps_in_it(
    at: datetime, zone: str, frame: str, ahead: int
) -> None:
    stamp = at.isoformat(sep="T" if zone == "Z" else " ", timespec="minutes") + zone
    text = frame.format(stamp, "We sold the boat yesterday.\n")
    path = f"memory/{(at.date() + timedelta(days=ahead)).isoformat()}.md"
    wanted = (at.date() - timedelta(days=1)).isoformat()
    assert rewrite_spoken(path, text) in {text, text.replace("yesterday", f"yesterday ({wanted})")}
    if zone == "" and ahead == 0:
        assert f"yesterday ({wanted})" in rewrite_spoken(path, text)


@given(st.lists(st.one_of(FRAMES, st.text(max_size=40), st.dates(date(1990, 1, 1)).map(str)), max_size=12))
def test_the_parts_of_a_text_are_in_order_and_do_not_overlap(lines: list[str]) -> None:
    text = "\n".join(lines)
    places = [place for one in find_spoken(text) for place in (one.start, one.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
