"""Quiet hours by a tenant's own clock, over midnight and over the days on which clocks change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import BadInputError
from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.gates.quiet_hours import check_time_zone, find_quiet_end, parse_quiet_hours
from shared.core.policy.policy import GatePolicy

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = parse_quiet_hours("22:00-06:00")
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
MOMENTS = st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - Hypothesis adds the zone


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-01-10 21:59", None),
        ("2026-01-10 22:00", "2026-01-11 06:00"),
        ("2026-01-11 05:59", "2026-01-11 06:00"),
        ("2026-01-11 06:00", None),
    ],
)
def test_a_night_begins_in_the_evening_and_ends_in_the_morning(now: str, until: str | None) -> None:
    assert find_quiet_end(NIGHT, BERLIN, berlin(now)) == (berlin(until) if until else None)


@pytest.mark.parametrize(
    ("evening", "hours"), [("2026-03-28 22:00", 7), ("2026-10-24 22:00", 9), ("2026-06-01 22:00", 8)]
)
def test_a_night_in_which_clocks_change_ends_at_six_all_the_same(evening: str, hours: int) -> None:
    begins = berlin(evening)
    until = find_quiet_end(NIGHT, BERLIN, begins)
    assert until == begins + timedelta(hours=hours)
    assert until.astimezone(BERLIN).hour == 6


def test_an_end_that_comes_twice_counts_the_second_time() -> None:
    hours = parse_quiet_hours("01:00-02:30")
    until = find_quiet_end(hours, BERLIN, datetime(2026, 10, 24, 23, 30, tzinfo=UTC))
    assert until == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_an_end_that_does_not_come_counts_an_hour_later() -> None:
    hours = parse_quiet_hours("01:00-02:30")
    until = find_quiet_end(hours, BERLIN, datetime(2026, 3, 29, 0, 30, tzinfo=UTC))
    assert until == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert until.astimezone(BERLIN).strftime("%H:%M") == "03:30"


@given(now=MOMENTS, zone=ZONES, begins=st.times(), ends=st.times())
def test_when_quiet_hours_are_over_they_are_over(now: datetime, zone: str, begins: object, ends: object) -> None:
    text = f"{begins:%H:%M}-{ends:%H:%M}"
    if f"{begins:%H:%M}" == f"{ends:%H:%M}":
        return
    until = find_quiet_end(parse_quiet_hours(text), ZoneInfo(zone), now)
    if until is not None:
        assert now < until <= now + timedelta(hours=26)
        assert find_quiet_end(parse_quiet_hours(text), ZoneInfo(zone), until) is None


@pytest.mark.parametrize("text", ["22-6", "22:00", "25:00-06:00", "22:00-22:00", "", "late-early"])
def test_quiet_hours_that_are_no_times_of_day_are_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        parse_quiet_hours(text)


@pytest.mark.parametrize("name", ["Europe/Atlantis", "", "../etc/passwd", "berlin\x00"])
def test_an_unknown_time_zone_is_refused(name: str) -> None:
    with pytest.raises(BadInputError):
        check_time_zone(name)


def test_the_gate_says_which_hours_whose_clock_and_until_when_and_force_gets_past_it() -> None:
    facts = GateFacts(curations=9, quiet_hours="22:00-06:00", time_zone="Europe/Berlin")
    verdict = decide_gates(facts, GatePolicy(), berlin("2026-01-10 23:30"), force=False)
    assert verdict.reason == "Quiet hours (22:00-06:00 Europe/Berlin), until 06:00"
    assert (verdict.gate, verdict.retry_at) == ("quiet", berlin("2026-01-11 06:00"))
    assert decide_gates(facts, GatePolicy(), berlin("2026-01-10 23:30"), force=True).is_open
