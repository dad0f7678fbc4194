"""The forecast of a month can be checked by hand: so far, and for each day that is left the mean of the last week."""

from datetime import date

import pytest

from shared.core.tenants.forecast import forecast_month


@pytest.mark.parametrize(
    ("month", "last_days", "today", "expected"),
    [
        (20.0, 14.0, date(2026, 11, 10), 20.0 + 2.0 * 20),
        (20.0, 14.0, date(2026, 11, 30), 20.0),  # the last day: nothing is left but what today still brings
        (0.5, 7.0, date(2028, 2, 1), 0.5 + 1.0 * 28),  # a leap year; the week before lies in January
        (3.0, 0.0, date(2026, 11, 2), 3.0),  # today's first spending says nothing of the days to come
    ],
)
def test_a_month_comes_to_what_it_has_cost_and_a_mean_day_for_each_that_is_left(
    month: float, last_days: float, today: date, expected: float
) -> None:
    found = forecast_month(month, last_days, today)
    assert found.month_usd == month
    assert found.month_end_usd == pytest.approx(expected)
