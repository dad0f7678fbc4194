import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.questions.prices import ModelPrice, cost_usd, find_price, price_provider, say_cost
from shared.prices.price_list import find_prices

MILLION = 1_000_000
PRICES = find_prices()


def test_a_million_tokens_cost_their_list_price() -> None:
    assert cost_usd("claude-sonnet-4-5", input_tokens=MILLION, output_tokens=0, prices=PRICES) == pytest.approx(3.0)
    assert cost_usd("claude-sonnet-4-5", input_tokens=0, output_tokens=MILLION, prices=PRICES) == pytest.approx(15.0)


def test_a_dated_model_id_has_the_price_of_the_undated_one() -> None:
    assert find_price("claude-haiku-4-5-20251001", PRICES) == find_price("claude-haiku-4-5", PRICES)
    assert find_price("claude-haiku-4-5@20251001", PRICES) == find_price("claude-haiku-4-5", PRICES)


@pytest.mark.parametrize("model", ["claude-opus-5-9", "claude-opus-5-50", "claude-haiku-9", "gpt-4o-mini", ""])
def test_another_version_or_maker_has_no_known_price(model: str) -> None:
    assert find_price(model, PRICES) is None
    assert cost_usd(model, input_tokens=MILLION, output_tokens=MILLION, prices=PRICES) == 0.0


def test_a_long_prompt_pays_the_long_price_on_all_its_tokens() -> None:
    short = cost_usd("claude-haiku-5-5", input_tokens=40_000, output_tokens=10, cached_tokens=60_000, prices=PRICES)
    long = cost_usd("claude-haiku-5-5", input_tokens=40_000, output_tokens=10, cached_tokens=60_001, prices=PRICES)
    assert short == pytest.approx((40_000 * 0.10 + 10 * 0.50 + 60_000 * 0.01) / MILLION)
    assert long == pytest.approx((40_000 * 0.50 + 10 * 2.50 + 60_001 * 0.05) / MILLION)


def test_a_region_of_vertex_costs_more_than_its_global_endpoint_where_the_list_says_so() -> None:
    behind = price_provider(PRICES, "vertex", "europe-west1")
    for one, own in (("claude-haiku-4-5@20251001", 1.1), ("claude-sonnet-4-6", 1.1), ("claude-opus-4-1", 1.0)):
        before, after = find_price(one, PRICES), find_price(one, behind)
        assert before is not None
        assert after is not None
        assert after.input_usd == pytest.approx(own * before.input_usd)
        assert after.output_usd == pytest.approx(own * before.output_usd)
    assert price_provider(PRICES, "vertex", "global") == PRICES
    assert price_provider(PRICES, "bedrock", "eu-central-1") == PRICES  # Bedrock's ids say the place themselves
    assert price_provider(PRICES, "anthropic", "europe-west1") == PRICES


def test_prices_can_be_given() -> None:
    own = {"llama": ModelPrice(input_usd=1, output_usd=2, cache_read_usd=0, cache_write_usd=0)}
    assert cost_usd("llama", input_tokens=MILLION, output_tokens=MILLION, prices=own) == pytest.approx(3.0)
    assert find_price("claude-haiku-4-5", own) is None


@given(st.sampled_from(sorted(PRICES)), st.integers(1, 10**6))
def test_a_prompt_is_cheapest_from_the_cache_and_most_expensive_when_written_to_it(model: str, tokens: int) -> None:
    read = cost_usd(model, input_tokens=0, output_tokens=0, cached_tokens=tokens, prices=PRICES)
    plain = cost_usd(model, input_tokens=tokens, output_tokens=0, prices=PRICES)
    written = cost_usd(model, input_tokens=0, output_tokens=0, cache_write_tokens=tokens, prices=PRICES)
    assert 0 < read < plain < written


@pytest.mark.parametrize(
    ("cost", "tokens", "said"),
    [(0.0, 0, "$0.00"), (0.0123, 900, "$0.0123"), (12.5, 9_000_000, "$12.50"), (0.0, 900, "price unknown")],
)
def test_tokens_without_a_known_price_are_not_said_to_be_free(cost: float, tokens: int, said: str) -> None:
    assert say_cost(cost, tokens) == said


def test_the_rules_without_a_model_are_free() -> None:
    assert say_cost(0.0, 900, "offline") == "$0.00"
