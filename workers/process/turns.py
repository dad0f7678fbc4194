"""Take turns at the processor: few phases of a process compute at a time, and those that wait for a model do not count.

The interpreter runs one thread at a time. If a hundred dreams begin together on a hundred threads, each is slow to reach its first
question, all reach it at about the same moment, and then the processor is idle until their answers arrive together. With turns
the first dreams wait for their model while the others compute. Dreams nearest to their end go first.

A turn orders work and protects nothing: a phase that has waited `patience_seconds` for its turn continues without it, so
a phase that is stuck delays the others of its process by no more than that.
"""

import heapq
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: One phase computes; the other fills the gaps in which the first one waits for the database.
_WIDTH = 2
_PATIENCE_SECONDS = 10.0
#: The rank of work that ends a dream, or has waited for its model already.
FIRST = 0
#: The rank of work that begins a dream; a dream has fewer phases.
LAST = 1_000


class Turns:
    """The turns of one process. Use `take` around all work of a task, and `give_up` inside it around waiting."""

    def __init__(self, width: int = _WIDTH, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._patience_seconds = patience_seconds
        self._free = width
        self._waiting: list[tuple[int, int, threading.Event]] = []
        self._arrivals = itertools.count()
        self._lock = threading.Lock()
        self._holders: set[int] = set()

    @property
    def waiting(self) -> int:
        """Return the number of threads that wait for a turn."""
        with self._lock:
            return len(self._waiting)

    @contextmanager
    def take(self, rank: int) -> Iterator[None]:
        """Hold a turn for the length of the block; wait for it first. The lowest rank goes first, then the one that came first."""
        if threading.get_ident() in self._holders:  # a task that runs inside another one
            yield
            return
        try:
            self._acquire(rank)
            yield
        finally:
            self._release()

    @contextmanager
    def give_up(self) -> Iterator[None]:
        """Let others compute for the length of the block, then wait for a turn. Does nothing in a thread that has no turn."""
        had_turn = self._release()
        try:
            yield
        finally:
            if had_turn:
                self._acquire(FIRST)

    def _acquire(self, rank: int) -> None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
                self._holders.add(threading.get_ident())
                return
            granted = threading.Event()
            waiter = (rank, next(self._arrivals), granted)
            heapq.heappush(self._waiting, waiter)
        try:
            granted.wait(self._patience_seconds)
        finally:  # a time limit of Celery may end the waiting
            with self._lock:
                if granted.is_set():
                    self._holders.add(threading.get_ident())
                else:
                    self._waiting.remove(waiter)
                    heapq.heapify(self._waiting)

    def _release(self) -> bool:
        """Pass this thread's turn on; return whether it had one."""
        with self._lock:
            if threading.get_ident() not in self._holders:
                return False
            self._holders.discard(threading.get_ident())
            if self._waiting:
                heapq.heappop(self._waiting)[2].set()
            else:
                self._free += 1
            return True


#: The turns of this process.
TURNS = Turns()
