"""Each line has the day of its nearest stamp, in its own zone, and where that is in doubt it has none."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.rewrite import rewrite_spoken
from shared.core.dates.spoken import find_spoken


def days(path: str, text: str) -> dict[str, str]:
    """Return the day of each line that has one."""
    found = find_spoken(path, text)
    parts = [(line, one.said_at) for one in found for line in text[one.start : one.end].splitlines()]
    return {line.strip(): said_at.date().isoformat() for line, said_at in parts if line.strip()}


EVENING = """# Session: 2026-01-15 02:05:33 UTC

- **Session Key**: agent:main

user: [Wed 2026-01-14 21:05 EST] We fly tomorrow.
assistant: You will fly tomorrow.
"""


def test_a_line_with_a_stamp_and_a_zone_of_its_own_has_its_own_day_and_its_neighbours_none() -> None:
    dated = rewrite_spoken("memory/2026-01-15-0205.md", EVENING)
    assert dated == EVENING.replace("We fly tomorrow.", "We fly tomorrow (2026-01-15).")


@pytest.mark.parametrize(
    "text",
    [
        EVENING.replace("[Wed 2026-01-14 21:05 EST] ", ""),
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
        ("log.md", "# Log\n\n## 2026-01-14\n\nWe fly tomorrow.\n"),
        ("log.md", "# Log\n\n## Wednesday, 14 January 2026\n\n- We fly tomorrow.\n\n## January 20, 2026\n\n- Home.\n"),
        ("log.md", "**2026-01-14 21:05**\n\nWe fly tomorrow.\n"),
        ("log.md", "- 2026-01-14 9:05 PM PST: Packed.\n  We fly tomorrow.\n- 2026-01-16: Arrived.\n"),
        ("log.md", "- 2026-01-14T10:00:00Z We fly tomorrow.\n"),
    ],
)
def test_the_nearest_of_entry_section_and_file_name_tells_the_day(path: str, text: str) -> None:
    assert rewrite_spoken(path, text) == text.replace("fly tomorrow", "fly tomorrow (2026-01-15)")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("plans/trip.md", "# Trip\n\nWe fly tomorrow.\n"),
        ("notes/2026-01-14/trip.md", "We fly tomorrow.\n"),
        ("notes/2026-01-14-to-2026-01-20.md", "We fly tomorrow.\n"),
        ("templates/2026-01-14.md", "We fly tomorrow.\n"),
        ("stories/2026-01-14.md", "We fly tomorrow.\n"),
        ("memory/x-bookmarks.md", "## Ida (2026-01-14)\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Template\n\n- 2026-01-14: We fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Chapter 3\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14.md", "## Support rules\n\n### Escalation\n\nWe fly tomorrow.\n"),
        ("memory/2026-01-14.md", "```\nnot closed\n\nWe fly tomorrow.\n"),
        ("memory/2026-02-31.md", "We fly tomorrow.\n"),
    ],
)
def test_living_notes_examples_rules_and_stories_have_no_day(path: str, text: str) -> None:
    assert rewrite_spoken(path, text) == text


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = "# Log\n\nabove\n\n## 2026-02-03\n\nfirst\n\n### Details\n\nmore\n\n## Later\n\nbelow\n\n## 2026-02-10\n\nlast\n"
    assert days("log.md", text) == {"first": "2026-02-03", "more": "2026-02-03", "last": "2026-02-10"}


ZONES = st.one_of(
    st.sampled_from(["Z", " UTC", " EST", " JST", " GMT+8", "", " (CET)"]),
    st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 14), st.sampled_from([0, 30, 45])),
)
FRAMES = st.sampled_from(["[{}] {}", "- {}: {}", "user: [{}] {}", "## {}\n\n{}", "**{}**\n\n{}", "- **{}** — {}"])


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),  # noqa: DTZ001  # a local time
    ZONES,
    FRAMES,
    st.integers(-3, 3),
)
def test_a_stamp_never_yields_another_day_than_its_local_day_and_the_phrase(
    at: datetime, zone: str, frame: str, file_days: int
) -> None:
    stamp = at.isoformat(sep="T" if zone == "Z" else " ", timespec="minutes") + zone
    text = frame.format(stamp, "We sold the van yesterday.\n")
    path = f"memory/{(at.date() + timedelta(days=file_days)).isoformat()}.md"
    wanted = (at.date() - timedelta(days=1)).isoformat()
    assert rewrite_spoken(path, text) in {text, text.replace("yesterday", f"yesterday ({wanted})")}
    if zone in {"", " EST", "+05:30"}:
        assert f"yesterday ({wanted})" in rewrite_spoken(path, text)


@given(st.lists(st.one_of(FRAMES, st.text(max_size=40), st.dates(date(1990, 1, 1)).map(str)), max_size=12))
def test_the_parts_of_a_text_are_in_order_and_do_not_overlap(lines: list[str]) -> None:
    text = "\n".join(lines)
    places = [place for one in find_spoken("memory/2026-01-14.md", text) for place in (one.start, one.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
