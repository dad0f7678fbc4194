"""Estimate the cost of a dream with any model, from the prompts that it would send and the length of earlier answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shared.core.questions.escalation import is_escalated, is_exam, is_repair
from shared.core.questions.prices import FREE_MODEL, ModelPrice, cost_usd, find_price


class AskedAs(StrEnum):
    """The purpose of a call."""

    FIRST = "first"  # the question
    REPAIR = "repair"  # again, after a look
    BETTER = "better"  # again, to the better model


@dataclass(frozen=True, slots=True, kw_only=True)
class PastCall:
    """An answered call of one of a store's last dreams."""

    phase: str
    key: str  # of the question
    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Expected calls that depend on answers, so they can only be estimated from earlier dreams."""

    calls: float = 0.0
    prompt_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEstimate:
    """The questions that a phase would ask.

    Attributes:
        phase: its name.
        model: the model that the settings choose for it.
        better_model: the model that is asked again if an answer is in doubt; empty if there is none.
        prompts: the prompt tokens of each question.
        spared: the number of unchanged questions, which are not asked.
        output_tokens: the expected output tokens of all answers.
        repairs: the expected repairs.
        again: the expected questions to the better model.
        has_history: whether the length of answers is known from this store; otherwise the usual share is used.
    """

    phase: str
    model: str
    prompts: tuple[int, ...]
    better_model: str = ""
    spared: int = 0
    output_tokens: int = 0
    repairs: Expected = Expected()
    again: Expected = Expected()
    has_history: bool = False

    @property
    def prompt_tokens(self) -> int:
        """Return the prompt tokens of the questions and of the expected repairs, without the better model's."""
        return sum(self.prompts) + self.repairs.prompt_tokens

    @property
    def answer_tokens(self) -> int:
        """Return the expected output tokens of the same calls."""
        return self.output_tokens + self.repairs.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """The cost of a dream with one choice of models; None if a price is not known."""

    model: str
    cost_usd: float | None
    batch_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamEstimate:
    """The questions that a dream over a store would ask, and their cost: as configured, and with each priced model alone."""

    phases: tuple[PhaseEstimate, ...]
    idle: Mapping[str, str]  # the reasons why the other phases would ask no questions
    configured: ModelCost
    models: tuple[ModelCost, ...]  # the cheapest first


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedQuestions:
    """The questions of a phase: the models that they go to, and the tokens of each prompt.

    `output_share` is the usual number of output tokens for each prompt token, for a store that has no answers yet.
    """

    phase: str
    model: str
    prompts: tuple[int, ...]
    output_share: float
    better_model: str = ""
    spared: int = 0


def estimate_phase(counted: CountedQuestions, past: Iterable[PastCall]) -> PhaseEstimate:
    """Estimate a phase with these questions, from the history of its calls."""
    sums = _sum_up(one for one in past if one.phase == counted.phase and not is_exam(one.key))
    total, first = sum(counted.prompts), sums[AskedAs.FIRST]
    share = total / first.prompt_tokens if first.prompt_tokens else 0.0
    return PhaseEstimate(
        phase=counted.phase,
        model=counted.model,
        better_model=counted.better_model,
        prompts=counted.prompts,
        spared=counted.spared,
        output_tokens=round(first.output_tokens * share if share else total * counted.output_share),
        repairs=_scale(sums[AskedAs.REPAIR], share),
        again=_scale(sums[AskedAs.BETTER], share) if counted.better_model else Expected(),
        has_history=share > 0,
    )


def estimate_dream_cost(
    phases: Sequence[PhaseEstimate], idle: Mapping[str, str], prices: Mapping[str, ModelPrice]
) -> DreamEstimate:
    """Estimate a dream and its costs."""
    each = [_cost_with(model, phases, prices) for model in prices]
    return DreamEstimate(
        phases=tuple(phases),
        idle=idle,
        configured=_cost_as_configured(phases, prices),
        models=tuple(sorted(each, key=lambda one: (one.cost_usd or 0.0, one.model))),
    )


def _sum_up(past: Iterable[PastCall]) -> dict[AskedAs, Expected]:
    sums = dict.fromkeys(AskedAs, Expected())
    for one in past:
        asked_as = _asked_as(one.key)
        before = sums[asked_as]
        sums[asked_as] = Expected(
            calls=before.calls + 1,
            prompt_tokens=before.prompt_tokens + one.prompt_tokens,
            output_tokens=before.output_tokens + one.output_tokens,
        )
    return sums


def _asked_as(key: str) -> AskedAs:
    if is_escalated(key):
        return AskedAs.BETTER
    return AskedAs.REPAIR if is_repair(key) else AskedAs.FIRST


def _scale(past: Expected, share: float) -> Expected:
    return Expected(
        calls=past.calls * share,
        prompt_tokens=round(past.prompt_tokens * share),
        output_tokens=round(past.output_tokens * share),
    )


def _cost_as_configured(phases: Sequence[PhaseEstimate], prices: Mapping[str, ModelPrice]) -> ModelCost:
    """Return the cost with the model of each phase, and with its better model."""
    parts = [_cost_of_phase(one, one.model, prices) for one in phases]
    parts += [_cost_of_calls(one.again, one.better_model, prices) for one in phases if one.better_model]
    names = dict.fromkeys(name for one in phases for name in (one.model, one.better_model) if name)
    return _sum(", ".join(names), parts)


def _cost_with(model: str, phases: Sequence[PhaseEstimate], prices: Mapping[str, ModelPrice]) -> ModelCost:
    return _sum(model, [_cost_of_phase(one, model, prices) for one in phases])


def _sum(name: str, parts: Sequence[ModelCost]) -> ModelCost:
    at_once, in_batch = [one.cost_usd for one in parts], [one.batch_usd for one in parts]
    return ModelCost(
        model=name,
        cost_usd=None if None in at_once else sum(filter(None, at_once)),
        batch_usd=None if None in in_batch else sum(filter(None, in_batch)),
    )


def _cost_of_phase(phase: PhaseEstimate, model: str, prices: Mapping[str, ModelPrice]) -> ModelCost:
    """Return the cost of a phase, summed by question: a long prompt may have a higher price."""
    total = sum(phase.prompts) or 1
    asked = [
        Expected(calls=1, prompt_tokens=prompt, output_tokens=round(phase.output_tokens * prompt / total))
        for prompt in phase.prompts
    ]
    return _sum(model, [_cost_of_calls(one, model, prices) for one in (*asked, phase.repairs)])


def _cost_of_calls(asked: Expected, model: str, prices: Mapping[str, ModelPrice]) -> ModelCost:
    price = find_price(model, prices)
    if model == FREE_MODEL or not asked.calls:
        return ModelCost(model=model, cost_usd=0.0, batch_usd=0.0)
    if price is None:
        return ModelCost(model=model, cost_usd=None, batch_usd=None)
    cost = cost_usd(model, input_tokens=asked.prompt_tokens, output_tokens=asked.output_tokens, prices=prices)
    return ModelCost(model=model, cost_usd=cost, batch_usd=cost * price.batch_factor)
