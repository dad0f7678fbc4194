"""The forecast of a calendar month (UTC), by a rule that is simple enough to be checked by hand."""

import calendar
from dataclasses import dataclass
from datetime import date

#: The mean of a day is taken over this many full days before today.
LOOK_BACK_DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The month's cost up to now, and at its end; None where tokens were spent whose price is unknown."""

    month_usd: float | None
    month_end_usd: float | None


def forecast_month(month_usd: float, last_days_usd: float, today: date) -> Forecast:
    """Return the forecast: what the month has cost so far, and for each day after today the mean of the last seven full days."""
    days_left = calendar.monthrange(today.year, today.month)[1] - today.day
    return Forecast(month_usd=month_usd, month_end_usd=month_usd + last_days_usd / LOOK_BACK_DAYS * days_left)
