"""The loss cap and the protected: what a dream may retire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.model import Maturity, Signals
from shared.core.merging.loss_cap import LossBudget, get_loss_budget, reason_protected
from shared.core.policy.policy import SafetyPolicy

POLICY = SafetyPolicy()


@pytest.mark.parametrize(("live", "allowed"), [(0, 1), (2, 1), (4, 1), (7, 1), (8, 2), (100, 25), (103, 25)])
def test_a_dream_may_retire_a_quarter_of_a_store_and_one_memory_of_a_tiny_one(live: int, allowed: int) -> None:
    assert get_loss_budget(live, 0, POLICY).left == allowed


def test_memories_that_the_dream_has_retired_count_towards_the_loss_cap() -> None:
    assert get_loss_budget(100, 20, POLICY).left == 5
    assert get_loss_budget(100, 30, POLICY).left == 0


def test_a_budget_gives_all_or_nothing() -> None:
    budget = LossBudget(allowed=3)
    after = budget.take(2)
    assert after == LossBudget(allowed=3, used=2)
    assert after.take(2) is None
    assert after.take(1) == LossBudget(allowed=3, used=3)


@given(live=st.integers(0, 10_000), wishes=st.lists(st.integers(0, 50), max_size=50))
def test_no_sequence_of_wishes_retires_more_than_is_allowed(live: int, wishes: list[int]) -> None:
    budget = get_loss_budget(live, 0, POLICY)
    retired = 0
    for wish in wishes:
        left = budget.take(wish)
        if left is not None:
            retired += wish
            budget = left
    assert retired <= max(1, live // 4)


@pytest.mark.parametrize(
    ("signals", "why"),
    [
        (Signals(maturity=Maturity.CORE), "core memory"),
        (Signals(pinned=True), "pinned"),
        (Signals(by_person=True), "written by a person"),
        (Signals(importance=80), "importance 80 ≥ 80"),
        (Signals(reinforcement_count=5), "reinforced 5 times"),
    ],
)
def test_a_protected_memory_is_not_pruned_and_says_why(signals: Signals, why: str) -> None:
    assert reason_protected(signals, POLICY) == why


def test_everything_just_below_the_limits_may_be_pruned() -> None:
    signals = Signals(importance=79.9, reinforcement_count=4, maturity=Maturity.VALIDATED)
    assert reason_protected(signals, POLICY) is None
