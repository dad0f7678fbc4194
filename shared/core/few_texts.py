"""BM25 over few texts, counted in Python: done before an index for many of them would have started its writer.

The formula is Lucene's and tantivy's, k1 1.2 and b 0.75, with a text's true length where they keep a rounded one.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from shared.core.words import cut

_K1 = 1.2
_B = 0.75


class FewTexts:
    """Finds the texts that share terms with a query, best first."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        """Count (key, text) pairs; no key comes twice."""
        self._keys = [key for key, _ in texts]
        counted = [Counter(cut(text)) for _, text in texts]
        sizes = [terms.total() for terms in counted]
        mean_size = sum(sizes) / len(sizes) if any(sizes) else 1.0
        self._norms = [_K1 * (1 - _B + _B * size / mean_size) for size in sizes]
        self._holding: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, terms in enumerate(counted):
            for term, times in terms.items():
                self._holding[term].append((number, times))

    def __len__(self) -> int:
        return len(self._keys)

    def search(self, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that hold any of the different terms."""
        scores: defaultdict[int, float] = defaultdict(float)
        texts, norms = len(self._keys), self._norms
        for holding in filter(None, map(self._holding.get, terms)):
            weight = (_K1 + 1) * math.log(1 + (texts - len(holding) + 0.5) / (len(holding) + 0.5))
            for number, times in holding:
                scores[number] += weight * times / (times + norms[number])
        best = sorted(scores.items(), key=lambda found: (-found[1], found[0]))[:limit]
        return [(self._keys[number], score) for number, score in best]
