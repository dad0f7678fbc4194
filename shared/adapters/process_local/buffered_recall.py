"""Accesses of memories buffered in the process and written every few seconds, so that reading costs no write.

The thread starts with the first access, so that a process without reads has none and a fork starts its own.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from threading import Event, Lock, Thread

from shared.counting import count
from shared.logger import get_logger
from shared.ports.database import Database

log = get_logger()
FLUSH_SECONDS = 3.0
#: About 2 MB. Memories beyond it are not counted until the next flush makes room.
MAX_MEMORIES = 10_000
#: Small batches with a pause in between: the database and concurrent reads share the processors with the counting.
_BATCH = 50
_PAUSE_SECONDS = 0.01


class BufferedRecall:
    """Implements `Recall`; any number of threads may note."""

    def __init__(self, db: Database, *, flush_seconds: float = FLUSH_SECONDS, max_memories: int = MAX_MEMORIES) -> None:
        """Write to this database at the given interval in seconds."""
        self._db = db
        self._flush_seconds = flush_seconds
        self._max_memories = max_memories
        self._lock, self._flushing = Lock(), Lock()
        self._noted: Counter[tuple[str, str]] = Counter()
        self._lost = 0
        self._is_closed = False
        self._wake = Event()
        self._thread: Thread | None = None

    def note(self, tenant_id: str, memory_ids: Sequence[str]) -> None:
        """Buffer reads of these memories."""
        if not memory_ids:
            return
        with self._lock:
            if self._is_closed:
                return
            self._add(Counter(dict.fromkeys(((tenant_id, one) for one in memory_ids), 1)))
            if self._thread is None:
                self._thread = Thread(target=self._run, name="recall", daemon=True)
                self._thread.start()
            if 2 * len(self._noted) > self._max_memories:
                self._wake.set()

    def flush(self) -> None:
        """Write everything; wait for rows that are locked, one at a time."""
        self._flush()
        self._flush(wait=True)

    def close(self) -> None:
        """Flush and stop."""
        with self._lock:
            self._is_closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()
        with self._lock:
            lost, self._noted = self._noted.total(), Counter()
        if lost:
            log.warning("accesses lost: the database did not take them", accesses=lost)
            count("slowwave_recalls_total", lost, outcome="lost")

    def _run(self) -> None:
        while not self._is_closed:
            self._wake.wait(self._flush_seconds)
            self._wake.clear()
            if not self._is_closed:
                self._flush()

    def _flush(self, *, wait: bool = False) -> None:
        with self._flushing:
            with self._lock:
                taken, self._noted = self._noted, Counter()
                lost, self._lost = self._lost, 0
            before = taken.total()
            try:
                for tenant_id, times in _batches(taken, 1 if wait else _BATCH):
                    with self._db.transaction(tenant_id) as uow:
                        held = set(uow.recalls.record(times, wait=wait))
                    for memory_id in times.keys() - held:
                        del taken[tenant_id, memory_id]
                    if not self._is_closed:
                        time.sleep(_PAUSE_SECONDS)
            except Exception as error:  # noqa: BLE001 - a read that was answered must not fail for being counted
                log.warning("accesses wait for the next flush", accesses=taken.total(), error=type(error).__name__)
            written = before - taken.total()
            with self._lock:
                self._add(taken)
            for amount, outcome in ((written, "counted"), (lost, "lost")):
                if amount:
                    count("slowwave_recalls_total", amount, outcome=outcome)

    def _add(self, times: Mapping[tuple[str, str], int]) -> None:
        for key, amount in times.items():
            if key in self._noted or len(self._noted) < self._max_memories:
                self._noted[key] += amount
            else:
                self._lost += amount


def _batches(noted: Mapping[tuple[str, str], int], size: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield (tenant, times by memory id) in the order of ids, so that concurrent flushes lock in the same order."""
    tenants: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (tenant_id, memory_id), times in sorted(noted.items()):
        tenants[tenant_id][memory_id] = times
    for tenant_id, of_tenant in tenants.items():
        ids = list(of_tenant)
        for start in range(0, len(ids), size):
            yield tenant_id, {memory_id: of_tenant[memory_id] for memory_id in ids[start : start + size]}
