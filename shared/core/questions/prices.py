"""The price of a call, by the list prices that `shared/prices/price_list.py` reads.

A model without a known price costs 0.0, which does not mean free: `find_price` tells the two apart, and `say_cost` shows the difference.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

_TOKENS_PER_PRICE = 1_000_000
#: Ids of Bedrock: `anthropic.claude-…-v1:0`, after a region in inference profiles, and after an ARN.
_BEDROCK_ID = re.compile(r"(?:arn:[^/]*/)?(?:(?P<place>[a-z-]{2,8})\.)?anthropic\.(?P<name>[^:]+?)(?:-v\d+)?(?::\d+)?")
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
    batch_factor: float = 0.5  # what a call in a Message Batch costs, as a share
    regional_factor: float = 1.0  # the price factor of a cloud's regional endpoint


VERTEX = "vertex"
#: The name of the rules that answer without a model: their tokens are estimated, and cost nothing.
FREE_MODEL = "offline"


def find_price(model: str, prices: Mapping[str, ModelPrice]) -> ModelPrice | None:
    """Return the price of a model id, dated or not; another version of the same family is another model.

    On Bedrock and Vertex a model has the same price under the cloud's id. An id of Bedrock that does not begin with
    `global.` is regional, and costs more if its price has a surcharge. On Vertex the region is in the address, not in
    the id: see `price_provider`.
    """
    listed = prices.get(model)
    if listed is not None:
        return listed
    found = prices.get(plain_model(model))
    of_bedrock = _BEDROCK_ID.fullmatch(model)
    if found is None or of_bedrock is None or of_bedrock["place"] == "global":
        return found
    return _raise_price(found, found.regional_factor)


def _raise_price(price: ModelPrice, factor: float) -> ModelPrice:
    return replace(
        price,
        input_usd=price.input_usd * factor,
        output_usd=price.output_usd * factor,
        cache_read_usd=price.cache_read_usd * factor,
        cache_write_usd=price.cache_write_usd * factor,
    )


def price_provider(prices: Mapping[str, ModelPrice], adapter: str, region: str) -> Mapping[str, ModelPrice]:
    """Return the prices of a provider: on Vertex, an endpoint of one region or continent costs more than `global`."""
    if adapter != VERTEX or region in {"", "global"}:
        return prices
    return {model: _raise_price(price, price.regional_factor) for model, price in prices.items()}


def plain_model(model: str) -> str:
    """Return the id that Anthropic gives a model, without its date, for the ids of its own API, Bedrock and Vertex."""
    of_bedrock = _BEDROCK_ID.fullmatch(model)
    return _DATE_SUFFIX.sub("", of_bedrock["name"] if of_bedrock is not None else model)


def cost_usd(
    model: str,
    *,
    input_tokens: int,
    output_tokens: int,
    cached_tokens: int = 0,
    cache_write_tokens: int = 0,
    prices: Mapping[str, ModelPrice],
) -> float:
    """Return what the tokens of one call cost in USD, or 0.0 when the price is unknown.

    As the API reports them, `input_tokens` excludes tokens read from the cache and tokens written to it.
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


def highest_cost_usd(price: ModelPrice, *, prompt_tokens: int, answer_tokens: int) -> float:
    """Return the maximum cost of a call: no cached prompt tokens, and the longest allowed answer."""
    is_long = price.long_prompt_tokens is not None and prompt_tokens > price.long_prompt_tokens
    total = prompt_tokens * max(price.input_usd, price.cache_write_usd) + answer_tokens * price.output_usd
    return total * (price.long_prompt_factor if is_long else 1.0) / _TOKENS_PER_PRICE


def say_cost(cost_usd: float, tokens: int, model: str = "") -> str:
    """Format an amount, small ones with more digits; tokens without a cost are shown as "price unknown"."""
    if tokens and not cost_usd and model != FREE_MODEL:
        return "price unknown"
    return say_usd(cost_usd)


def say_usd(usd: float) -> str:
    """Format an amount in dollars, small ones with more digits."""
    return f"${usd:,.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"


def say_reused(answers: int, saved_usd: float) -> str:
    """Return how many answers were not bought again, as the rest of a sentence; empty for none."""
    said = "1 answer was reused" if answers == 1 else f"{answers:,} answers were reused"
    return f"; {said}, {say_usd(saved_usd)} not spent" if answers else ""
