"""Marks for the prompt cache cost less than they save, in whatever order calls come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.llm.anthropic.prompt_cache import PromptCache, least_tokens
from tests.support.laws import examples

KEY = 7


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def call(cache: PromptCache, *, is_cached: bool = True) -> bool:
    is_marked = cache.decide_marked(KEY)
    if is_marked:
        cache.note(KEY, is_answered=True, is_cached=is_cached)
    return is_marked


def test_a_beginning_that_comes_once_is_not_paid_for() -> None:
    assert not call(PromptCache())


def test_from_the_second_time_within_five_minutes_it_is_marked() -> None:
    cache = PromptCache()
    assert [call(cache) for _ in range(4)] == [False, True, True, True]


def test_a_beginning_that_others_are_known_to_share_is_written_by_the_first_call_and_by_no_other() -> None:
    cache = PromptCache()
    assert cache.would_write(KEY)
    assert [cache.decide_marked(KEY, is_expected=True) for _ in range(3)] == [True, False, False]
    assert not cache.would_write(KEY), "it is being written"
    cache.note(KEY, is_answered=True, is_cached=True)
    assert not cache.would_write(KEY)
    assert cache.decide_marked(KEY, is_expected=True), "it can be read now"


def test_a_beginning_that_has_expired_in_the_cache_is_written_again() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    cache.decide_marked(KEY, is_expected=True)
    cache.note(KEY, is_answered=True, is_cached=True)
    clock.now += 301
    assert cache.would_write(KEY)
    assert cache.decide_marked(KEY, is_expected=True)


def test_after_five_minutes_it_begins_anew() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    call(cache), call(cache)
    clock.now += 301
    assert [call(cache), call(cache)] == [False, True]


def test_of_calls_side_by_side_one_writes() -> None:
    cache = PromptCache()
    call(cache)
    assert [cache.decide_marked(KEY) for _ in range(4)] == [True, False, False, False]
    cache.note(KEY, is_answered=True, is_cached=True)
    assert cache.decide_marked(KEY), "it can be read now"


def test_a_call_that_failed_leaves_the_writing_to_the_next_one() -> None:
    cache = PromptCache()
    call(cache)
    assert cache.decide_marked(KEY)
    cache.note(KEY, is_answered=False, is_cached=False)
    assert cache.decide_marked(KEY)


def test_a_server_that_caches_nothing_is_left_alone_for_an_hour() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    call(cache), call(cache, is_cached=False)
    seen = []
    for _ in range(14):
        clock.now += 290
        seen.append(call(cache))
    assert seen == [False] * 12 + [True, True]


def test_for_a_server_that_caches_nothing_no_call_goes_before_the_others_for_an_hour() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    cache.note(KEY, is_answered=True, is_cached=False)
    assert cache.is_left_alone(KEY)
    assert not cache.would_write(KEY)
    clock.now += 3_601
    assert not cache.is_left_alone(KEY)
    assert cache.would_write(KEY)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("claude-haiku-4-5-20251001", 4_096),
        ("claude-opus-4-5", 4_096),
        ("claude-sonnet-4-6", 2_048),
        ("claude-sonnet-4-5", 1_024),
        ("some-other-model", 4_096),
    ],
)
def test_each_model_caches_from_its_own_length_on(model: str, tokens: int) -> None:
    assert least_tokens(model) == tokens


@examples(60)
@given(waits=st.lists(st.floats(0, 600), min_size=1, max_size=40))
def test_marks_never_cost_a_quarter_of_a_beginning_more_for_each_pause(waits: list[float]) -> None:
    """A write costs 1.25 of a beginning, a read 0.1: what is lost, at most, is one write before each pause."""
    clock, spent, pauses, kept_until = Clock(), 0.0, 1, 0.0
    cache = PromptCache(clock)
    for wait in waits:
        clock.now += wait
        pauses += wait > 300
        if not call(cache):
            spent += 1.0
        else:
            spent += 0.1 if clock.now <= kept_until else 1.25
            kept_until = clock.now + 300
    assert spent <= len(waits) + 0.25 * pauses
