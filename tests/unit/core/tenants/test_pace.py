"""A tenant in company takes no more of the time than its share and a burst; quick requests, one after the other, never wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.tenants.pace import FREE_SECONDS, Pace, charge, is_full, open_account, refill, wait_of

PACE = Pace(share=0.25, burst_seconds=1)
_TIMES = st.floats(0, 30)
_PACES = st.builds(Pace, share=st.floats(0.01, 0.99), burst_seconds=st.floats(0.1, 60), free_seconds=st.floats(0, 1))


@given(pace=_PACES, took=st.lists(st.tuples(_TIMES, _TIMES), min_size=1, max_size=30))
def test_requests_that_begin_have_cost_no_more_than_the_burst_and_the_share_of_the_time(
    pace: Pace, took: list[tuple[float, float]]
) -> None:
    now, account, spent = 0.0, open_account(pace, 0), 0.0
    for pause, seconds in took:
        now += pause
        now += wait_of(pace, account, now)
        assert spent <= pace.burst_seconds + pace.share * (now + 0.001) + 1e-6
        now += seconds
        filled, account = refill(pace, account, now), charge(pace, account, seconds, now)
        spent += filled.in_hand - account.in_hand


@given(pace=_PACES, took=st.lists(_TIMES, min_size=1, max_size=30))
def test_a_request_costs_what_it_takes_beyond_the_free_time_unless_the_tenant_owes_the_most(
    pace: Pace, took: list[float]
) -> None:
    account = open_account(pace, 0)
    for seconds in took:
        before, account = account.in_hand, charge(pace, account, seconds, 0)
        owed = max(before - max(0.0, seconds - pace.free_seconds), -pace.burst_seconds)
        assert account.in_hand == pytest.approx(owed)


@given(pace=_PACES, took=st.lists(_TIMES, min_size=1, max_size=30))
def test_no_request_waits_longer_than_one_burst_takes_to_come_in(pace: Pace, took: list[float]) -> None:
    now, account = 0.0, open_account(pace, 0)
    for seconds in took:
        wait = wait_of(pace, account, now)
        assert wait <= pace.burst_seconds / pace.share + 1e-6
        now += wait + seconds
        account = charge(pace, account, seconds, now)


@given(took=st.lists(st.floats(0, FREE_SECONDS), max_size=100))
def test_quick_requests_one_after_the_other_never_wait_however_many_they_are(took: list[float]) -> None:
    account = open_account(PACE, 0)
    for seconds in took:
        account = charge(PACE, account, seconds, 0)
        assert wait_of(PACE, account, 0) == 0


@given(pace=_PACES, took=st.lists(st.floats(0, 0.02), max_size=300))
def test_quick_requests_that_others_of_the_tenant_wait_for_take_no_more_than_the_burst_and_the_share_of_the_time(
    pace: Pace, took: list[float]
) -> None:
    now, account = 0.0, open_account(pace, 0)
    for seconds in took:
        now += wait_of(pace, account, now) + seconds
        account = charge(pace, account, seconds, now, has_line=True)
    assert sum(took) <= pace.burst_seconds + pace.share * now + 0.02 + 1e-6


def test_a_debt_is_paid_with_the_share_of_the_time_that_passes() -> None:
    spent = charge(PACE, open_account(PACE, 0), 1.05, 1)
    owing = charge(PACE, spent, 0.55, 1)
    assert wait_of(PACE, spent, 1) == 0
    assert [wait_of(PACE, owing, now) for now in (1, 2, 3)] == pytest.approx([2, 1, 0])


def test_an_account_is_full_again_after_a_while_and_no_more_than_that() -> None:
    account = charge(PACE, open_account(PACE, 0), 1.05, 1)
    assert not is_full(PACE, account, 4.9)
    assert is_full(PACE, account, 5.1)
    assert refill(PACE, account, 1_000).in_hand == PACE.burst_seconds


def test_a_share_of_one_makes_no_request_wait() -> None:
    pace = Pace(share=1, burst_seconds=0.1)
    assert wait_of(pace, charge(pace, charge(pace, open_account(pace, 0), 60, 60), 60, 60), 60) == 0
