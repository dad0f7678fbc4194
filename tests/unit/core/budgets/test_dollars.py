"""Budgets in dollars: which hold, their periods, what still fits, and what is said about them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.budgets.dollars import (
    BudgetUse,
    DollarBudget,
    Period,
    Scope,
    explain_exhausted,
    find_dollar_budgets,
    find_exhausted,
    find_period,
    say_refused,
)
from shared.core.errors import BadInputError
from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.policy.policy import Autonomy, GatePolicy
from shared.core.policy.profiles import get_policy
from shared.core.questions.prices import ModelPrice, cost_usd, highest_cost_usd
from shared.core.tenants.shadow import name_shadow
from shared.core.tenants.store import Store, Tenant

NOW = datetime(2026, 12, 31, 22, 30, tzinfo=UTC)
DAY = DollarBudget(scope=Scope.TENANT, period=Period.DAY, limit_usd=2.0)
MONTH = DollarBudget(scope=Scope.STORE, period=Period.MONTH, limit_usd=10.0, store_id="memstore_1", store="bot")


def use(budget: DollarBudget = DAY, spent: float = 0.0, reserved: float = 0.0, **values: bool) -> BudgetUse:
    starts_at, ends_at = find_period(budget.period, NOW)
    return BudgetUse(
        budget=budget, spent_usd=spent, reserved_usd=reserved, starts_at=starts_at, ends_at=ends_at, **values
    )


def test_a_tenant_and_its_store_have_budgets_of_their_own_by_day_and_month() -> None:
    tenant = Tenant(id="acme", usd_per_day=2, usd_per_month=0)
    overrides: dict[str, object] = {"budget.usd_per_day": 0.5, "budget.usd_per_month": 3}
    store = Store(id="memstore_1", tenant_id="acme", name="bot", overrides=overrides)
    assert [(one.name, one.limit_usd) for one in find_dollar_budgets(tenant, store)] == [
        ("tenant_usd_per_day", 2), ("tenant_usd_per_month", 0), ("store_usd_per_day", 0.5), ("store_usd_per_month", 3),
    ]  # fmt: skip
    assert [one.name for one in find_dollar_budgets(tenant)] == ["tenant_usd_per_day", "tenant_usd_per_month"]


def test_nothing_is_bounded_until_a_budget_is_set() -> None:
    assert find_dollar_budgets(Tenant(id="acme"), Store(id="s", tenant_id="acme", name="bot")) == ()


@pytest.mark.parametrize("wrong", [-1, True, "5", 1e9])
def test_a_stores_budget_is_a_sane_number_of_dollars(wrong: object) -> None:
    with pytest.raises(BadInputError, match=r"budget\.usd_per_day takes a number"):
        get_policy("default", {"budget.usd_per_day": wrong}, Autonomy.FLAG)
    assert get_policy("default", {"budget.usd_per_day": None}, Autonomy.FLAG).budget.usd_per_day is None


@pytest.mark.parametrize(
    ("period", "at", "starts", "ends"),
    [
        (Period.DAY, NOW, datetime(2026, 12, 31, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        (Period.MONTH, NOW, datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        (Period.MONTH, datetime(2028, 2, 29, tzinfo=UTC), datetime(2028, 2, 1, tzinfo=UTC), datetime(2028, 3, 1, tzinfo=UTC)),
        # Where it is New Year already, the budget is still that of December: periods are those of UTC.
        (Period.MONTH, NOW.astimezone(timezone(timedelta(hours=2))), datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)  # fmt: skip
def test_a_period_is_a_calendar_day_or_month_of_utc(
    period: Period, at: datetime, starts: datetime, ends: datetime
) -> None:
    assert find_period(period, at) == (starts, ends)


def test_a_question_fits_only_into_what_is_neither_spent_nor_reserved() -> None:
    assert use(spent=1.2, reserved=0.5).fits(0.3)
    assert not use(spent=1.2, reserved=0.5).fits(0.31)
    assert not use(spent=0.2, was_refused=True).fits(0.1)


def test_the_last_digits_of_a_sum_decide_nothing() -> None:
    tenths = replace(DAY, limit_usd=0.3)
    assert use(tenths, spent=0.1 + 0.1).fits(0.1)
    assert use(tenths, spent=0.1 + 0.1 + 0.1 - 1e-12).is_exhausted


@pytest.mark.parametrize(("spent", "is_alerting"), [(0.0, False), (1.59, False), (1.6, True), (2.5, True)])
def test_four_fifths_of_a_budget_are_told(spent: float, *, is_alerting: bool) -> None:
    assert use(spent=spent).is_alerting is is_alerting


def test_a_budget_of_nothing_is_met_from_the_start() -> None:
    nothing = use(replace(DAY, limit_usd=0.0))
    assert (nothing.is_exhausted, nothing.share, nothing.left_usd) == (True, 1.0, 0.0)


def test_the_gate_names_the_budget_that_holds_longest_and_opens_when_it_ends() -> None:
    day, month = use(spent=2.0), use(MONTH, spent=10.4)
    assert find_exhausted([day, month, use()]) in {day, month}
    verdict = decide_gates(GateFacts(dollars=(month,)), GatePolicy(), NOW, force=True)
    assert (verdict.gate, verdict.retry_at) == ("budget", month.ends_at)
    assert verdict.reason == explain_exhausted(month)
    assert (
        explain_exhausted(month)
        == "Monthly dollar budget met ($10.40 of $10.00 spent, by budget.usd_per_month of the store)"
    )
    assert decide_gates(GateFacts(dollars=(use(spent=1.99),)), GatePolicy(), NOW, force=True).is_open


def test_a_refusal_says_the_price_what_is_left_the_setting_and_when_it_goes_on() -> None:
    assert say_refused(use(spent=1.99), 0.05) == (
        "a question may cost $0.0500, and $0.0100 of $2.00 a day are left, by usd_per_day of the tenant;"
        " dreams go on after 2027-01-01 00:00 UTC"
    )


def test_a_refusal_in_a_copy_names_the_evaluations_limit_and_promises_no_later_dream() -> None:
    budget = replace(DAY, scope=Scope.STORE, store=name_shadow("eval_1", "1", "bot", 0))
    assert say_refused(use(budget, spent=1.99), 0.05) == (
        "a question may cost $0.0500, and $0.0100 are left of what the evaluation may spend"
        " (max_usd, within the store's budgets)"
    )


@given(
    st.integers(0, 300_000), st.integers(0, 300_000), st.integers(0, 300_000), st.integers(0, 9_000),
    st.sampled_from([None, 200_000]),
)  # fmt: skip
def test_no_call_costs_more_than_what_was_reserved_for_its_tokens(
    plain: int, cached: int, written: int, answer: int, long_prompt: int | None
) -> None:
    price = ModelPrice(
        input_usd=1, output_usd=5, cache_read_usd=0.1, cache_write_usd=1.25,
        long_prompt_tokens=long_prompt, long_prompt_factor=2,
    )  # fmt: skip
    cost = cost_usd(
        "m", input_tokens=plain, output_tokens=answer, cached_tokens=cached, cache_write_tokens=written,
        prices={"m": price},
    )  # fmt: skip
    assert cost <= highest_cost_usd(price, prompt_tokens=plain + cached + written, answer_tokens=answer) + 1e-9
