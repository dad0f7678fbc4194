"""Arms: stores of a tenant that try other settings, what their dreams did, and when an arm is sent back.

An arm harms when more than half of its dreams lose more than the margin. Each dream is one yes or no, because the questions about one
dream stand or fall together. The test may look after every dream: it is a mixture of likelihood ratios, which under "at most half"
exceeds 1 / alpha at any time with a probability of alpha at most.

Sources: Ville 1939; Robbins, Statistical methods related to the law of the iterated logarithm, 1970 (the mixture); Johari, Pekelis and
Walsh, Always valid inference, 2015 (its use in trials that are watched).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import comb

from shared.core.evaluation.intervals import draw_means, middle_of
from shared.core.evaluation.verdict import Terms

#: The probability that an arm without harm is ever sent back.
ALPHA = 0.05
#: A dream that loses a larger share of its answers counts against its arm.
MARGIN = Terms().margin


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmStore:
    """A store of an arm, and its dreams since it was assigned.

    Attributes:
        arm: the arm's name; empty for the stores without one.
        dreams: whole dreams that ended, without dry runs.
        measured: those of them that asked about recall.
        fell: those that lost more than the margin.
        delta: the sum of their differences of recall (after less before, -1 to 1 each).
        operations: what these dreams changed or proposed.
        rejected: what of it people rejected.
    """

    arm: str
    store: str
    since: datetime | None
    dreams: int = 0
    measured: int = 0
    fell: int = 0
    delta: float = 0.0
    asked: int = 0
    before: int = 0
    after: int = 0
    cost_usd: float = 0.0
    operations: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSums:
    """An arm over all its stores; `mean` is the difference of recall of a dream, with a 95 % interval clustered by store."""

    arm: str
    stores: int
    dreams: int
    measured: int
    fell: int
    found_before: float | None
    found_after: float | None
    mean: float
    low: float
    high: float
    cost_usd: float
    rejected_share: float | None
    harms: bool


def sum_up_arms(rows: Sequence[ArmStore]) -> list[ArmSums]:
    """Return the arms by name, the stores without an arm first. Without a measured dream the interval says nothing: -1 to 1."""
    by_arm: dict[str, list[ArmStore]] = defaultdict(list)
    for row in rows:
        by_arm[row.arm].append(row)
    return [_sum_up(arm, by_arm[arm]) for arm in sorted(by_arm)]


def decide_harm(measured: int, fell: int) -> bool:
    """Tell whether an arm is sent back, after so many dreams that asked about recall, of which so many lost more than the margin."""
    return weigh(measured, fell) >= 1 / ALPHA


def weigh(measured: int, fell: int) -> Fraction:
    """Return how much likelier these dreams are if more than half fall (each share equally likely) than if half do."""
    term, ways = 1, 0
    for number in range(fell + 1):
        ways += term
        term = term * (measured + 1 - number) // (number + 1)
    return Fraction(ways, (measured + 1) * comb(measured, fell))


def _sum_up(arm: str, rows: Sequence[ArmStore]) -> ArmSums:
    measured, fell = sum(row.measured for row in rows), sum(row.fell for row in rows)
    asked = sum(row.asked for row in rows)
    operations = sum(row.operations for row in rows)
    clusters = [(row.delta, row.measured) for row in rows if row.measured]
    mean = sum(row.delta for row in rows) / measured if measured else 0.0
    low, high = middle_of(draw_means(clusters), mean) if clusters else (-1.0, 1.0)
    return ArmSums(
        arm=arm,
        stores=len(rows),
        dreams=sum(row.dreams for row in rows),
        measured=measured,
        fell=fell,
        found_before=sum(row.before for row in rows) / asked if asked else None,
        found_after=sum(row.after for row in rows) / asked if asked else None,
        mean=mean,
        low=low,
        high=high,
        cost_usd=sum(row.cost_usd for row in rows),
        rejected_share=sum(row.rejected for row in rows) / operations if operations else None,
        harms=bool(arm) and decide_harm(measured, fell),
    )
