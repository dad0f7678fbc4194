"""Turns at the processor: who computes, in which order, and what never waits for ever."""

import threading
from collections.abc import Callable

import pytest

from workers.process.turns import FIRST, LAST, Turns

_LONG = 30.0


def _start(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _await_waiting(turns: Turns, number: int) -> None:
    polled = threading.Event()
    while turns.waiting < number:
        polled.wait(0.001)


def test_no_more_phases_compute_at_a_time_than_there_are_turns() -> None:
    turns, lock, running, most = Turns(width=2), threading.Lock(), [0], [0]

    def work() -> None:
        with turns.take(5):
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            threading.Event().wait(0.002)
            with lock:
                running[0] -= 1

    for thread in [_start(work) for _ in range(20)]:
        thread.join(_LONG)

    assert (running[0], most[0]) == (0, 2)


def test_the_dream_that_is_nearest_to_its_end_goes_first() -> None:
    turns, order = Turns(width=1), []

    def work(rank: int) -> None:
        with turns.take(rank):
            order.append(rank)

    threads = []
    with turns.take(3):
        for number, rank in enumerate((LAST, 12, 4, FIRST, 12), start=1):
            threads.append(_start(lambda rank=rank: work(rank)))  # type: ignore[misc]
            _await_waiting(turns, number)
    for thread in threads:
        thread.join(_LONG)

    assert order == [FIRST, 4, 12, 12, LAST]


def test_a_phase_that_waits_for_its_model_lets_another_one_compute() -> None:
    turns, others_turn = Turns(width=1), threading.Event()

    def work() -> None:
        with turns.take(5):
            others_turn.set()

    with turns.take(5), turns.give_up():
        other = _start(work)
        assert others_turn.wait(_LONG)
    other.join(_LONG)


def test_a_phase_has_a_turn_again_after_its_model_answered() -> None:
    turns = Turns(width=1)
    with turns.take(5):
        with turns.give_up():
            pass
        other = _start(lambda: _take_once(turns))
        _await_waiting(turns, 1)
    other.join(_LONG)

    assert turns.waiting == 0


def test_giving_up_outside_of_any_turn_adds_none() -> None:
    turns = Turns(width=1)
    with turns.give_up():
        pass

    with turns.take(5):
        other = _start(lambda: _take_once(turns))
        _await_waiting(turns, 1)
    other.join(_LONG)

    assert turns.waiting == 0


def test_a_task_inside_another_one_shares_its_turn() -> None:
    turns = Turns(width=1)
    with turns.take(5):
        with turns.take(4):
            pass
        other = _start(lambda: _take_once(turns))
        _await_waiting(turns, 1)
    other.join(_LONG)

    assert turns.waiting == 0


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

    other = _start(lambda: _take_once(turns))
    other.join(_LONG)

    assert not other.is_alive()


def _take_once(turns: Turns) -> None:
    with turns.take(5):
        pass
