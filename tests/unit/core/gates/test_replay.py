"""A replay over past activity finds the moments at which a store would have dreamt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shared.core.gates.replay import Activity, Clock, Replay, replay_gates
from shared.core.tenants.store import Store
from tests.support.laws import examples

SINCE = datetime(2026, 11, 2, tzinfo=UTC)
WEEK = timedelta(days=7)
STORE = Store(id="sto_1", tenant_id="acme", name="default")


def came(hours: float, *, curations: int = 0, sessions: int = 0) -> Activity:
    return Activity(at=SINCE + timedelta(hours=hours), curations=curations, sessions=sessions)


#: A clock without quiet hours.
ALWAYS = Clock()


def replayed(store: Store, *activity: Activity, clock: Clock = ALWAYS) -> Replay:
    return replay_gates(store, activity, clock, since=SINCE, until=SINCE + WEEK)


def test_three_writes_make_a_dream_once_the_agent_is_quiet() -> None:
    found = replayed(STORE, came(1, curations=1), came(2, curations=1), came(3, curations=1))
    [dream] = found.dreams
    assert timedelta(hours=3, minutes=2) <= dream - SINCE <= timedelta(hours=3, minutes=30)
    assert found.shut["activity"] >= 1


def test_too_little_activity_makes_none_and_says_at_which_gate() -> None:
    found = replayed(STORE, came(1, curations=2), came(30, sessions=1))
    assert found.dreams == ()
    assert set(found.shut) == {"activity"}


def test_the_time_since_the_last_dream_holds_the_next_one_back() -> None:
    busy = [came(hour, curations=5) for hour in range(0, 48, 2)]
    by_twelve = replayed(STORE, *busy)
    by_four = replayed(replace(STORE, overrides={"gates.min_hours": 4}), *busy)
    assert len(by_four.dreams) > len(by_twelve.dreams) >= 3
    pauses = [later - sooner for sooner, later in pairwise(by_twelve.dreams)]
    assert min(pauses) >= timedelta(hours=12)


def test_activity_from_before_the_replayed_period_counts() -> None:
    waiting = replace(STORE, curations=3, last_dream_at=SINCE - timedelta(hours=11))
    [dream] = replayed(waiting).dreams
    assert timedelta(hours=1) <= dream - SINCE <= timedelta(hours=1, minutes=20)


def test_a_dream_waits_for_the_end_of_quiet_hours() -> None:
    clock = Clock(quiet_hours="22:00-06:00", time_zone="UTC")
    [dream] = replayed(STORE, came(22.5, curations=3), clock=clock).dreams
    assert timedelta(hours=30) <= dream - SINCE <= timedelta(hours=31)


def test_a_store_that_is_switched_off_never_dreams() -> None:
    found = replayed(replace(STORE, overrides={"gates.enabled": False}), came(1, curations=9))
    assert found.dreams == ()
    assert set(found.shut) == {"disabled"}


def test_an_agent_that_never_rests_is_dreamt_over_once_a_day() -> None:
    minutes = [came(number / 60, curations=1) for number in range(72 * 60)]
    assert 2 <= len(replayed(STORE, *minutes).dreams) <= 3


def test_a_timer_wakes_only_a_store_to_which_something_came() -> None:
    rockbot = replace(STORE, profile="rockbot")
    assert len(replayed(rockbot, came(1, curations=1), came(50, curations=1)).dreams) == 2
    assert replayed(rockbot).dreams == ()


def test_a_write_does_not_wait_for_the_timer_of_its_store() -> None:
    swarmclaw = replace(STORE, profile="swarmclaw", overrides={"gates.enabled": True})
    found = replayed(swarmclaw, came(1, curations=1), came(9, curations=1)).dreams
    assert [round((at - SINCE) / timedelta(hours=1)) for at in found] == [1, 9]


@given(
    st.lists(st.tuples(st.integers(0, 7 * 24 * 60 - 1), st.integers(0, 4), st.integers(0, 2)), max_size=60),
    st.sampled_from(["default", "byterover", "claude-code", "rockbot"]),
    st.integers(1, 48),
)
@examples(40)
def test_dreams_lie_in_the_period_and_never_closer_than_the_policy_says(
    minutes: list[tuple[int, int, int]], profile: str, hours: int
) -> None:
    store = replace(STORE, profile=profile, overrides={"gates.min_hours": hours})
    activity = [came(at / 60, curations=curations, sessions=sessions) for at, curations, sessions in sorted(minutes)]
    dreams = replayed(store, *activity).dreams
    assert all(SINCE <= at < SINCE + WEEK for at in dreams)
    assert all(b - a >= timedelta(hours=hours) for a, b in pairwise(dreams))
    assert len(dreams) <= sum(one.curations + one.sessions for one in activity)
