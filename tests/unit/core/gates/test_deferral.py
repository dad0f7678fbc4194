"""The deferred share: the same all day, and about as large as it says."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import BadInputError
from shared.core.gates.deferral import check_percent, decide_deferred
from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.policy.policy import GatePolicy

MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)
SECONDS_OF_A_DAY = st.integers(min_value=0, max_value=86_399)
STORES = st.text(min_size=1, max_size=40)


@given(STORES, st.integers(0, 100), SECONDS_OF_A_DAY, SECONDS_OF_A_DAY)
def test_a_store_is_not_drawn_again_on_the_same_day(store: str, percent: int, one: int, other: int) -> None:
    first, second = (decide_deferred(store, percent, MIDNIGHT + timedelta(seconds=s)) for s in (one, other))
    assert first == second


@given(STORES, st.integers(0, 99))
def test_a_larger_share_only_adds_stores(store: str, percent: int) -> None:
    assert decide_deferred(store, percent, MIDNIGHT) <= decide_deferred(store, percent + 1, MIDNIGHT)


@given(STORES)
def test_nothing_and_everything_are_exact(store: str) -> None:
    assert not decide_deferred(store, 0, MIDNIGHT)
    assert decide_deferred(store, 100, MIDNIGHT)


def test_thirty_percent_hit_about_thirty_of_a_hundred_stores() -> None:
    hit = sum(decide_deferred(f"memstore_{number}", 30, MIDNIGHT) for number in range(10_000))
    assert 2_800 < hit < 3_200


def test_another_day_hits_other_stores() -> None:
    stores = [f"memstore_{number}" for number in range(100)]
    days = [{s for s in stores if decide_deferred(s, 50, MIDNIGHT + timedelta(days=day))} for day in range(2)]
    assert days[0] != days[1]


def test_a_deferred_store_says_so_and_is_looked_at_again_in_an_hour() -> None:
    verdict = decide_gates(GateFacts(deferred_percent=30), GatePolicy(), MIDNIGHT, force=False)
    assert (verdict.gate, verdict.reason) == ("defer", "Deferred (30 % of dreams)")
    assert verdict.retry_at == MIDNIGHT + timedelta(hours=1)


def test_force_gets_past_a_deferral_and_not_past_the_operators_pause() -> None:
    assert decide_gates(GateFacts(deferred_percent=100), GatePolicy(), MIDNIGHT, force=True).is_open
    paused = decide_gates(GateFacts(paused_by="operator"), GatePolicy(), MIDNIGHT, force=True)
    assert paused.reason == "Dreaming is paused (operator)"


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_share_that_is_no_percentage_is_refused(percent: int) -> None:
    with pytest.raises(BadInputError, match="0 to 100"):
        check_percent(percent)
