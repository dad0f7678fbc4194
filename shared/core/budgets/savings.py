"""Savings by the prompt cache, by Message Batches, and by questions that the change gate skipped.

Each is the difference between the recorded cost and the cost without that feature, at current list prices.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.core.questions.prices import ModelPrice, find_price

_TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSums:
    """The calls of one model, in batches or not: what they read from the prompt cache, wrote to it, and neither, and their cost."""

    model: str
    is_batched: bool
    input_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SparedQuestions:
    """The questions of a phase that needed no call, and those calls that it made: their number and cost."""

    phase: str
    spared: int
    calls: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Savings:
    """Dollars saved.

    Attributes:
        cache_usd: for tokens from the cache, less what writing them to it cost; below 0 where more was written than read.
        cached_tokens: those that came from the cache.
        prompt_tokens: those of all prompts, from the cache or not.
        batch_usd: for calls in Message Batches.
        spared_usd: for questions that the change gate spared, at the mean cost of a call of their phase.
        spared: their number.
    """

    cache_usd: float
    cached_tokens: int
    prompt_tokens: int
    batch_usd: float
    spared_usd: float
    spared: int

    @property
    def cached_share(self) -> float:
        """Return the share of the prompts that was read from the cache, from 0 to 1."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0

    @property
    def total_usd(self) -> float:
        """Return the sum."""
        return self.cache_usd + self.batch_usd + self.spared_usd


def sum_savings(
    sums: Sequence[TokenSums], spared: Sequence[SparedQuestions], prices: Mapping[str, ModelPrice]
) -> Savings:
    """Return what was saved. A model without a known price, and a phase without a call, saves 0."""
    return Savings(
        cache_usd=sum(_of_cache(one, find_price(one.model, prices)) for one in sums),
        cached_tokens=sum(one.cached_tokens for one in sums),
        prompt_tokens=sum(one.input_tokens + one.cached_tokens + one.cache_write_tokens for one in sums),
        batch_usd=sum(_of_batches(one, find_price(one.model, prices)) for one in sums),
        spared_usd=sum(one.spared * one.cost_usd / one.calls for one in spared if one.calls),
        spared=sum(one.spared for one in spared),
    )


def _of_cache(one: TokenSums, price: ModelPrice | None) -> float:
    if price is None:
        return 0.0
    read = one.cached_tokens * (price.input_usd - price.cache_read_usd)
    written = one.cache_write_tokens * (price.cache_write_usd - price.input_usd)
    return (read - written) / _TOKENS_PER_PRICE * (price.batch_factor if one.is_batched else 1.0)


def _of_batches(one: TokenSums, price: ModelPrice | None) -> float:
    if price is None or not one.is_batched or not price.batch_factor:
        return 0.0
    return one.cost_usd / price.batch_factor - one.cost_usd
