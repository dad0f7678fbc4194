"""Arithmetic of days, Monday-based weeks, months and years. Raises OverflowError or ValueError outside the calendar."""

import calendar
from collections.abc import Mapping
from datetime import date, timedelta

_WEEK = timedelta(weeks=1)


def shift(day: date, units: Mapping[str, int], sign: int) -> date:
    """Return the day this many years, months, weeks and days later (or earlier), capped at the end of the month."""
    months = sign * (12 * units.get("year", 0) + units.get("month", 0))
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 0
    moved = date(year, month + 1, min(day.day, last))
    return moved + sign * (units.get("week", 0) * _WEEK + timedelta(days=units.get("day", 0)))


def span_of(day: date, unit: str) -> str:
    """Return a day, or its weekend, week, month or year, as a text writes it: `2026-03-04`, `week of 2026-03-02`, `2026-03`."""
    monday = day - timedelta(days=day.weekday())
    if unit == "weekend":
        return f"{monday + timedelta(days=5)} to {monday + timedelta(days=6)}"
    if unit == "week":
        return f"week of {monday}"
    return day.isoformat()[: {"day": 10, "month": 7, "year": 4}[unit]]


def weekday_in_week(day: date, weekday: int) -> date:
    """Return the weekday (Monday is 0) in the week around a day."""
    return day + timedelta(days=weekday - day.weekday())


def nearest(day: date, weekday: int, sign: int) -> date:
    """Return the nearest given weekday strictly before (-1) or after (1) a day."""
    distance = (sign * (weekday - day.weekday())) % 7 or 7
    return day + sign * timedelta(days=distance)
