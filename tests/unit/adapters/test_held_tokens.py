"""Tokens taken ahead of requests: a burst asks the shared bucket seldom, and nothing is held for long."""

from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.redis.held_tokens import HOLD_SECONDS, MOST, HeldTokens


class Bucket:
    """A bucket that refills never, and a process that takes from it."""

    def __init__(self, tokens: int, per_minute: int) -> None:
        self.tokens, self.per_minute, self.asked, self.now = tokens, per_minute, 0, 0.0
        self.held = HeldTokens(clock=lambda: self.now)

    def request(self) -> bool:
        if self.held.acquire("key") is not None:
            return True
        self.asked += 1
        size = self.held.next_size("key", self.per_minute)
        taken = min(size, self.tokens)
        self.tokens -= taken
        if taken:
            self.held.keep("key", taken - 1, left=self.tokens, size=size)
        return taken > 0


def test_a_key_with_a_small_limit_is_counted_request_by_request() -> None:
    bucket = Bucket(tokens=10, per_minute=59)
    assert [bucket.request() for _ in range(11)] == [True] * 10 + [False]
    assert bucket.asked == 11


def test_a_burst_asks_the_bucket_seldom() -> None:
    bucket = Bucket(tokens=10_000, per_minute=60_000)
    assert all(bucket.request() for _ in range(1_000))
    assert bucket.asked < 1_000 / MOST + 10


def test_requests_far_apart_waste_no_token() -> None:
    bucket = Bucket(tokens=20, per_minute=60_000)
    for _ in range(20):
        assert bucket.request()
        bucket.now += HOLD_SECONDS
    assert not bucket.request()


def test_a_held_token_expires_unused() -> None:
    bucket = Bucket(tokens=100, per_minute=60_000)
    for _ in range(4):
        bucket.request()
    bucket.tokens = 0
    bucket.now += HOLD_SECONDS
    assert not bucket.request()


@given(
    tokens=st.integers(0, 300),
    per_minute=st.integers(1, 100_000),
    pauses=st.lists(st.floats(0, 0.4), max_size=400),
)
def test_no_more_requests_go_through_than_the_bucket_held(tokens: int, per_minute: int, pauses: list[float]) -> None:
    bucket = Bucket(tokens, per_minute)
    passed = 0
    for pause in pauses:
        bucket.now += pause
        passed += bucket.request()
    assert passed <= tokens


@given(tokens=st.integers(0, 300), per_minute=st.integers(1, 100_000))
def test_a_burst_gets_all_that_the_bucket_held(tokens: int, per_minute: int) -> None:
    bucket = Bucket(tokens, per_minute)
    passed = 0
    while bucket.request():
        passed += 1
    assert passed == tokens
