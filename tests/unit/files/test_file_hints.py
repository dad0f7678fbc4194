"""Frontmatter sets the signals of a memory, and nothing else is believed."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.files.hints import read_dates, read_signals
from shared.core.memory.model import Maturity, Signals, Tier

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 4, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", ["high", True, -1, 101, float("nan"), float("inf"), None, [50], 0.8])
def test_an_importance_that_is_no_number_of_the_scale_is_ignored(value: object) -> None:
    assert read_signals({"importance": value}) == Signals()


def test_a_small_importance_counts_where_byterover_wrote_it() -> None:
    assert read_signals({"importance": 0.8, "maturity": "draft"}).importance == 0.8


@pytest.mark.parametrize("key", ["reinforcementCount", "reinforcement_count"])
@pytest.mark.parametrize(("value", "importance"), [(0.95, 95.0), (1, 100.0), (0, 0.0), (72, 72.0)])
def test_an_importance_up_to_one_is_rockbots_share_where_it_counts_reinforcements(
    value: float, importance: float, key: str
) -> None:
    assert read_signals({"importance": value, key: 4}).importance == pytest.approx(importance)


@pytest.mark.parametrize("value", ["finished", 3, None, ["core"], ""])
def test_an_unknown_maturity_is_ignored(value: object) -> None:
    assert read_signals({"maturity": value}).maturity is Maturity.DRAFT


@pytest.mark.parametrize("value", [-1, 2**31, 1.5, "4", True, None])
def test_an_access_count_that_no_counter_holds_is_ignored(value: object) -> None:
    assert read_signals({"accessCount": value}).access_count == 0


@pytest.mark.parametrize(
    "value",
    [
        "2026-04-28T12:00:00.000Z",
        "2026-04-28T14:00:00+02:00",
        " 2026-04-28 12:00 ",
        datetime(2026, 4, 28, 12),  # noqa: DTZ001 - YAML yields dates without a zone
        datetime(2026, 4, 28, 7, tzinfo=timezone(timedelta(hours=-5))),
        1_777_377_600,
        1_777_377_600_000,
    ],
)
@pytest.mark.parametrize("key", ["updatedAt", "updated_at", "createdAt", "modified"])
def test_dates_are_read_in_the_shapes_that_tools_write(key: str, value: object) -> None:
    assert read_dates({key: value}, mtime_ns=0)[1] == NOON


def test_a_day_without_a_time_begins_at_midnight_utc() -> None:
    assert read_dates({"created": date(2026, 4, 28)}, mtime_ns=0)[0] == datetime(2026, 4, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["yesterday", "", 7, True, None, ["2026-01-01"], float("nan"), float("inf"), 1e300, "0001-01-01T00:00:00+14:00"],
)
def test_a_date_that_makes_no_sense_falls_back_to_the_file_system(value: object) -> None:
    assert read_dates({"updatedAt": value}, mtime_ns=10**9) == (None, EPOCH + timedelta(seconds=1))


def test_an_update_date_wins_over_a_creation_date() -> None:
    dates = {"createdAt": "2020-01-01", "updatedAt": "2021-01-01"}
    assert [moment and moment.year for moment in read_dates(dates, mtime_ns=0)] == [2020, 2021]


words = st.text(alphabet="0123456789-:.+TZ aéx")
values = st.none() | st.booleans() | st.integers() | st.floats() | words | st.datetimes() | st.dates() | st.lists(words)
keys = st.sampled_from(
    ["importance", "reinforcementCount", "maturity", "accessCount", "createdAt", "updatedAt", "updated_at", "created"]
)


@given(fields=st.dictionaries(keys, values), mtime_ns=st.integers(-(2**63), 2**63 - 1))
def test_whatever_the_frontmatter_says_signals_stay_in_range_and_dates_are_utc(
    fields: dict[str, object], mtime_ns: int
) -> None:
    signals = read_signals(fields)
    created, updated = read_dates(fields, mtime_ns=mtime_ns)
    assert 0 <= signals.importance <= 100
    assert 0 <= signals.access_count < 2**31
    assert updated.tzinfo is UTC
    assert created is None or created.tzinfo is UTC


@pytest.mark.parametrize("named", [str.lower, str.upper, str.title])
def test_a_durable_memory_of_another_system_stays_durable(named: Callable[[str], str]) -> None:
    assert read_signals({"tier": named("durable")}).tier is Tier.DURABLE


@pytest.mark.parametrize("value", ["archive", 3, None, ["durable"], ""])
def test_an_unknown_tier_is_ignored(value: object) -> None:
    assert read_signals({"tier": value}).tier is Tier.WORKING


@pytest.mark.parametrize("key", ["reinforcementCount", "reinforcement_count"])
def test_reinforcements_are_read_and_nonsense_is_ignored(key: str) -> None:
    assert read_signals({key: 4}).reinforcement_count == 4
    assert read_signals({key: "often"}).reinforcement_count == 0


@pytest.mark.parametrize("key", ["lastSeenAt", "last_seen_at", "lastAccessedAt", "last_accessed_at"])
def test_last_seen_is_read_under_the_names_that_systems_use(key: str) -> None:
    assert read_signals({key: "2026-04-28T12:00:00Z"}).last_seen_at == NOON


@pytest.mark.parametrize("key", ["firstSeenAt", "first_seen_at"])
def test_first_seen_is_when_a_memory_was_created(key: str) -> None:
    assert read_dates({key: "2026-04-28T12:00:00Z"}, mtime_ns=0)[0] == NOON


@pytest.mark.parametrize(
    ("value", "pinned"), [(True, True), (False, False), ("true", False), (1, False), (None, False)]
)
def test_only_a_plain_true_pins(value: object, pinned: bool) -> None:
    assert read_signals({"pinned": value}).pinned is pinned
