"""Time stamps in a text, each with the local day that it gives.

A stamp tells the day where it was written: its own offset or the name of its zone makes no other day of it. UTC is the
clock of a machine. Its day is that of a person only in the hours in which the day is the same almost everywhere.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time

from shared.core.dates.words import MONTH, read_month

#: From the one hour to the other in UTC, it is the same day from Los Angeles to Sydney.
_SAME_DAY_FROM, _SAME_DAY_UNTIL = 8, 14
_DAY = (
    r"(?P<year>(?:19|20)\d{2})(?P<mark>[-/.])(?P<month>\d{2})(?P=mark)(?P<day>\d{2})(?!\d)"
    rf"|\b(?P<name>{MONTH})\.?\s(?P<nth>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<its_year>(?:19|20)\d{{2}}))?\b"
    rf"|\b(?P<on>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?P<of>{MONTH})\.?(?:,?\s(?P<of_year>(?:19|20)\d{{2}}))?\b"
)
_CLOCK = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::\d{2}(?:[.,]\d{1,9})?)?(?!\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?"
#: "UTC" and "Z", but not "UTC+8"; and the name or offset of another zone.
_ZONE = r"(?P<utc>\s?\(?(?-i:(?:Z|UTC|GMT)\b(?!\s?[+-]\d)|[+-]00:?00\b))?(?P<zone>\s?\(?(?-i:[A-Z]{3,4}\b|(?:UTC|GMT)?[+-]\d))?"
_STAMP = re.compile(
    rf"(?<!\w)(?<!\d-)(?:{_DAY})(?:(?:T|,?\s(?:at\s|\u2014\s|-\s)?){_CLOCK}{_ZONE})?(?P<unread>T\d|\s?\(?(?-i:UTC|GMT)\b)?",
    re.IGNORECASE,
)
_TIME = re.compile(rf"(?<![\w:.-]){_CLOCK}{_ZONE}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A stamp of a text, `text[start:end]`: its day as written, and the local moment that it gives, each None where it is uncertain."""

    start: int
    end: int
    day: date | None
    said_at: datetime | None


def find_stamps(text: str) -> tuple[Stamp, ...]:
    """Return the days that a line names, in order, with their times of day; one without a year has no certain day."""
    return tuple(_read(found) for found in _STAMP.finditer(text))


def names_zone(text: str) -> bool:
    """Tell whether a line names a time of day in a zone, without a day: "02:05 UTC" may be another day than its page's."""
    return any(found["utc"] or found["zone"] for found in _TIME.finditer(_STAMP.sub(" ", text)))


def is_same_day(moment: datetime) -> bool:
    """Tell whether the day of a moment in UTC is the same in nearly every zone where people live."""
    return _SAME_DAY_FROM <= moment.hour < _SAME_DAY_UNTIL


def _read(found: re.Match[str]) -> Stamp:
    day = _day_of(found)
    moment = datetime.combine(day, _time_of(found) if found["hour"] else time(12)) if day else None
    if moment is not None and (found["unread"] or (found["utc"] and not is_same_day(moment))):
        moment = None
    return Stamp(start=found.start(), end=found.end(), day=day, said_at=moment)


def _day_of(found: re.Match[str]) -> date | None:
    year = found["year"] or found["its_year"] or found["of_year"]
    named = found["name"] or found["of"]
    month = int(found["month"]) if found["month"] else read_month(named)
    return make_day(int(year), month, int(found["day"] or found["nth"] or found["on"])) if year else None


def make_day(year: int, month: int, day: int) -> date | None:
    """Return a day; None if there is none, such as the 31st of June."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _time_of(found: re.Match[str]) -> time:
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, int(found["minute"]))
