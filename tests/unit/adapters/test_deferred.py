"""A deferred adapter is built when it is first used, once, and stands in for what was built."""

from shared.adapters.process_local.deferred import deferred


class Counter:
    built = 0

    def __init__(self) -> None:
        Counter.built += 1
        self.total = 0

    def add(self, amount: int) -> int:
        self.total += amount
        return self.total


def test_nothing_is_built_before_the_first_use_and_one_thing_after_it() -> None:
    Counter.built = 0
    counter = deferred(Counter)
    assert Counter.built == 0
    assert counter.add(2) == 2
    assert counter.add(3) == 5
    assert counter.total == 5
    assert Counter.built == 1
