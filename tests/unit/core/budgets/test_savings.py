"""Savings are the differences that a person computes by hand."""

import pytest

from shared.core.budgets.savings import SparedQuestions, TokenSums, sum_savings
from shared.core.questions.prices import ModelPrice

PRICES = {"small": ModelPrice(input_usd=1.0, output_usd=5.0, cache_read_usd=0.1, cache_write_usd=1.25)}


def calls(
    model: str = "small", *, batched: bool = False, fresh: int = 0, read: int = 0, written: int = 0, usd: float = 1.0
) -> TokenSums:
    return TokenSums(
        model=model, is_batched=batched, input_tokens=fresh, cached_tokens=read, cache_write_tokens=written, cost_usd=usd
    )  # fmt: skip


def test_cached_tokens_save_what_fresh_ones_cost_more_and_writing_them_is_subtracted() -> None:
    found = sum_savings([calls(read=1_000_000, written=400_000)], [], PRICES)
    assert found.cache_usd == pytest.approx(0.9 - 0.1)
    assert found.cached_tokens == 1_000_000


def test_the_share_of_the_cache_is_of_all_prompts_of_all_models() -> None:
    found = sum_savings([calls(fresh=200, read=600, written=100), calls("ours", fresh=100)], [], PRICES)
    assert found.cached_share == pytest.approx(0.6)
    assert sum_savings([], [], PRICES).cached_share == 0.0


def test_a_cache_that_is_only_written_costs() -> None:
    assert sum_savings([calls(written=1_000_000)], [], PRICES).cache_usd == pytest.approx(-0.25)


def test_batches_save_as_much_as_they_cost_at_half_the_price() -> None:
    found = sum_savings([calls(batched=True, read=1_000_000, usd=3.0)], [], PRICES)
    assert found.batch_usd == pytest.approx(3.0)
    assert found.cache_usd == pytest.approx(0.45)


def test_a_spared_question_counts_as_the_mean_call_of_its_phase() -> None:
    spared = [
        SparedQuestions(phase="consolidate", spared=4, calls=10, cost_usd=5.0),
        SparedQuestions(phase="prune", spared=3, calls=0, cost_usd=0.0),
    ]
    found = sum_savings([], spared, PRICES)
    assert found.spared_usd == pytest.approx(2.0)
    assert found.spared == 7
    assert found.total_usd == pytest.approx(2.0)


def test_a_model_without_a_known_price_saves_nothing() -> None:
    found = sum_savings([calls("ours", batched=True, read=5_000_000)], [], PRICES)
    assert (found.cache_usd, found.batch_usd, found.cached_tokens) == (0.0, 0.0, 5_000_000)
