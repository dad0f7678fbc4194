"""The price of a call: USD list prices per million tokens, by model id without its date.

Source: the "Model pricing" table of Anthropic's public documentation (platform.claude.com, about Claude, pricing), as
far as stored copies of it go; the cache reads of the 5.5 models and the two bands of Haiku 5.5 are from projects that
quote it (October 2026). Cache writes are those of the 5-minute cache; batch and volume discounts are not applied.
A model without a known price costs 0.0, which is not a statement: `find_price` tells the two apart, and `say_cost` says so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_TOKENS_PER_PRICE = 1_000_000
_DATE_SUFFIX = re.compile(r"(?:[-@]\d{8}|-latest)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """USD per million tokens. Prompts longer than `long_prompt_tokens` pay `long_prompt_factor` on everything."""

    input_usd: float
    output_usd: float
    cache_read_usd: float
    cache_write_usd: float
    long_prompt_tokens: int | None = None
    long_prompt_factor: float = 1.0


def _price(input_usd: float, output_usd: float, cache_read_usd: float, cache_write_usd: float) -> ModelPrice:
    return ModelPrice(
        input_usd=input_usd, output_usd=output_usd, cache_read_usd=cache_read_usd, cache_write_usd=cache_write_usd
    )


_HAIKU_5_5 = ModelPrice(
    input_usd=0.10,
    output_usd=0.50,
    cache_read_usd=0.01,
    cache_write_usd=0.125,
    long_prompt_tokens=100_000,
    long_prompt_factor=5.0,
)

LIST_PRICES: Mapping[str, ModelPrice] = {
    "claude-fable-5-1": _price(10, 50, 0.25, 12.50),
    "claude-fable-5": _price(10, 50, 1.00, 12.50),
    "claude-mythos-5-1": _price(10, 50, 0.25, 12.50),
    "claude-mythos-5": _price(10, 50, 1.00, 12.50),
    "claude-opus-5-5": _price(4, 20, 0.20, 5.00),
    "claude-opus-5": _price(5, 25, 0.50, 6.25),
    "claude-opus-4-8": _price(5, 25, 0.50, 6.25),
    "claude-opus-4-7": _price(5, 25, 0.50, 6.25),
    "claude-opus-4-6": _price(5, 25, 0.50, 6.25),
    "claude-opus-4-5": _price(5, 25, 0.50, 6.25),
    "claude-opus-4-1": _price(15, 75, 1.50, 18.75),
    "claude-sonnet-5-5": _price(2, 10, 0.10, 2.50),
    "claude-sonnet-5": _price(2, 10, 0.20, 2.50),
    "claude-sonnet-4-6": _price(3, 15, 0.30, 3.75),
    "claude-sonnet-4-5": _price(3, 15, 0.30, 3.75),
    "claude-haiku-5-5": _HAIKU_5_5,
    "claude-haiku-4-5": _price(1, 5, 0.10, 1.25),
}


#: The rules that answer without a model: their tokens are estimated, and cost nothing.
FREE_MODEL = "offline"


def find_price(model: str, prices: Mapping[str, ModelPrice] = LIST_PRICES) -> ModelPrice | None:
    """Return the price of a model id, dated or not; another version of the same family is another model."""
    return prices.get(model) or prices.get(_DATE_SUFFIX.sub("", model))


def cost_usd(
    model: str,
    *,
    input_tokens: int,
    output_tokens: int,
    cached_tokens: int = 0,
    cache_write_tokens: int = 0,
    prices: Mapping[str, ModelPrice] = LIST_PRICES,
) -> float:
    """Return what the tokens of one call cost in USD, or 0.0 when the price is unknown.

    `input_tokens` holds neither the tokens read from the cache nor those written to it, as the API reports them.
    """
    price = find_price(model, prices)
    if price is None:
        return 0.0
    prompt_tokens = input_tokens + cached_tokens + cache_write_tokens
    is_long = price.long_prompt_tokens is not None and prompt_tokens > price.long_prompt_tokens
    total = (
        input_tokens * price.input_usd
        + output_tokens * price.output_usd
        + cached_tokens * price.cache_read_usd
        + cache_write_tokens * price.cache_write_usd
    )
    return total * (price.long_prompt_factor if is_long else 1.0) / _TOKENS_PER_PRICE


def say_cost(cost_usd: float, tokens: int, model: str = "") -> str:
    """Return an amount, small ones with more digits; tokens that cost nothing are those of a model without a known price."""
    if tokens and not cost_usd and model != FREE_MODEL:
        return "price unknown"
    return f"${cost_usd:,.2f}" if cost_usd >= 1 or cost_usd == 0 else f"${cost_usd:.4f}"
