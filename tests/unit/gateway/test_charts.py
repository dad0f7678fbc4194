"""Charts: bars as high as their numbers, inside the drawing, and the same numbers as a table."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gateway.console.views.charts import HEIGHT, WIDTH, dreams_chart, memories_chart, replay_chart, tokens_chart
from shared.ports.tenants import Day

DAYS = st.lists(
    st.builds(
        lambda back, dreams, tokens, memories: Day(
            day=date(2026, 1, 1) + timedelta(days=back), dreams=dreams, tokens=tokens, memories=memories
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
def test_nothing_is_drawn_outside(days: list[Day]) -> None:
    for chart in (dreams_chart(days), tokens_chart(days)):
        for bar in chart.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH + 0.5
            assert 0 <= bar.y <= bar.y + bar.height <= HEIGHT
        assert len(chart.rows) == len(days)
    for point in memories_chart(days).line.split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_a_day_with_twice_the_tokens_has_a_bar_of_twice_the_height() -> None:
    days = [Day(day=date(2026, 1, number), tokens=1_000 * number) for number in (1, 2)]
    low, high = (bar.height for bar in tokens_chart(days).bars)
    assert abs(high - 2 * low) < 0.2


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
