"""Turns at the processor: who computes, in which order, and what never waits for ever."""

import threading
from collections.abc import Callable
from functools import partial

import pytest

from workers.process.turns import FIRST, LAST, Turns

_LONG = 30.0


def _start(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _has_to_wait(turns: Turns) -> bool:
    """Tell whether another thread that wants a turn now waits for it."""
    has_turn, polled = threading.Event(), threading.Event()

    def work() -> None:
        with turns.take(5):
            has_turn.set()

    known = turns.waiting
    _start(work)
    while not has_turn.is_set() and turns.waiting == known:
        polled.wait(0.001)
    return not has_turn.is_set()


def test_no_more_phases_compute_at_a_time_than_there_are_turns() -> None:
    turns, held, end = Turns(width=2), threading.Event(), threading.Event()

    def hold() -> None:
        with turns.take(5):
            held.set()
            end.wait(_LONG)

    holder = _start(hold)
    assert held.wait(_LONG)
    assert not _has_to_wait(turns)
    with turns.take(5):
        assert _has_to_wait(turns)
    end.set()
    holder.join(_LONG)


def test_the_dream_that_is_nearest_to_its_end_goes_first() -> None:
    turns, order, polled = Turns(width=1), list[int](), threading.Event()

    def work(rank: int) -> None:
        with turns.take(rank):
            order.append(rank)

    threads = []
    with turns.take(3):
        for rank in (LAST, 12, 4, FIRST, 12):
            threads.append(_start(partial(work, rank)))
            while turns.waiting < len(threads):
                polled.wait(0.001)
    for thread in threads:
        thread.join(_LONG)

    assert order == [FIRST, 4, 12, 12, LAST]


def test_a_phase_that_waits_for_its_model_lets_another_one_compute() -> None:
    turns = Turns(width=1)
    with turns.take(5), turns.give_up():
        assert not _has_to_wait(turns)


def test_a_phase_has_a_turn_again_after_its_model_answered() -> None:
    turns = Turns(width=1)
    with turns.take(5):
        with turns.give_up():
            pass
        assert _has_to_wait(turns)


def test_giving_up_outside_of_any_turn_neither_adds_nor_takes_one() -> None:
    turns = Turns(width=1)
    with turns.give_up():
        pass

    assert not _has_to_wait(turns)
    with turns.take(5):
        assert _has_to_wait(turns)


def test_a_task_inside_another_one_shares_its_turn() -> None:
    turns = Turns(width=1)
    with turns.take(5):
        with turns.take(4):
            pass
        assert _has_to_wait(turns)


def test_a_phase_continues_without_a_turn_when_none_comes_in_time() -> None:
    turns, ran = Turns(width=1, patience_seconds=0.0), []

    def work() -> None:
        with turns.take(5):
            ran.append("without a turn")

    with turns.take(5):
        _start(work).join(_LONG)

    assert ran == ["without a turn"]
    assert turns.waiting == 0


def test_a_phase_that_raises_passes_its_turn_on() -> None:
    turns = Turns(width=1)
    with pytest.raises(RuntimeError, match="the phase failed"), turns.take(5):
        raise RuntimeError("the phase failed")

    assert not _has_to_wait(turns)
