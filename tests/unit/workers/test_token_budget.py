"""A dream's tokens: reserved before a call is made, given back where the call used fewer."""

from concurrent.futures import ThreadPoolExecutor

from workers.ask.asker import TokenBudget


def test_a_call_takes_its_tokens_before_it_is_made() -> None:
    budget = TokenBudget(per_call=60, left=100)
    assert budget.reserve(60) is None
    assert budget.left == 40
    assert budget.reserve(41) == "a call of 41 tokens is over the 40 that are left of the budget"
    assert budget.reserve(40) is None


def test_a_call_may_be_too_large_by_itself_and_then_takes_nothing() -> None:
    budget = TokenBudget(per_call=60, left=100)
    assert budget.reserve(61) == "a call of 61 tokens is over the limit of 60"
    assert budget.left == 100


def test_tokens_that_a_call_did_not_use_can_be_spent_by_the_next_one() -> None:
    budget = TokenBudget(per_call=100, left=100)
    budget.reserve(100)
    budget.settle(100, 30)
    assert budget.reserve(70) is None


def test_a_call_that_used_more_than_it_reserved_leaves_nothing_below_zero_to_say() -> None:
    budget = TokenBudget(per_call=100, left=100)
    budget.reserve(100)
    budget.settle(100, 120)
    assert budget.reserve(1) == "a call of 1 tokens is over the 0 that are left of the budget"


def test_calls_side_by_side_do_not_overshoot() -> None:
    budget = TokenBudget(per_call=10, left=500)
    with ThreadPoolExecutor(8) as pool:
        refusals = list(pool.map(budget.reserve, [10] * 80))
    assert refusals.count(None) == 50
    assert budget.left == 0
