"""Importance falls by two published laws, computed from the clocks and never stored."""

import math
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.model import Signals
from shared.core.policy.upkeep import DecayLaw, DecayPolicy
from shared.core.upkeep.decay import EXEMPT_CATEGORIES, decay_heads, decayed_importance, describe_decay, is_exempt
from tests.unit.builders import NOW, days_ago, head_of, memory

BYTEROVER = DecayPolicy(law=DecayLaw.DAILY)
ROCKBOT = DecayPolicy(law=DecayLaw.HALF_LIFE)
IMPORTANCE = st.floats(0, 100)
DAYS = st.floats(0, 2_000)
STEPS = st.lists(st.floats(0.01, 60), min_size=1, max_size=40)
LAWS = st.sampled_from([BYTEROVER, ROCKBOT])


def after(days: float, importance: float, policy: DecayPolicy) -> float:
    """Return the importance of a memory that was last written and seen the given number of days ago."""
    then = days_ago(days)
    return decayed_importance(Signals(importance=importance, last_seen_at=then), then, NOW, policy)


def in_steps(importance: float, gaps: list[float], policy: DecayPolicy) -> float:
    """Return the importance in a system that stores the decayed value at each run."""
    seen = touched = NOW
    for gap in gaps:
        now = touched + timedelta(days=gap)
        importance = decayed_importance(Signals(importance=importance, last_seen_at=seen), touched, now, policy)
        touched = now
    return importance


def at_once(importance: float, gaps: list[float], policy: DecayPolicy) -> float:
    end: datetime = NOW
    for gap in gaps:
        end += timedelta(days=gap)
    return decayed_importance(Signals(importance=importance, last_seen_at=NOW), NOW, end, policy)


@pytest.mark.parametrize(("importance", "days"), [(50, 72), (40, 27), (65, 124), (100, 210)])
def test_byterover_importance_drops_below_35_on_the_published_day(importance: float, days: int) -> None:
    assert after(days, importance, BYTEROVER) < 35
    assert after(days - 1, importance, BYTEROVER) >= 35


@pytest.mark.parametrize(("importance", "day"), [(95, 177), (30, 102)])
def test_rockbot_importance_hits_its_floor_on_the_published_day(importance: float, day: int) -> None:
    assert after(day, importance, ROCKBOT) == 10
    assert after(day - 1, importance, ROCKBOT) > 10


def test_rockbot_importance_halves_45_days_after_the_grace() -> None:
    assert math.isclose(after(75, 80, ROCKBOT), 40)


@given(importance=IMPORTANCE, gaps=STEPS, law=LAWS)
def test_decaying_daily_weekly_or_once_gives_the_same(importance: float, gaps: list[float], law: DecayPolicy) -> None:
    assert math.isclose(in_steps(importance, gaps, law), at_once(importance, gaps, law), rel_tol=1e-6, abs_tol=1e-6)


@pytest.mark.parametrize("law", [BYTEROVER, ROCKBOT])
@pytest.mark.parametrize(("gap", "count"), [(1.0, 140), (7.0, 20), (140.0, 1)])
def test_a_nightly_and_a_weekly_dreamer_agree_after_140_days(law: DecayPolicy, gap: float, count: int) -> None:
    assert math.isclose(in_steps(90, [gap] * count, law), after(140, 90, law), rel_tol=1e-9)


@given(importance=IMPORTANCE, days=DAYS)
def test_rockbot_decay_never_goes_below_the_floor(importance: float, days: float) -> None:
    assert after(days, importance, ROCKBOT) >= min(importance, 10)


@given(importance=IMPORTANCE, days=st.floats(0, 30))
def test_rockbot_decay_leaves_the_grace_alone(importance: float, days: float) -> None:
    assert after(days, importance, ROCKBOT) == importance


@given(importance=st.floats(10, 100), days=st.floats(0, 1))
def test_rockbot_decay_is_never_retroactive_into_the_grace(importance: float, days: float) -> None:
    assert math.isclose(after(30 + days, importance, ROCKBOT), max(10, importance * 0.5 ** (days / 45)))


@given(importance=IMPORTANCE, first=DAYS, more=DAYS, law=LAWS)
def test_decay_is_bounded_and_never_rises(importance: float, first: float, more: float, law: DecayPolicy) -> None:
    early, late = (after(days, importance, law) for days in (first, first + more))
    assert 0 <= late <= early <= importance


def test_rockbot_decay_goes_by_when_a_memory_was_last_seen_not_written() -> None:
    seen = Signals(importance=80, last_seen_at=days_ago(5))
    assert decayed_importance(seen, days_ago(300), NOW, ROCKBOT) == 80
    assert decayed_importance(replace(seen, last_seen_at=None), days_ago(300), NOW, ROCKBOT) == 10


def test_importance_set_by_a_keep_or_a_write_falls_only_from_then_on() -> None:
    unseen = Signals(importance=80, last_seen_at=days_ago(300))
    assert decayed_importance(unseen, NOW, NOW, ROCKBOT) == 80
    assert math.isclose(decayed_importance(unseen, days_ago(45), NOW, ROCKBOT), 40)


@pytest.mark.parametrize(
    "off",
    [
        DecayPolicy(law=DecayLaw.NONE),
        replace(ROCKBOT, half_life_days=0),
        replace(ROCKBOT, half_life_days=-1),
        replace(BYTEROVER, daily_factor=0),
    ],
)
def test_a_number_of_zero_or_less_switches_decay_off(off: DecayPolicy) -> None:
    assert after(900, 80, off) == 80


def test_decay_may_spare_what_was_ever_used() -> None:
    unused_only = replace(BYTEROVER, only_unused=True)
    used = Signals(importance=80, access_count=1)
    assert decayed_importance(used, days_ago(300), NOW, unused_only) == 80
    assert decayed_importance(Signals(importance=80), days_ago(300), NOW, unused_only) < 20


def test_a_clock_that_went_backwards_decays_nothing() -> None:
    assert after(-3, 50, BYTEROVER) == after(-3, 50, ROCKBOT) == 50


@pytest.mark.parametrize("category", sorted(EXEMPT_CATEGORIES))
@pytest.mark.parametrize("field", ["category", "type"])
def test_digests_and_insights_of_dreams_do_not_fade(category: str, field: str) -> None:
    lasting = head_of(memory("a/x.md", f"---\n{field}: {category}\n---\nText.\n", untouched_days=900))
    plain = head_of(memory("a/y.md", "Text.\n", untouched_days=900))
    one, other = decay_heads([lasting, plain], NOW, BYTEROVER)
    assert one.signals.importance == 50
    assert other.signals.importance < 1
    assert is_exempt(lasting.category, lasting.doc_type)


def test_a_reader_is_told_how_far_a_memory_has_faded_since_when_and_by_which_law() -> None:
    touched, seen = days_ago(100), days_ago(75)
    signals = Signals(importance=50, last_seen_at=seen)
    daily = describe_decay(signals, touched, NOW, BYTEROVER)
    assert daily == f"importance 50 → 30: last written or kept 100 days ago ({touched:%Y-%m-%d}), times 0.995 a day"
    halves = describe_decay(signals, touched, NOW, ROCKBOT)
    assert halves is not None
    assert halves.startswith(f"importance 50 → 25: last seen 75 days ago ({seen:%Y-%m-%d}), half in 45 days after 30")


@pytest.mark.parametrize("policy", [BYTEROVER, ROCKBOT, DecayPolicy(law=DecayLaw.NONE)])
def test_a_memory_that_has_not_faded_has_no_note_about_fading(policy: DecayPolicy) -> None:
    assert describe_decay(Signals(importance=50, last_seen_at=NOW), NOW, NOW, policy) is None


def test_a_memory_that_was_never_seen_fades_from_its_last_write() -> None:
    said = describe_decay(Signals(importance=80), days_ago(75), NOW, ROCKBOT)
    assert said is not None
    assert said.startswith(f"importance 80 → 40: last seen 75 days ago ({days_ago(75):%Y-%m-%d})")
