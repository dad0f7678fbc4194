"""Charts: a number for each day within the scale, and the same numbers as a table."""

import json
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gateway.console.views.charts import costs_chart, dreams_chart, memories_chart, replay_chart, tokens_chart
from shared.ports.tenants import Day

DAYS = st.lists(
    st.builds(
        lambda back, dreams, tokens, memories: Day(
            day=date(2026, 1, 1) + timedelta(days=back),
            dreams=dreams,
            tokens=tokens,
            cost_usd=tokens / 1e6,
            memories=memories,
        ),
        st.integers(0, 300),
        st.dictionaries(st.sampled_from(["completed", "partial", "error"]), st.integers(1, 10**6)),
        st.integers(0, 10**9),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=14,
)


@given(DAYS)
def test_every_pile_of_bars_ends_within_the_scale_and_every_day_has_its_number(days: list[Day]) -> None:
    for chart in (dreams_chart(days), tokens_chart(days), costs_chart(days), memories_chart(days)):
        assert len(chart.rows) == len(chart.days) == len(days)
        assert all(len(series.values) == len(days) for series in chart.series)
        for pile in zip(*(series.values for series in chart.series), strict=True):
            assert 0 <= sum(pile) <= chart.top


@given(DAYS)
def test_the_numbers_of_all_states_together_are_the_dreams_of_the_days(days: list[Day]) -> None:
    drawn = sum(sum(series.values) for series in dreams_chart(days).series)
    assert drawn == sum(sum(day.dreams.values()) for day in days)


def test_a_chart_shows_the_same_numbers_as_its_table() -> None:
    chart = costs_chart([Day(day=date(2026, 1, 1), tokens=10, cost_usd=0.02), Day(day=date(2026, 1, 2))])
    sent = json.loads(json.dumps(chart.drawn))
    assert sent["days"] == ["01 Jan", "02 Jan"]
    assert sent["said"] == [text for _, text in chart.rows]
    assert sent["topLabel"] == "$0.02"
    assert sent["series"] == [{"tone": "accent", "values": [0.02, 0.0]}]


def test_days_without_anything_are_an_empty_chart() -> None:
    days = [Day(day=date(2026, 1, 1))]
    assert dreams_chart(days).is_empty
    assert tokens_chart(days).is_empty
    assert memories_chart(days).is_empty


def test_a_replay_of_seven_days_has_seven_bars_and_every_dream_in_one() -> None:
    until = datetime(2026, 1, 8, 15, tzinfo=UTC)
    since = until - timedelta(days=7)
    chart = replay_chart("With the change", [since, since + timedelta(hours=25), until], since, until)
    assert [text for _, text in chart.rows] == ["1 dream", "1 dream", *["0 dreams"] * 4, "1 dream"]
    assert [day for day, _ in chart.rows][-1] == "2026-01-08"
