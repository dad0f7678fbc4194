"""A worker's counts go out together, and none is lost or sent twice."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from shared.adapters.process_local.buffered_counts import BufferedCounts
from shared.counting import Series

_ONE: Series = ("slowwave_dreams_ended_total", (("state", "completed"),))
_OTHER: Series = ("slowwave_rescues_total", ())
_NEVER = 3_600.0


class Sink:
    """Keeps what arrives, message by message."""

    def __init__(self) -> None:
        self.messages: list[dict[Series, float]] = []
        self.arrived = Event()

    def add(self, series: dict[Series, float]) -> None:
        self.messages.append(dict(series))
        self.arrived.set()

    def sums(self) -> dict[Series, float]:
        names = {one for message in self.messages for one in message}
        return {one: sum(message.get(one, 0.0) for message in self.messages) for one in names}


@pytest.fixture
def sink() -> Sink:
    return Sink()


def test_counts_of_a_process_are_sent_when_it_ends(sink: Sink) -> None:
    with closing(BufferedCounts(sink, flush_seconds=_NEVER)) as counts:
        for _ in range(20):
            counts.add({_ONE: 1.0})
        counts.add({_OTHER: 2.5})
    assert sink.sums() == {_ONE: 20.0, _OTHER: 2.5}
    assert len(sink.messages) <= 3


def test_many_threads_lose_no_count(sink: Sink) -> None:
    with closing(BufferedCounts(sink, flush_seconds=0.001)) as counts, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: counts.add({_ONE: 1.0}), range(2_000)))
    assert sink.sums() == {_ONE: 2_000.0}


def test_counts_go_out_by_themselves(sink: Sink) -> None:
    with closing(BufferedCounts(sink, flush_seconds=0.001)) as counts:
        counts.add({_ONE: 1.0})
        assert sink.arrived.wait(30)


def test_counts_after_the_end_of_a_process_are_sent_at_once(sink: Sink) -> None:
    counts = BufferedCounts(sink, flush_seconds=_NEVER)
    counts.close()
    counts.add({_OTHER: 1.0})
    assert sink.sums() == {_OTHER: 1.0}
