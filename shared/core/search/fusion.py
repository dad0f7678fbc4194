"""Combine rankings that were found in different ways.

Reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods", SIGIR 2009. Only ranks count, so scores of different kinds need not be comparable.
"""

from collections import defaultdict
from collections.abc import Sequence

#: The paper's constant: the first ranks weigh little more than the next ones.
_K = 60


def score_rankings(*rankings: Sequence[str]) -> list[tuple[str, float]]:
    """Return every key with its share of the highest possible score, best first; of equals, the key of the earlier ranking."""
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for place, key in enumerate(dict.fromkeys(ranking), start=1):
            scores[key] += 1 / (_K + place)
    most = len(rankings) / (_K + 1)
    return [(key, score / most) for key, score in sorted(scores.items(), key=lambda found: -found[1])]
