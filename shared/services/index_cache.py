"""Cache of the text indexes of large stores, so that the phases of a dream, and questions in a row, index a store once.

The caller passes the store's texts, and the index is updated to contain exactly these, so it is never stale. A borrowed index
is used by one thread only; a second thread that borrows the same store's index gets another one.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock

from shared.core.search.bm25 import TextIndex, with_path

#: A smaller index is rebuilt as quickly as it is compared, and its word counts then hold nothing of earlier texts.
LEAST_TEXTS = 1_000
#: Over all cached indexes, at about 0.6 kB a text. Beyond it the least recently used stores are evicted.
MAX_TEXTS = 50_000
#: An index of which a larger share was replaced is rebuilt, because its word counts still hold the old texts.
_MAX_REPLACED = 0.05


class IndexCache:
    """The most recently used indexes, at most one for each store."""

    def __init__(self, *, least_texts: int = LEAST_TEXTS, max_texts: int = MAX_TEXTS) -> None:
        """Cache indexes of at least `least_texts` texts, together at most `max_texts`."""
        self._least_texts, self._max_texts = least_texts, max_texts
        self._lock = Lock()
        self._kept: OrderedDict[str, TextIndex] = OrderedDict()

    def __contains__(self, store_id: object) -> bool:
        return store_id in self._kept

    @contextmanager
    def borrow(self, store_id: str, texts: Iterable[tuple[str, str]]) -> Iterator[TextIndex]:
        """Yield an index of exactly these (path, text) pairs, by their words and their paths'; it must not be used after the block."""
        with self._lock:
            index = self._kept.pop(store_id, None) or TextIndex()
        index.update(texts, with_path)
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
