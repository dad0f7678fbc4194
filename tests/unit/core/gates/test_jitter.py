"""Spread due times: always later, never by much, always the same for a store."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.core.gates.jitter import MAX_JITTER, draw_share, wait_with_jitter, with_jitter

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WAITS = st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=30))


@given(store=st.text(), wait=WAITS)
def test_a_store_is_looked_at_no_earlier_than_it_is_due_and_no_later_than_a_tenth(store: str, wait: timedelta) -> None:
    assert wait <= wait_with_jitter(store, wait) <= wait + min(wait / 10, MAX_JITTER)


@given(store=st.text(), wait=WAITS)
def test_a_stores_due_time_does_not_depend_on_luck(store: str, wait: timedelta) -> None:
    assert (
        with_jitter(store, NOW + wait, NOW)
        == with_jitter(store, NOW + wait, NOW)
        == NOW + wait_with_jitter(store, wait)
    )


def test_jitter_never_delays_a_store_that_is_due() -> None:
    assert with_jitter("memstore_1", NOW - timedelta(hours=1), NOW) <= NOW


def test_a_thousand_stores_of_one_moment_are_spread_evenly() -> None:
    tenths = [int(draw_share(f"memstore_{number}") * 10) for number in range(1_000)]
    assert {tenth for tenth in tenths if 60 <= tenths.count(tenth) <= 140} == set(range(10))
