"""The kinds of tenant, the published figures of other systems, and what both cost a month."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.core.questions.prices import ModelPrice, cost_usd, find_price

DAYS_OF_MONTH = 365 / 12
MODELS = ("claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A tenant of 1,000 memories: how many have changed when it dreams, and how often it dreams."""

    name: str
    changed: int
    dreams_a_day: float

    @property
    def dreams_a_month(self) -> float:
        """Return the dreams of an average month."""
        return self.dreams_a_day * DAYS_OF_MONTH


KINDS = (
    Kind(name="quiet", changed=5, dreams_a_day=2 / 7),
    Kind(name="usual", changed=20, dreams_a_day=1),
    Kind(name="busy", changed=100, dreams_a_day=3),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of one dream, none of them read from a cache."""

    calls: float
    prompt: float
    output: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """The published figures of another system's dream. Missing figures count as nothing, so that its cost is at least this."""

    name: str
    tokens: Tokens
    about: str


PEERS = (
    Peer(
        name="ByteRover",
        tokens=Tokens(calls=0, prompt=90_000, output=0),
        about="measured over 1,000 memories (docs/benchmarks/dreams.md); its answers are not counted",
    ),
    Peer(
        name="khora, at its limit",
        tokens=Tokens(calls=0, prompt=200_000, output=0),
        about="its published limit of tokens a run, all of them taken for prompt",
    ),
    Peer(
        name="AutoGPT copilot, at its limit",
        tokens=Tokens(calls=3, prompt=0, output=4_096 + 16_384 + 16_384),
        about="the published output limits of its three phases; its prompts are not counted",
    ),
)


def cost_of_month(
    tokens: Tokens, dreams: float, model: str, prices: Mapping[str, ModelPrice], *, is_batched: bool
) -> float:
    """Return what a month of such dreams costs in USD. Raises KeyError for a model without a known price."""
    price = find_price(model, prices)
    if price is None:
        raise KeyError(model)
    one = cost_usd(model, input_tokens=round(tokens.prompt), output_tokens=round(tokens.output), prices=prices)
    return one * dreams * (price.batch_factor if is_batched else 1.0)
