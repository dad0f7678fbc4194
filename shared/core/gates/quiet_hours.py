"""Quiet hours: a part of every day, in the tenant's time zone, in which no dream starts on its own."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.core.errors import BadInputError

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """From one time of day to another; past midnight when the second is earlier."""

    begins: time
    ends: time


#: Twice the longest IANA name. `ZoneInfo` reads a name as a path, and runs out of stack on a long one.
_MAX_NAME_CHARS = 64


def check_time_zone(name: str) -> str:
    """Return the name of a time zone, or raise BadInputError."""
    if len(name) > _MAX_NAME_CHARS or not _is_time_zone(name):
        msg = f"There is no time zone {name[:_MAX_NAME_CHARS]!r}; give one of the IANA names, such as Europe/Berlin or UTC"
        raise BadInputError(msg)
    return name


def _is_time_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


@lru_cache(maxsize=1_024)
def parse_quiet_hours(text: str) -> QuietHours:
    """Parse `22:00-06:00`. Raises BadInputError."""
    begins, _, ends = text.partition("-")
    try:
        hours = QuietHours(begins=_time_of_day(begins), ends=_time_of_day(ends))
    except ValueError:
        msg = f"Quiet hours look like 22:00-06:00, not {text!r}"
        raise BadInputError(msg) from None
    if hours.begins == hours.ends:
        msg = f"Quiet hours {text!r} would last all day: pause the tenant instead"
        raise BadInputError(msg)
    return hours


def find_quiet_end(hours: QuietHours, zone: ZoneInfo, now: datetime) -> datetime | None:
    """Return the end (UTC) of the quiet hours at this moment; None outside of them.

    On a day on which the clocks change, a time that occurs twice begins quiet hours the first time and ends them the
    second; a time that does not occur counts from an hour later. They are never shorter than asked for.
    """
    today = now.astimezone(zone).date()
    for day in (today - _DAY, today):
        begins = _moment(day, hours.begins, zone, fold=0)
        last_day = day if hours.ends > hours.begins else day + _DAY
        ends = _moment(last_day, hours.ends, zone, fold=1 if _comes_twice(last_day, hours.ends, zone) else 0)
        if begins <= now < ends:
            return ends
    return None


def _time_of_day(text: str) -> time:
    return datetime.strptime(text.strip(), "%H:%M").replace(tzinfo=UTC).time()


def _moment(day: date, at: time, zone: ZoneInfo, *, fold: int) -> datetime:
    return datetime.combine(day, at, tzinfo=zone).replace(fold=fold).astimezone(UTC)


def _comes_twice(day: date, at: time, zone: ZoneInfo) -> bool:
    return _moment(day, at, zone, fold=1) > _moment(day, at, zone, fold=0)
