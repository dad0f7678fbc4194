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


def week_of(day: date) -> tuple[date, date]:
    """Return the Monday and the Sunday around a day."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def weekend_of(day: date) -> tuple[date, date]:
    """Return the Saturday and the Sunday of a day's week."""
    monday, sunday = week_of(day)
    return monday + timedelta(days=5), sunday


def month_of(day: date) -> tuple[date, date]:
    """Return the first and the last day of a day's month."""
    return day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1])


def quarter_of(day: date) -> tuple[date, date]:
    """Return the first and the last day of a day's quarter."""
    first = day.replace(month=day.month - (day.month - 1) % 3, day=1)
    return first, month_of(first.replace(month=first.month + 2))[1]


def year_of(day: date) -> tuple[date, date]:
    """Return the first and the last day of a day's year."""
    return date(day.year, 1, 1), date(day.year, 12, 31)


def weekday_in_week(day: date, weekday: int) -> date:
    """Return the weekday (Monday is 0) in the week around a day."""
    return week_of(day)[0] + timedelta(days=weekday)


def nearest(day: date, weekday: int, sign: int) -> date:
    """Return the nearest given weekday strictly before (-1) or after (1) a day."""
    distance = (sign * (weekday - day.weekday())) % 7 or 7
    return day + sign * timedelta(days=distance)


def nth_weekday(first: date, weekday: int, nth: int) -> date:
    """Return the nth given weekday of the month that begins on `first`.

    Raises:
        ValueError: the month has none.
    """
    day = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=nth - 1)
    if day.month != first.month:
        raise ValueError(f"{first:%Y-%m} has no weekday number {nth} of that name")
    return day


def last_weekday(last: date, weekday: int) -> date:
    """Return the last given weekday of the month that ends on `last`."""
    return last - timedelta(days=(last.weekday() - weekday) % 7)
