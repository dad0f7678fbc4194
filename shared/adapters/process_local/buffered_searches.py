"""Searches and reads of agents, buffered in the process and written every few seconds, so that a search costs no write.

The thread starts with the first note, so that a process without searches has none and a fork starts its own.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread

from shared.core.errors import ServiceUnavailableError
from shared.counting import count
from shared.logger import get_logger
from shared.ports.evidence.search_log import Noted, OfStore, Searched

log = get_logger()
FLUSH_SECONDS = 4.0
#: About 2 MB. Notes beyond it are lost until the next flush makes room.
MAX_NOTES = 4_000

#: Writes notes of one store; false: it keeps no log, or is gone.
Write = Callable[[OfStore, Sequence[Noted]], bool]


class BufferedSearches:
    """Implements `SearchLog`; any number of threads may note."""

    def __init__(self, write: Write, *, flush_seconds: float = FLUSH_SECONDS, max_notes: int = MAX_NOTES) -> None:
        """Write by this function at the given interval in seconds."""
        self._write = write
        self._flush_seconds = flush_seconds
        self._max_notes = max_notes
        self._lock, self._flushing = Lock(), Lock()
        self._noted: deque[tuple[OfStore, Noted]] = deque()
        self._lost = 0
        self._closing = Event()
        self._thread: Thread | None = None

    def note(self, store: OfStore, noted: Noted) -> None:
        """Buffer a note; it is lost when the buffer is full."""
        with self._lock:
            if self._closing.is_set():
                return
            self._add([(store, noted)])
            if self._thread is None:
                self._thread = Thread(target=self._run, name="searches", daemon=True)
                self._thread.start()

    def flush(self) -> None:
        """Write everything."""
        self._flush(until=None)

    def close(self) -> None:
        """Flush and stop."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()
        with self._lock:
            lost = len(self._noted)
            self._noted.clear()
        _count(lost, "lost")

    def _run(self) -> None:
        # A read may be noted in another process than its search, which is written first that way.
        patience = timedelta(seconds=2 * self._flush_seconds)
        while not self._closing.wait(self._flush_seconds):
            self._flush(until=datetime.now(UTC) - patience)

    def _flush(self, until: datetime | None) -> None:
        """Write searches, and of the other notes those that are older than `until`."""
        with self._flushing:
            with self._lock:
                taken = list(self._noted)
                self._noted.clear()
                lost, self._lost = self._lost, 0
            due: defaultdict[OfStore, list[Noted]] = defaultdict(list)
            kept: list[tuple[OfStore, Noted]] = []
            for store, one in taken:
                if until is None or isinstance(one, Searched) or one.at < until:
                    due[store].append(one)
                else:
                    kept.append((store, one))
            outcome = ""
            for store, notes in due.items():
                outcome = outcome if outcome == "waiting" else self._try_to_write(store, notes)
                if outcome == "waiting":
                    kept += [(store, one) for one in notes]
                else:
                    _count(len(notes), outcome)
            with self._lock:
                self._add(kept)
            _count(lost, "lost")

    def _try_to_write(self, store: OfStore, notes: Sequence[Noted]) -> str:
        try:
            return "written" if self._write(store, notes) else "unwanted"
        except ServiceUnavailableError as error:
            log.warning("searches wait for the next flush", notes=len(notes), error=type(error).__name__)
            return "waiting"
        except Exception as error:  # noqa: BLE001 - a search that was answered must not fail for its log
            log.warning("searches are not logged", notes=len(notes), error=type(error).__name__)
            return "lost"

    def _add(self, notes: Sequence[tuple[OfStore, Noted]]) -> None:
        room = max(0, self._max_notes - len(self._noted))
        self._noted.extend(notes[:room])
        self._lost += len(notes[room:])


def _count(notes: int, outcome: str) -> None:
    if notes:
        count("slowwave_searches_noted_total", notes, outcome=outcome)
