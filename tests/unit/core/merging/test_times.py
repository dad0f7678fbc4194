"""Merge arithmetic: RockBot's published rules, and the laws that they imply."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Rewrite
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory, Signals, Tier
from shared.core.merging.times import (
    MergedFacts,
    SubjectTime,
    describe_times,
    is_seen_once,
    merge_facts,
    read_subject_time,
    subject_fields,
)
from tests.unit.builders import NOW, group, memory
from tests.unit.phases.consolidate.consolidating import AUTH, OAUTH, merge, only

MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2026, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001 - the zone follows
SIGNALS = st.builds(
    Signals,
    importance=st.floats(0, 100),
    tier=st.sampled_from(Tier),
    access_count=st.integers(0, 99),
    reinforcement_count=st.integers(0, 99),
    pinned=st.booleans(),
    last_seen_at=st.none() | MOMENTS,
)
POINTS = st.sampled_from(["", "2019", "2019-06", "2019-06-03", "2021-01"])
MEMORIES = st.builds(
    lambda created_at, signals, point: replace(
        memory("a.md", f"---\nsubjectTime: '{point}'\n---\nText.\n"), created_at=created_at, signals=signals
    ),
    MOMENTS, SIGNALS, POINTS,
)  # fmt: skip


def as_memory(facts: MergedFacts) -> Memory:
    lines = "".join(f"{name}: '{value}'\n" for name, value in subject_fields(facts.subject).items())
    text = f"---\n{lines}---\nText.\n" if lines else "Text.\n"
    return replace(memory("a.md", text), created_at=facts.created_at, signals=facts.signals)


def test_created_is_the_earliest_last_seen_the_latest_and_reinforcement_the_sum() -> None:
    early = replace(AUTH, created_at=NOW - timedelta(days=90), signals=Signals(reinforcement_count=3))
    late = replace(OAUTH, signals=Signals(reinforcement_count=4, last_seen_at=NOW - timedelta(days=2)))
    facts = merge_facts([late, early])
    assert facts.created_at == early.created_at
    assert facts.signals.reinforcement_count == 7
    assert facts.signals.last_seen_at == NOW - timedelta(days=2)


def test_merging_never_makes_a_memory_seen_now() -> None:
    assert merge_facts([AUTH, OAUTH]).signals.last_seen_at is None


def test_a_durable_source_makes_the_merged_memory_durable() -> None:
    assert merge_facts([AUTH, replace(OAUTH, signals=Signals(tier=Tier.DURABLE))]).signals.tier is Tier.DURABLE


@given(st.lists(MEMORIES, min_size=1, max_size=5))
def test_the_order_of_the_sources_does_not_matter(sources: list[Memory]) -> None:
    assert merge_facts(sources) == merge_facts(list(reversed(sources)))


@given(MEMORIES, MEMORIES, MEMORIES)
def test_merging_in_two_steps_is_merging_at_once(one: Memory, two: Memory, three: Memory) -> None:
    at_once = merge_facts([one, two, three])
    assert merge_facts([as_memory(merge_facts([one, two])), three]) == at_once
    assert merge_facts([one, as_memory(merge_facts([two, three]))]) == at_once


@given(MEMORIES)
def test_a_merge_of_one_changes_no_time_and_no_count(one: Memory) -> None:
    facts = merge_facts([one])
    assert facts.created_at == one.created_at
    assert (facts.signals.last_seen_at, facts.signals.reinforcement_count) == (
        one.signals.last_seen_at,
        one.signals.reinforcement_count,
    )


def test_the_merged_file_says_when_its_subject_was_the_most_precise_point_wins() -> None:
    vague = replace(AUTH, content=f"---\nsubjectTime: 2019\n---\n{AUTH.content}")
    precise = replace(OAUTH, content=f"---\nsubjectTime: 2019-06-03\nsubjectTimeEnd: '2021'\n---\n{OAUTH.content}")
    written = only(merge(vague, precise), of=group(vague, precise)).changes[0]
    assert isinstance(written, Rewrite)
    assert read_subject_time(read_fields(written.content)) == SubjectTime(point="2019-06-03", end="2021")


def test_a_merge_into_a_new_file_keeps_the_day_on_which_the_first_source_was_seen() -> None:
    old = replace(AUTH, created_at=NOW - timedelta(days=400))
    written = only(merge(old, OAUTH, into="api/tokens.md"), of=group(old, OAUTH)).changes[0]
    assert isinstance(written, Create)
    assert written.created_at == old.created_at


def test_a_memorys_times_are_told_to_the_model_as_published() -> None:
    told = replace(
        memory("a.md", "---\nsubjectTimeStart: 1995\nsubjectTimeEnd: 2003\n---\nText.\n"),
        created_at=datetime(2025, 3, 1, tzinfo=UTC),
        signals=Signals(reinforcement_count=3, last_seen_at=datetime(2026, 2, 4, tzinfo=UTC)),
    )
    assert describe_times(told) == "first=2025-03-01, last=2026-02-04, reinforced=3\u00d7, subject=1995..2003"


def test_of_a_memory_that_was_seen_once_its_day_says_all() -> None:
    once = replace(memory("a.md", "Text.\n"), created_at=datetime(2025, 3, 1, tzinfo=UTC))
    assert is_seen_once(once, "2025-03-01")
    assert not is_seen_once(once, "2025-03-02")
    assert not is_seen_once(once, "")
    assert not is_seen_once(replace(once, content="---\nsubjectTime: 1995\n---\nText.\n"), "2025-03-01")
    for again in (Signals(reinforcement_count=1), Signals(last_seen_at=datetime(2025, 3, 1, tzinfo=UTC))):
        assert not is_seen_once(replace(once, signals=again), "2025-03-01")


@pytest.mark.parametrize(
    ("field", "read"),
    [
        ("subjectTime", SubjectTime(point="2019-06")),
        ("subject_time_start", SubjectTime(start="2019-06")),
        ("subjectTimeEnd", SubjectTime(end="2019-06")),
    ],
)
def test_one_end_of_a_subject_time_is_enough(field: str, read: SubjectTime) -> None:
    assert read_subject_time({field: "2019-06"}) == read


def test_a_subject_time_that_is_no_date_is_not_believed() -> None:
    assert read_subject_time({"subjectTime": "last summer"}) is None
