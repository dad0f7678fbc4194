"""Laws of the change gate: how long an answer holds, and when what was settled is looked at again."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.policy.policy import ChangeGatePolicy
from shared.core.questions.change_gate import (
    Asked,
    decide_reopen_days,
    decide_spared,
    find_forgotten_before,
    follow_up,
)

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
PUBLISHED = ChangeGatePolicy()
some_days = st.floats(0, 400, allow_nan=False)
policies = st.builds(ChangeGatePolicy, forced_days=some_days, reopen_days=some_days, reopen_cap_days=some_days)
times = st.integers(1, 100_000)


def asked(days_ago: float) -> Asked:
    return Asked(phase="prune", fingerprint="f", dream_id="drm_1", asked_at=NOW - timedelta(days=days_ago))


def settle(policy: ChangeGatePolicy, last: Asked | None, now: datetime) -> Asked:
    return follow_up(
        policy, last, phase="consolidate", fingerprint="f", dream_id="drm_2", now=now, members=("mem_1", "mem_2")
    )


def test_settled_clusters_are_reopened_after_7_days_times_two_to_the_n_and_56_at_most() -> None:
    assert [decide_reopen_days(PUBLISHED, n) for n in range(1, 7)] == [7, 14, 28, 56, 56, 56]


@given(policies, times, times)
def test_a_cluster_that_was_left_alone_more_often_never_waits_less_nor_beyond_the_cap(
    policy: ChangeGatePolicy, one: int, other: int
) -> None:
    fewer, more = sorted((one, other))
    assert decide_reopen_days(policy, fewer) <= decide_reopen_days(policy, more) <= policy.reopen_cap_days


@given(policies, some_days)
def test_an_answer_holds_for_the_forced_days_and_not_a_moment_longer(policy: ChangeGatePolicy, age: float) -> None:
    last = asked(age)
    assert decide_spared(policy, last, NOW) is (NOW - last.asked_at < timedelta(days=policy.forced_days))


@given(policies)
def test_a_question_without_a_fingerprint_is_asked(policy: ChangeGatePolicy) -> None:
    assert not decide_spared(policy, None, NOW)


@given(some_days)
def test_zero_forced_days_spare_nothing(age: float) -> None:
    assert not decide_spared(ChangeGatePolicy(forced_days=0), asked(age), NOW)


@pytest.mark.parametrize("days_ahead", [0.001, 1, 1_000])
def test_a_clock_that_was_set_back_makes_no_answer_hold_for_ever(days_ahead: float) -> None:
    assert not decide_spared(PUBLISHED, asked(-days_ahead), NOW)


@given(policies, st.integers(1, 30))
def test_a_cluster_that_is_left_alone_each_time_it_is_shown_counts_each_time(
    policy: ChangeGatePolicy, looks: int
) -> None:
    last, now = None, NOW
    for _ in range(looks):
        last = settle(policy, last, now)
        now = last.reopens_at or now
    assert last is not None
    assert last.times_settled == looks
    wait = timedelta(days=decide_reopen_days(policy, looks)) if policy.reopen_days else None
    assert (last.reopens_at and last.reopens_at - last.asked_at) == wait


@given(policies)
def test_a_whole_question_is_not_looked_at_again_by_itself(policy: ChangeGatePolicy) -> None:
    kept = follow_up(policy, None, phase="prune", fingerprint="f", dream_id="drm_1", now=NOW)
    assert (kept.times_settled, kept.reopens_at) == (0, None)


@given(policies, times)
def test_nothing_is_forgotten_while_it_spares_a_question_or_waits_to_be_looked_at(
    policy: ChangeGatePolicy, times_settled: int
) -> None:
    longest = max(policy.forced_days, decide_reopen_days(policy, times_settled))
    assert find_forgotten_before(policy, NOW) <= NOW - timedelta(days=longest)
