"""An estimate of a dream counts tokens, knows prices, and expects only what earlier dreams were like."""

import pytest

from shared.core.questions.estimate import (
    CountedQuestions,
    DreamEstimate,
    PastCall,
    PhaseEstimate,
    estimate_dream_cost,
    estimate_phase,
)
from shared.core.questions.prices import ModelPrice

CHEAP = ModelPrice(input_usd=1, output_usd=5, cache_read_usd=0.1, cache_write_usd=1.25)
BANDED = ModelPrice(
    input_usd=1, output_usd=5, cache_read_usd=0.1, cache_write_usd=1.25, long_prompt_tokens=1_000, long_prompt_factor=5
)
DEAR = ModelPrice(input_usd=10, output_usd=50, cache_read_usd=1, cache_write_usd=12.5, batch_factor=0.25)
PRICES = {"cheap": CHEAP, "dear": DEAR}


def counted(*prompts: int, model: str = "cheap", better_model: str = "") -> CountedQuestions:
    return CountedQuestions(
        phase="merge", model=model, prompts=prompts, output_share=0.5, better_model=better_model, spared=2
    )


def past(key: str, prompt_tokens: int, output_tokens: int, phase: str = "merge") -> PastCall:
    return PastCall(phase=phase, key=key, prompt_tokens=prompt_tokens, output_tokens=output_tokens)


def priced(*phases: PhaseEstimate) -> DreamEstimate:
    return estimate_dream_cost(phases, {}, PRICES)


def test_without_earlier_answers_the_usual_share_of_the_prompt_is_expected() -> None:
    found = estimate_phase(counted(600, 400), [past("a", 9_000, 9_000, phase="another")])
    assert (found.prompt_tokens, found.answer_tokens, found.has_history) == (1_000, 500, False)


@pytest.mark.parametrize("again", ["api#1/repair1", "store/look"])
def test_earlier_answers_tell_how_long_the_next_ones_are_and_how_many_are_asked_for_again(again: str) -> None:
    history = [past("api#1", 2_000, 300), past("api#2", 2_000, 500), past(again, 1_000, 400)]
    found = estimate_phase(counted(600, 400), history)
    assert found.has_history
    assert found.output_tokens == 200
    assert (found.repairs.calls, found.repairs.prompt_tokens, found.repairs.output_tokens) == (0.25, 250, 100)
    assert (found.prompt_tokens, found.answer_tokens) == (1_250, 300)


def test_an_escalated_question_costs_the_better_models_price_and_only_where_it_is_set() -> None:
    history = [past("api#1", 1_000, 100), past("api#1~better", 500, 60)]
    with_better = estimate_phase(counted(1_000, better_model="dear"), history)
    found = priced(with_better)
    alone = 1_000 * 1e-6 + 100 * 5e-6
    assert found.configured.cost_usd == pytest.approx(alone + 500 * 10e-6 + 60 * 50e-6)
    assert found.models[0].cost_usd == pytest.approx(alone)
    assert estimate_phase(counted(1_000), history).again.calls == 0


def test_each_model_is_priced_for_all_phases_the_cheapest_first_at_once_and_in_a_batch() -> None:
    found = priced(estimate_phase(counted(1_000), []), estimate_phase(counted(3_000), []))
    assert [one.model for one in found.models] == ["cheap", "dear"]
    cheap, dear = found.models
    assert [cheap.cost_usd, cheap.batch_usd] == pytest.approx([0.014, 0.007])
    assert [dear.cost_usd, dear.batch_usd] == pytest.approx([0.14, 0.035])


def test_a_model_without_a_known_price_makes_no_sum_and_rules_cost_nothing() -> None:
    unknown = priced(estimate_phase(counted(1_000), []), estimate_phase(counted(1_000, model="mine"), []))
    assert (unknown.configured.model, unknown.configured.cost_usd) == ("cheap, mine", None)
    free = priced(estimate_phase(counted(1_000, model="offline"), []))
    assert (free.configured.cost_usd, free.configured.batch_usd) == (0.0, 0.0)
    assert free.models[0].cost_usd


def test_a_long_prompt_pays_its_own_price_and_the_others_do_not() -> None:
    prices = {"banded": BANDED}
    short = estimate_dream_cost([estimate_phase(counted(900, 900), [])], {}, prices).models[0].cost_usd
    long = estimate_dream_cost([estimate_phase(counted(900, 1_800), [])], {}, prices).models[0].cost_usd
    assert short is not None
    assert long == pytest.approx(short / 2 + 5 * short)


def test_a_dream_that_asks_nothing_costs_nothing() -> None:
    found = priced()
    assert (found.configured.cost_usd, found.models[0].cost_usd, found.models[1].batch_usd) == (0, 0, 0)
