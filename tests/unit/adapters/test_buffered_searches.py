"""Notes of searches wait in a bounded buffer: what is too much is lost and counted, and no search fails for its log."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from shared.adapters.process_local.buffered_searches import BufferedSearches
from shared.core.errors import ServiceUnavailableError
from shared.counting import Series, send_counts_to, stop_counting
from shared.ports.evidence.search_log import Noted, OfStore, Searched, WasRead

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
STORE = OfStore("acme", "default")
SEARCHED = Searched(key_id="key_1", surface="api", query="cookies", shown=("mem_1",), at=NOON)
_NEVER = 3_600.0


class Sums:
    """A sink that adds up, by outcome."""

    def __init__(self) -> None:
        self.found: dict[str, float] = {}

    def add(self, series: dict[Series, float]) -> None:
        for (name, labels), amount in series.items():
            if name == "slowwave_searches_noted_total":
                outcome = dict(labels)["outcome"]
                self.found[outcome] = self.found.get(outcome, 0) + amount


class Log:
    """A log that remembers its notes, or fails."""

    def __init__(self) -> None:
        self.written: list[Noted] = []
        self.has_some = Event()
        self.error: Exception | None = None
        self.is_wanted = True

    def write(self, _: OfStore, notes: Sequence[Noted]) -> bool:
        if self.error is not None:
            raise self.error
        self.written += notes
        self.has_some.set()
        return self.is_wanted


@pytest.fixture
def sums() -> Iterator[Sums]:
    sink = Sums()
    send_counts_to(sink)
    yield sink
    stop_counting(sink)


def test_notes_beyond_the_bound_are_lost_and_counted(sums: Sums) -> None:
    log = Log()
    searches = BufferedSearches(log.write, flush_seconds=_NEVER, max_notes=2)
    for _ in range(5):
        searches.note(STORE, SEARCHED)
    searches.close()
    searches.note(STORE, SEARCHED)  # too late
    assert log.written == [SEARCHED] * 2
    assert sums.found == {"written": 2, "lost": 3}


def test_notes_wait_for_a_database_that_is_away(sums: Sums) -> None:
    log = Log()
    log.error = ServiceUnavailableError("The database does not answer")
    searches = BufferedSearches(log.write, flush_seconds=_NEVER)
    searches.note(STORE, SEARCHED)
    searches.flush()
    assert sums.found == {}
    log.error = None
    searches.close()
    assert log.written == [SEARCHED]
    assert sums.found == {"written": 1}


def test_notes_that_cannot_be_written_are_lost_and_do_not_hold_up_others(sums: Sums) -> None:
    log = Log()
    log.error = ValueError("a broken note")
    searches = BufferedSearches(log.write, flush_seconds=_NEVER)
    searches.note(STORE, SEARCHED)
    searches.flush()
    log.error = None
    searches.note(STORE, SEARCHED)
    searches.close()
    assert sums.found == {"lost": 1, "written": 1}


def test_notes_that_are_still_waiting_when_the_process_ends_are_counted_as_lost(sums: Sums) -> None:
    log = Log()
    log.error = ServiceUnavailableError("The database does not answer")
    searches = BufferedSearches(log.write, flush_seconds=_NEVER)
    searches.note(STORE, SEARCHED)
    searches.close()
    assert sums.found == {"lost": 1}


def test_notes_of_a_store_that_keeps_no_log_are_unwanted(sums: Sums) -> None:
    log = Log()
    log.is_wanted = False
    searches = BufferedSearches(log.write, flush_seconds=_NEVER)
    searches.note(STORE, SEARCHED)
    searches.close()
    assert sums.found == {"unwanted": 1}


def test_a_read_is_written_after_searches_that_other_processes_have_noted_before_it() -> None:
    log = Log()
    searches = BufferedSearches(log.write, flush_seconds=0.001)
    read = WasRead(key_id="key_1", memory_id="mem_1", at=datetime.now(UTC) + timedelta(hours=1))
    searches.note(STORE, read)
    searches.note(STORE, SEARCHED)
    assert log.has_some.wait(10)
    assert log.written == [SEARCHED]
    searches.close()
    assert log.written == [SEARCHED, read]
