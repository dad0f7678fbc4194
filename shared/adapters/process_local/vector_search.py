"""Search in tables of vectors that a process caches for the stores it searched last.

Each search first asks the database for vectors that were written since the table was updated, and at its end whether those
that it found are still kept: a vector goes with its text. Tables are cached by store id, which no two tenants share, and
reached only through a transaction of the tenant.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from shared.adapters.process_local.vector_table import VectorTable, make_table
from shared.ports.database import UnitOfWork
from shared.ports.embedder import Vector, VectorRepository

#: Vectors over all cached tables, 1.5 kB each. Beyond it, the least recently used stores are evicted.
MAX_CACHED_VECTORS = 50_000

_Key = tuple[str, str]  # store id, model


class _CachedTable:
    def __init__(self) -> None:
        self.lock = Lock()
        self.mark: int | None = None
        self.table: VectorTable | None = None

    def __len__(self) -> int:
        return len(self.table) if self.table is not None else 0

    def update(self, vectors: VectorRepository, model: str) -> None:
        """Add what was written since the mark; a smaller mark means a restored database, and the table is rebuilt."""
        news = vectors.find_written(model, self.mark)
        if self.mark is not None and news.mark < self.mark:
            self.table, news = None, vectors.find_written(model, None)
        for memory_id, vector in news.vectors.items():
            if self.table is None:
                self.table = make_table(len(vector))
            self.table.put(memory_id, vector)
        self.mark = news.mark


class CachedVectorSearch:
    """Implements `VectorSearch`; any number of threads may ask."""

    def __init__(self, max_cached_vectors: int = MAX_CACHED_VECTORS) -> None:
        """Cache tables of at most this many vectors."""
        self._lock = Lock()
        self._cached: OrderedDict[_Key, _CachedTable] = OrderedDict()
        self._max_cached = max_cached_vectors

    def find_near(self, uow: UnitOfWork, store_id: str, model: str, vector: Vector, limit: int) -> list[str]:
        """Return the ids of memories near to a vector, nearest first."""
        cached, vectors = self._get(store_id, model), uow.vectors(store_id)
        with cached.lock:
            cached.update(vectors, model)
            found = _find_kept(cached.table, vectors, model, lambda table: {"": table.nearest(vector, limit)})
        self._evict()
        return found.get("", [])

    def find_alike(
        self, uow: UnitOfWork, store_id: str, model: str, ids: Sequence[str], limit: int
    ) -> dict[str, list[str]]:
        """Return by id the memories near to each of these, nearest first; one without a vector is left out."""
        cached, vectors = self._get(store_id, model), uow.vectors(store_id)
        with cached.lock:
            cached.update(vectors, model)
            few = ids[: cached.table.most_asked] if cached.table is not None else ()
            kept = vectors.find_kept(model, few)
            asked = [memory_id for memory_id in few if memory_id in kept]
            found = _find_kept(
                cached.table, vectors, model, lambda table: {one: table.nearest_to(one, limit) for one in asked}
            )
        self._evict()
        return found

    def _get(self, store_id: str, model: str) -> _CachedTable:
        with self._lock:
            cached = self._cached.setdefault((store_id, model), _CachedTable())
            self._cached.move_to_end((store_id, model))
            return cached

    def _evict(self) -> None:
        with self._lock:
            while len(self._cached) > 1 and sum(map(len, self._cached.values())) > self._max_cached:
                self._cached.popitem(last=False)


def _find_kept(
    table: VectorTable | None,
    vectors: VectorRepository,
    model: str,
    search: Callable[[VectorTable], dict[str, list[str]]],
) -> dict[str, list[str]]:
    """Search, and repeat without deleted vectors until every hit still exists."""
    if table is None:
        return {}
    while True:
        found = search(table)
        named = {memory_id for ids in found.values() for memory_id in ids}
        gone = named - vectors.find_kept(model, named) if named else set()
        if not gone:
            return found
        for memory_id in gone:
            table.drop(memory_id)
