"""Importance, maturity and rank: ByteRover's published arithmetic."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.importance import accessed, compound_score, decide_maturity, merged, recency, updated
from shared.core.memory.model import Maturity, Signals
from tests.unit.builders import NOW, days_ago

DRAFT, VALIDATED, CORE = Maturity.DRAFT, Maturity.VALIDATED, Maturity.CORE
IMPORTANCE = st.floats(0, 100)
RANK = [DRAFT, VALIDATED, CORE]


def test_a_clock_that_went_backwards_ages_nothing() -> None:
    assert recency(NOW + timedelta(days=3), NOW) == 1


def test_recency_falls_by_e_in_thirty_days() -> None:
    assert recency(NOW, NOW) == 1
    assert math.isclose(recency(days_ago(30), NOW), math.exp(-1))


@pytest.mark.parametrize(
    ("current", "importance", "becomes"),
    [
        (DRAFT, 64.9, DRAFT),
        (DRAFT, 65, VALIDATED),
        (DRAFT, 85, CORE),
        (VALIDATED, 84.9, VALIDATED),
        (VALIDATED, 85, CORE),
        (VALIDATED, 35, VALIDATED),
        (VALIDATED, 34.9, DRAFT),
        (CORE, 60, CORE),
        (CORE, 59.9, VALIDATED),
        (CORE, 35, VALIDATED),
        (CORE, 34.9, VALIDATED),
    ],
)
def test_maturity_has_hysteresis(current: Maturity, importance: float, becomes: Maturity) -> None:
    assert decide_maturity(current, importance) is becomes


@given(current=st.sampled_from(RANK), importance=IMPORTANCE)
def test_a_tier_rises_at_once_and_falls_one_step_at_a_time(current: Maturity, importance: float) -> None:
    once = decide_maturity(current, importance)
    twice = decide_maturity(once, importance)
    assert RANK.index(once) >= RANK.index(current) - 1
    assert twice is once or RANK.index(twice) == RANK.index(once) - 1 == RANK.index(current) - 2


def test_an_access_adds_three_and_counts() -> None:
    after = accessed(Signals(importance=50, access_count=2), NOW)
    assert (after.importance, after.access_count, after.last_seen_at) == (53, 3, NOW)


def test_an_update_adds_five_and_counts() -> None:
    after = updated(Signals(importance=50, reinforcement_count=1), NOW)
    assert (after.importance, after.reinforcement_count, after.last_seen_at) == (55, 2, NOW)


@given(importance=IMPORTANCE, maturity=st.sampled_from(RANK))
def test_a_gain_is_capped_at_100_and_never_lowers_the_tier(importance: float, maturity: Maturity) -> None:
    for gain in (accessed, updated):
        after = gain(Signals(importance=importance, maturity=maturity), NOW)
        assert importance <= after.importance <= 100
        assert RANK.index(after.maturity) >= RANK.index(maturity)


def test_a_memory_marked_core_stays_core_when_it_is_updated() -> None:
    assert updated(Signals(importance=50, maturity=CORE), NOW).maturity is CORE


def test_a_merge_keeps_the_best_of_each_source_and_adds_the_counts() -> None:
    one = Signals(importance=40, maturity=VALIDATED, access_count=3, reinforcement_count=1, last_seen_at=days_ago(2))
    two = Signals(importance=60, maturity=DRAFT, access_count=4, reinforcement_count=2, last_seen_at=days_ago(1))
    both = merged([one, two])
    assert both.importance == 60
    assert both.maturity is VALIDATED
    assert both.access_count == 7
    assert both.reinforcement_count == 3  # the sum: a merge is not an observation
    assert both.last_seen_at == days_ago(1)


def test_a_merge_of_a_pinned_memory_is_pinned() -> None:
    assert merged([Signals(), Signals(pinned=True)]).pinned


@given(
    st.lists(
        st.builds(Signals, importance=IMPORTANCE, maturity=st.sampled_from(RANK), access_count=st.integers(0, 9)),
        min_size=1,
        max_size=5,
    )
)
def test_a_merge_is_never_lower_than_its_best_source(parts: list[Signals]) -> None:
    whole = merged(parts)
    assert whole.importance == max(part.importance for part in parts)
    assert RANK.index(whole.maturity) >= max(RANK.index(part.maturity) for part in parts)
    assert whole.access_count == sum(part.access_count for part in parts)


def test_the_compound_score_weighs_text_importance_and_recency() -> None:
    signals = Signals(importance=50, maturity=VALIDATED)
    assert math.isclose(compound_score(1.0, signals, NOW, NOW), 0.6 + 0.1 + 0.2)


@pytest.mark.parametrize(("maturity", "boost"), [(DRAFT, 0.85), (VALIDATED, 1.0), (CORE, 1.15)])
def test_the_compound_score_is_boosted_by_tier(maturity: Maturity, boost: float) -> None:
    signals = Signals(importance=100, maturity=maturity)
    assert math.isclose(compound_score(1.0, signals, NOW, NOW), boost)
