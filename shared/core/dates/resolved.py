"""Resolved date phrases, and how their dates are written."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from shared.core.dates.arithmetic import month_of, week_of, weekend_of, year_of


class Granularity(StrEnum):
    """The precision of a phrase: "two years ago" names a year, not a day."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    RANGE = "range"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The days that a phrase means.

    Attributes:
        first: first day meant.
        last: last day meant, the same day for one day.
        granularity: how exact the phrase is.
        day: the arithmetic point ("two months ago" of 7 November is 7 September); None where only a range is meant.
        is_clear: False where people mean two things by the phrase ("next Friday" on a Monday) and a convention chose.
    """

    first: date
    last: date
    granularity: Granularity
    day: date | None = None
    is_clear: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedDate:
    """A phrase of a text, `text[start:end]`, and the days that it means; see `When`.

    `tense` is that of its clause: -1 for the past, 1 for the future, 0 for neither.
    """

    start: int
    end: int
    from_date: date
    to_date: date
    granularity: Granularity
    day: date | None = None
    is_clear: bool = True
    tense: int = 0
    is_english: bool = False


def on_day(day: date) -> When:
    """Return the meaning of a single day."""
    return When(first=day, last=day, granularity=Granularity.DAY, day=day)


def as_exact_as(day: date, unit: str) -> When:
    """Return the day, or the week, month or year around it if the phrase counted in that unit."""
    spans = {"week": week_of, "month": month_of, "year": year_of}
    if unit not in spans:
        return on_day(day)
    first, last = spans[unit](day)
    return When(first=first, last=last, granularity=Granularity(unit), day=day)


def in_span(day: date, unit: str) -> When:
    """Return the whole week, weekend, month or year of a day, without a single day in it."""
    spans = {"week": week_of, "weekend": weekend_of, "month": month_of, "year": year_of}
    first, last = spans[unit](day)
    return When(first=first, last=last, granularity=Granularity(unit))


def render(found: ResolvedDate) -> str:
    """Return the date as text: `2026-03-04`, `2026-03`, `2026`, `week of 2026-03-02`."""
    first, last = found.from_date, found.to_date
    if found.granularity is Granularity.DAY:
        return first.isoformat()
    if found.granularity is Granularity.WEEK:
        return f"week of {first.isoformat()}"
    if found.granularity is Granularity.MONTH:
        return first.isoformat()[:7]
    if found.granularity is Granularity.YEAR:
        return first.isoformat()[:4]
    return f"{first.isoformat()} to {last.isoformat()}"
