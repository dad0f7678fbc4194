"""Subject time: shown beside a memory, and wide enough for all sources of a merge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.merging.times import (
    SubjectTime,
    find_subject_time,
    render_subject_time,
    unite_subject_times,
    widen_subject_times,
)

PARTIAL = st.dates().map(lambda day: day.isoformat()) | st.sampled_from(["", "2019", "2019-06", "2003"])
SUBJECTS = st.lists(st.none() | st.builds(SubjectTime, point=PARTIAL, start=PARTIAL, end=PARTIAL), max_size=5)


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        (SubjectTime(point="2019-06"), " subject=2019-06"),
        (SubjectTime(start="1995", end="2003"), " subject=1995..2003"),
        (SubjectTime(start="2020"), " subject=2020..?"),
        (SubjectTime(), ""),
        (None, ""),
    ],
)
def test_a_listed_memory_says_when_its_subject_was(subject: SubjectTime | None, shown: str) -> None:
    assert render_subject_time(subject) == shown


def test_a_merge_keeps_the_most_specific_point_and_the_widest_span() -> None:
    merged = widen_subject_times(
        [
            SubjectTime(point="2019", start="1998", end="2003"),
            None,
            SubjectTime(point="2019-06", start="1995", end="2001"),
        ]
    )
    assert merged == SubjectTime(point="2019-06", start="1995", end="2003")


def test_a_whole_year_ends_after_any_day_of_it() -> None:
    merged = widen_subject_times([SubjectTime(end="2019"), SubjectTime(end="2019-06-03")])
    assert merged == SubjectTime(end="2019")


def test_without_any_subject_time_there_is_none() -> None:
    assert widen_subject_times([None, SubjectTime()]) is None


@given(SUBJECTS)
def test_the_order_of_the_sources_does_not_matter(subjects: list[SubjectTime | None]) -> None:
    assert widen_subject_times(subjects) == widen_subject_times(reversed(subjects))


@given(SUBJECTS)
def test_merging_what_was_merged_with_its_sources_changes_nothing(subjects: list[SubjectTime | None]) -> None:
    merged = widen_subject_times(subjects)
    assert widen_subject_times([merged, *subjects]) == merged


def test_a_statement_happened_when_the_date_says_that_was_put_behind_its_words() -> None:
    assert find_subject_time("moved yesterday", "moved yesterday (2026-03-03)") == SubjectTime(point="2026-03-03")
    assert find_subject_time("in May", "in May (2026-05)") == SubjectTime(point="2026-05")
    week = SubjectTime(start="2026-03-02", end="2026-03-08")
    assert find_subject_time("last week", "last week (week of 2026-03-02)") == week
    assert find_subject_time("on the weekend", "on the weekend (2026-03-07 to 2026-03-08)") == SubjectTime(
        start="2026-03-07", end="2026-03-08"
    )
    assert find_subject_time("the release (2024)", "the release (2024)") is None


def test_a_memory_of_several_dates_spans_them_all() -> None:
    days = [SubjectTime(point="2026-03-03"), None, SubjectTime(start="2026-02-02", end="2026-02-08")]
    assert unite_subject_times(days) == SubjectTime(start="2026-02-02", end="2026-03-03")
    assert unite_subject_times([days[0], days[0]]) == days[0]
    assert unite_subject_times([None]) is None
