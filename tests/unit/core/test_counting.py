"""Counts within one block are sent once, and not lost when the block raises."""

from collections.abc import Iterator

import pytest

from shared.counting import Series, count, counting_together, observe, send_counts_to, stop_counting


class Sink:
    """Keeps what each round trip carried."""

    def __init__(self) -> None:
        self.sent: list[dict[Series, float]] = []

    def add(self, series: dict[Series, float]) -> None:
        self.sent.append(series)


@pytest.fixture
def sink() -> Iterator[Sink]:
    made = Sink()
    send_counts_to(made)
    yield made
    stop_counting(made)


def _tokens(kind: str) -> Series:
    return "slowwave_model_tokens_total", (("kind", kind),)


def _count_and_raise() -> None:
    with counting_together():
        count("slowwave_model_tokens_total", 3, kind="output")
        raise ZeroDivisionError


def test_counts_of_one_block_are_sent_once_and_added_up(sink: Sink) -> None:
    with counting_together():
        count("slowwave_model_tokens_total", 3, kind="input")
        count("slowwave_model_tokens_total", 4, kind="input")
        observe("slowwave_model_call_seconds", 1.0)
        assert sink.sent == []
    (sent,) = sink.sent
    assert sent[_tokens("input")] == 7
    assert sent["slowwave_model_call_seconds_sum", ()] == 1.0


def test_a_block_that_raises_sends_what_it_counted(sink: Sink) -> None:
    with pytest.raises(ZeroDivisionError):
        _count_and_raise()
    assert sink.sent == [{_tokens("output"): 3}]


def test_after_the_block_a_count_is_sent_at_once(sink: Sink) -> None:
    with counting_together():
        pass
    count("slowwave_model_tokens_total", 1, kind="input")
    assert sink.sent == [{_tokens("input"): 1}]
