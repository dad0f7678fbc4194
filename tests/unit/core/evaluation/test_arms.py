"""Arms: a harmful one is sent back soon, an honest one hardly ever, however often one looks."""

import random

import pytest

from shared.core.evaluation.arms import ALPHA, MARGIN, ArmStore, decide_harm, sum_up_arms, weigh

_RUNS, _DREAMS, _ASKED = 1_000, 200, 200


def _ends_after(chance: random.Random, share_of_falls: float) -> int | None:
    """Return after how many dreams an arm is sent back. What a dream loses, it loses in lumps: answers of one memory go together."""
    fell = 0
    for dream in range(1, _DREAMS + 1):
        lumps = chance.randint(1, 4) if chance.random() < share_of_falls else 0
        delta = -8 * lumps / _ASKED
        fell += delta < -MARGIN
        if decide_harm(dream, fell):
            return dream
    return None


@pytest.mark.parametrize("share_of_falls", [0.1, 0.5])
def test_an_arm_of_which_at_most_half_of_the_dreams_lose_is_hardly_ever_sent_back(share_of_falls: float) -> None:
    chance = random.Random(20261129)
    ended = [_ends_after(chance, share_of_falls) for _ in range(_RUNS)]
    assert sum(one is not None for one in ended) < ALPHA * _RUNS


def test_an_arm_that_mostly_loses_is_sent_back_within_few_dreams() -> None:
    chance = random.Random(20261129)
    ended = sorted(one for _ in range(_RUNS) if (one := _ends_after(chance, 0.9)) is not None)
    assert len(ended) == _RUNS
    assert ended[_RUNS // 2] <= 12


def test_seven_dreams_that_all_lose_are_enough_and_six_are_not() -> None:
    assert (decide_harm(6, 6), decide_harm(7, 7)) == (False, True)


def test_what_is_weighed_is_the_mean_likelihood_of_all_shares_above_a_half() -> None:
    shares = [0.5 + (number + 0.5) / 20_000 for number in range(10_000)]
    likely = sum((2 * share) ** 8 * (2 - 2 * share) ** 3 for share in shares) / len(shares)
    assert float(weigh(11, 8)) == pytest.approx(likely, rel=1e-5)


def test_an_arm_is_summed_up_over_its_stores_and_its_interval_is_as_wide_as_they_differ() -> None:
    def row(store: str, delta: float) -> ArmStore:
        return ArmStore(
            arm="trial", store=store, since=None, dreams=5, measured=4, delta=delta, asked=100, before=90, after=80,
            cost_usd=0.5, operations=10, rejected=1,
        )  # fmt: skip

    same, apart = (sum_up_arms([row("a", one), row("b", other)])[0] for one, other in ((-0.4, -0.4), (-0.8, 0.0)))
    assert (same.stores, same.dreams, same.cost_usd, same.rejected_share) == (2, 10, 1.0, 0.1)
    assert same.mean == same.low == same.high == pytest.approx(-0.1)
    assert apart.low < apart.mean < apart.high
    assert (same.found_before, same.found_after) == (0.9, 0.8)


def test_stores_without_an_arm_are_shown_and_never_harm() -> None:
    usual = ArmStore(
        arm="", store="a", since=None, dreams=9, measured=9, fell=9, delta=-1.0, asked=90, before=90, after=0
    )
    assert [(one.arm, one.harms) for one in sum_up_arms([usual])] == [("", False)]
