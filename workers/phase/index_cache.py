"""Indexes of large stores' texts that this process keeps between phases, so that a dream indexes a store once.

Whoever asks says what the texts are, and the index is made to hold exactly these: it may be late, never wrong. While it
is lent nobody else has it; a second thread that asks for the same store gets one of its own.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock

from shared.core.text.bm25 import TextIndex

#: A smaller index is made anew as quickly as it is compared, and then its word counts hold nothing of earlier texts.
LEAST_TEXTS = 1_000
#: Over all kept indexes; about 0.6 kB each. The stores that were asked longest ago are let go beyond it.
MAX_TEXTS = 50_000
#: An index of which a larger share was replaced is made anew: its word counts still hold what is gone.
_MAX_REPLACED = 0.05


class IndexCache:
    """At most one index for each store, the ones that were used last."""

    def __init__(self, *, least_texts: int = LEAST_TEXTS, max_texts: int = MAX_TEXTS) -> None:
        """Keep indexes of at least `least_texts` texts, together at most `max_texts`."""
        self._least_texts, self._max_texts = least_texts, max_texts
        self._lock = Lock()
        self._kept: OrderedDict[str, TextIndex] = OrderedDict()

    def __contains__(self, store_id: object) -> bool:
        return store_id in self._kept

    @contextmanager
    def borrow(self, store_id: str, texts: Iterable[tuple[str, str]]) -> Iterator[TextIndex]:
        """Lend the index of exactly these (key, text) pairs; it must not be used after the block."""
        with self._lock:
            index = self._kept.pop(store_id, None) or TextIndex()
        index.update(texts)
        yield index
        if len(index) >= self._least_texts and index.replaced <= _MAX_REPLACED * len(index):
            self._keep(store_id, index)

    def _keep(self, store_id: str, index: TextIndex) -> None:
        with self._lock:
            self._kept[store_id] = index
            self._kept.move_to_end(store_id)
            while sum(map(len, self._kept.values())) > self._max_texts:
                self._kept.popitem(last=False)


INDEX_CACHE = IndexCache()
