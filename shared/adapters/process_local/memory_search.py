"""Search in indexes that a process caches for the stores it searched last.

Each search first asks the database for changes since the index was updated, which is one index look-up when there are
none. So a search sees every earlier commit, and costs what changed, not the size of the store. Indexes are cached by
store id, which no two tenants share, and reached only through a transaction of the tenant.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock

from shared.adapters.process_local.store_index import StoreIndex
from shared.ports.database import UnitOfWork
from shared.ports.memories import Found, MemoryCatalogRepository

#: Memories over all cached indexes, about 1 kB each. Beyond it, the least recently used stores are evicted.
MAX_CACHED_MEMORIES = 200_000


class _CachedIndex:
    def __init__(self) -> None:
        self.lock = Lock()
        self.index = StoreIndex()


class IndexedMemorySearch:
    """Implements `MemorySearch`; any number of threads may ask."""

    def __init__(self, max_cached_memories: int = MAX_CACHED_MEMORIES) -> None:
        """Cache indexes of at most this many memories."""
        self._lock = Lock()
        self._cached: OrderedDict[str, _CachedIndex] = OrderedDict()
        self._max_cached = max_cached_memories

    def find(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories that hold any of the words, best first."""
        return self._find(uow, store_id, lambda index: index.find(words, limit))

    def find_alike(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories with a word that is spelled or begins like any of the words, best first."""
        return self._find(uow, store_id, lambda index: index.find_alike(words, limit))

    def _find(
        self, uow: UnitOfWork, store_id: str, ask: Callable[[StoreIndex], list[tuple[str, float]]]
    ) -> list[Found]:
        catalog = uow.catalog(store_id)
        cached = self._get(store_id)
        _update(cached, catalog)
        with cached.lock:
            hits = ask(cached.index)
        found = catalog.find_hits([memory_id for memory_id, _ in hits]) if hits else {}
        while gone := [memory_id for memory_id, _ in hits if memory_id not in found]:
            with cached.lock:
                cached.index.remove(gone)
                hits = ask(cached.index)
            found = catalog.find_hits([memory_id for memory_id, _ in hits])
        self._evict()
        return [replace(found[memory_id], bm25=score) for memory_id, score in hits]

    def _get(self, store_id: str) -> _CachedIndex:
        with self._lock:
            cached = self._cached.get(store_id)
            if cached is None:  # a new index costs as much as a search
                cached = self._cached[store_id] = _CachedIndex()
            self._cached.move_to_end(store_id)
            return cached

    def _evict(self) -> None:
        with self._lock:
            while (
                len(self._cached) > 1 and sum(len(cached.index) for cached in self._cached.values()) > self._max_cached
            ):
                self._cached.popitem(last=False)


def _update(cached: _CachedIndex, catalog: MemoryCatalogRepository) -> None:
    """Bring an index up to date; without changes since its mark, no lock is taken.

    Marks only grow, so a smaller mark means a restored database, and the index is rebuilt. An update by another thread
    makes the index newer than this transaction's snapshot, never older: updates with changes take a lock.
    """
    mark = cached.index.mark
    changed = catalog.find_changed(mark) if mark is not None else None
    if changed is None or changed.texts or changed.gone or (mark is not None and changed.mark < mark):
        with cached.lock:
            news = catalog.find_changed(cached.index.mark)
            if cached.index.mark is not None and news.mark < cached.index.mark:
                cached.index, news = StoreIndex(), catalog.find_changed(None)
            cached.index.update(news)
