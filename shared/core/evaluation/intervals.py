"""Statistics of paired yes-or-no answers: an interval, an exact test, and what could have been seen.

Probes of one memory or session stand or fall together, so the interval draws clusters, not probes. Nothing here is random: the draws
come from a hash of a seed, so the same answers give the same interval everywhere.

Sources: cluster bootstrap, Cameron, Gelbach and Miller 2008; exact test, McNemar 1947 in its binomial form; Holm 1979.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb, sqrt

DRAWS = 4_000
_SEED = b"slowwave evaluate"
_BYTES = 4
_Z95, _Z80 = 1.96, 0.84


@dataclass(frozen=True, slots=True)
class Paired:
    """One probe, asked before and after: whether it was found, and what it was drawn from."""

    cluster: str
    before: bool
    after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean difference (after less before, -1 to 1) with its 95 % interval, and the exact test beside it.

    Attributes:
        n: the number of probes.
        gained: probes that were found only after.
        lost: probes that were found only before.
        p: the two-sided probability of so uneven a split of those that changed, if dreaming made no difference.
    """

    n: int
    mean: float
    low: float
    high: float
    gained: int
    lost: int
    p: float


def compare(rows: Sequence[Paired], draws: int = DRAWS) -> Interval:
    """Return the difference of paired answers; without any, an interval that says nothing: -1 to 1."""
    gained = sum(one.after and not one.before for one in rows)
    lost = sum(one.before and not one.after for one in rows)
    if not rows:
        return Interval(n=0, mean=0.0, low=-1.0, high=1.0, gained=0, lost=0, p=1.0)
    mean = (gained - lost) / len(rows)
    low, high = middle_of(draw_means(_clusters(rows), draws) if gained or lost else [0.0], mean)
    return Interval(n=len(rows), mean=mean, low=low, high=high, gained=gained, lost=lost, p=mcnemar(gained, lost))


def middle_of(means: Sequence[float], mean: float) -> tuple[float, float]:
    """Return the bounds of the middle 95 % of drawn means, and of the mean itself."""
    ordered = sorted(means)
    low, high = ordered[int(0.025 * (len(ordered) - 1))], ordered[round(0.975 * (len(ordered) - 1))]
    return min(low, mean), max(high, mean)


def _clusters(rows: Sequence[Paired]) -> list[tuple[float, int]]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in rows:
        sums[one.cluster][0] += one.after - one.before
        sums[one.cluster][1] += 1
    return [(total, size) for total, size in sums.values()]


def draw_means(clusters: Sequence[tuple[float, int]], draws: int = DRAWS) -> list[float]:
    """Return means of clusters drawn with replacement; each is a sum and the number of what was added up."""
    count = len(clusters)
    numbers = memoryview(hashlib.shake_256(_SEED).digest(draws * count * _BYTES)).cast("I")
    means = []
    for draw in range(draws):
        picked = [clusters[number * count >> 32] for number in numbers[draw * count : (draw + 1) * count]]
        means.append(sum(total for total, _ in picked) / sum(size for _, size in picked))
    return means


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided probability that of so many changes so few, or fewer, go the rarer way by chance."""
    changed = gained + lost
    if not changed:
        return 1.0
    fewer = sum(comb(changed, number) for number in range(min(gained, lost) + 1))
    return float(min(1.0, 2 * fewer / 2**changed))


def smallest_visible(rows: Sequence[Paired]) -> float:
    """Return the difference that so many probes, so clustered, would show in 80 of 100 evaluations (a mean, 0 to 1).

    It assumes that as many probes change as did, and one in twenty at least.
    """
    if not rows:
        return 1.0
    sizes: dict[str, int] = defaultdict(int)
    for one in rows:
        sizes[one.cluster] += 1
    changed = max(sum(one.before != one.after for one in rows) / len(rows), 0.05)
    effective = len(rows) ** 2 / sum(size * size for size in sizes.values())
    return min(1.0, (_Z95 + _Z80) * sqrt(changed / max(effective, 1.0)))


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """Return adjusted probabilities by name: each holds although several were tested."""
    ordered = sorted(values, key=lambda name: (values[name], name))
    raised = accumulate((min(1.0, values[name] * (len(ordered) - place)) for place, name in enumerate(ordered)), max)
    return dict(zip(ordered, raised, strict=True))
