"""The cost of a month, as the cost benchmark makes it of counted tokens."""

import pytest

from benchmarks.cost.kinds import KINDS, MODELS, Tokens, cost_of_month
from shared.prices.price_list import find_prices

A_DREAM = Tokens(calls=4, prompt=10_000, output=1_000)


def test_a_month_is_its_dreams_at_the_listed_price_and_half_of_it_in_batches() -> None:
    at_once = cost_of_month(A_DREAM, 30, "claude-haiku-4-5", find_prices(), is_batched=False)
    assert at_once == pytest.approx(30 * (10_000 * 1 + 1_000 * 5) / 1_000_000)
    assert cost_of_month(A_DREAM, 30, "claude-haiku-4-5", find_prices(), is_batched=True) == pytest.approx(at_once / 2)


def test_a_model_without_a_known_price_gets_no_figure() -> None:
    with pytest.raises(KeyError):
        cost_of_month(A_DREAM, 30, "another", find_prices(), is_batched=False)


def test_each_model_of_the_table_has_a_price_and_busier_tenants_dream_more() -> None:
    assert all(model in find_prices() for model in MODELS)
    assert [kind.dreams_a_month for kind in KINDS] == sorted(kind.dreams_a_month for kind in KINDS)
