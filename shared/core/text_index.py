"""BM25 over a store's texts, in memory: few are counted in Python, many are tantivy's. Both cut and rank alike."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from shared.core.few_texts import FewTexts
from shared.core.many_texts import ManyTexts
from shared.core.words import cut

#: Up to here Python has counted texts of 1 kB and answered for each before tantivy has (100: 15 ms against 18).
MOST_FEW = 100


def terms_of(words: Sequence[str]) -> list[str]:
    """Return the terms by which an index finds these words, sorted."""
    return sorted(set(cut(" ".join(words))))


def by_path(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what an index holds of (path, text) pairs: a memory is found by the words of its path, too."""
    return ((path, f"{path} {text}") for path, text in texts)


def counted_terms(text: str) -> Counter[str]:
    """Return the terms of a text as an index cuts it, with how often each occurs."""
    return Counter(cut(text))


class TextIndex:
    """Finds the texts that share words with a query, best first. Not for several threads at once."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Index (key, text) pairs; no key comes twice."""
        self._texts: FewTexts | ManyTexts = FewTexts(())
        self.update(texts)

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def replaced(self) -> int:
        """How many texts were taken out or replaced since the index was made: word counts may still hold them."""
        return self._texts.replaced if isinstance(self._texts, ManyTexts) else 0

    def update(self, texts: Iterable[tuple[str, str]]) -> None:
        """Make it the index of these (key, text) pairs; of many, what it holds already costs a comparison only."""
        pairs = iter(texts)
        if not isinstance(self._texts, ManyTexts):
            first = list(islice(pairs, MOST_FEW + 1))
            if len(first) <= MOST_FEW:
                self._texts = FewTexts(first)
                return
            self._texts = ManyTexts()
            pairs = chain(first, pairs)
        self._texts.update(pairs)

    def search(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that hold any of the words."""
        terms = terms_of(words)
        return self._texts.search(terms, limit) if terms and len(self) else []
