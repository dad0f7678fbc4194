"""Subject time: shown beside a memory, and wide enough for all sources of a merge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.subject_time import SubjectTime, render_subject_time, widen_subject_times

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
