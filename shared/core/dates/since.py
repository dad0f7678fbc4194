"""Find the day from which on a statement says that it holds: "since 3 March", "from Monday on".

Only a day that can be read in one way counts: not a week, not "last Monday", which may be of this week or of the one before, no
end of a span ("from Monday to Friday"), and no second day beside it.
"""

import re
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from typing import NamedTuple

from shared.core.dates.arithmetic import nearest
from shared.core.dates.rewrite import find_local
from shared.core.dates.stamps import find_stamps, make_day
from shared.core.dates.words import MONTH, read_month
from shared.languages.language_file import DateWords, read_date_words

_YEAR = r"(?:,?\s(?:19|20)\d{2}\b)?"
_NUMBERED = (
    r"(?:19|20)\d{2}-\d{2}-\d{2}(?!\d)"
    rf"|{MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b{_YEAR}|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{MONTH}\b\.?{_YEAR}"
)
_NUMBER = re.compile(r"\d+")
_STATED_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_OF = re.compile(r"\s?\b(?:of|the)\b\s?", re.IGNORECASE)
#: What is quoted in a sentence says nothing of the sentence.
QUOTED = re.compile(
    r"`[^`\n]{0,2000}`|\"[^\"\n]{0,2000}\"|\u201c[^\u201d\n]{0,2000}\u201d|\u00ab[^\u00bb\n]{0,2000}\u00bb"
)
_MAX_CHARS, _MAX_PHRASES = 2_000, 20


class Window(NamedTuple):
    """The time in which a day without a year may lie, before and after it is spoken of."""

    back: timedelta
    ahead: timedelta


#: A past day is the last one, an end the next one; a start is the nearest one, in either direction.
_PAST = Window(timedelta(days=300), timedelta())
_START = Window(timedelta(days=120), timedelta(days=120))
AHEAD = Window(timedelta(), timedelta(days=300))


def find_since(statement: str, said_at: datetime, zone: str = "UTC") -> date | None:
    """Return the day from which on a statement says that it holds; None where it names none, or none for certain.

    Args:
        statement: what was said.
        said_at: when, as `rewrite_dates` takes it.
        zone: the zone of the speaker.

    Raises:
        BadInputError: there is no such zone.
    """
    prose = QUOTED.sub(" ", statement[:_MAX_CHARS])
    ends = [
        (found, words, window)
        for words, window, pattern in _compile()
        for found in islice(pattern.finditer(prose), _MAX_PHRASES)
    ]
    if not ends:
        return None
    local = find_local(said_at, zone)
    today = local.date() if local is not None else None
    days = {
        None if found["more"] else read_day(found["day"], words, said_at.date(), today, window)
        for found, words, window in ends
    }
    return next(iter(days)) if len(days) == 1 else None


@cache
def _compile() -> tuple[tuple[DateWords, Window, re.Pattern[str]], ...]:
    """Return the patterns of each language, with where their day lies."""
    found = []
    for words in read_date_words().values():
        # Behind it, it is one end of a span or one of several.
        more = rf"(?P<more>\s?(?:[-\u2013/]|,?\s?\b(?:{words.through})\b))?"
        day = f"(?P<day>{day_of(words)})"
        for window, patterns in ((_PAST, words.since), (_START, words.starting)):
            spaced = (one.replace("<D>", day).replace(" ", r"\s{1,3}") for one in patterns)
            found += [(words, window, re.compile(rf"(?<!\w)(?:{one})(?!\w){more}", re.IGNORECASE)) for one in spaced]
    return tuple(found)


def day_of(words: DateWords) -> str:
    """Return the pattern of what names a day in a language; its spaces stand for one to three."""
    return "|".join((_NUMBERED, *_named_months(words), *words.days, *words.loose, *words.weekdays))


def _named_months(words: DateWords) -> tuple[str, ...]:
    """Return the pattern of a day of a month that a language names: "12. Oktober 2026", "12 de octubre de 2026"."""
    if not words.months:
        return ()
    link = rf"(?:{words.month_links})\s" if words.month_links else r"(?!)"
    month = "|".join(words.months)
    return (rf"\d{{1,2}}(?:\.|er|º|°)?\s?(?:{link})?(?:{month})(?!\w)(?:,?\s(?:{link})?(?:19|20)\d{{2}}\b)?",)


def read_day(said: str, words: DateWords, said_on: date, today: date | None, window: Window) -> date | None:
    """Return the day that a match of `day_of` names; None where it may be another one, or lies outside of the window.

    Args:
        said: the words.
        words: those of their language.
        said_on: when it was said, by any clock.
        today: the day of the speaker, from which "Monday" counts; None where it is uncertain.
        window: where a day without a year may lie; a day with one lies on the same side.
    """
    if not _NUMBER.search(said):
        return _read_named(said, words, today, window)
    return _read_numbered(said, words, said_on, window)


def _lies_in(away: timedelta, window: Window) -> bool:
    return not (away < timedelta() == window.back) and not (away > timedelta() == window.ahead)


def _read_numbered(said: str, words: DateWords, said_on: date, window: Window) -> date | None:
    """Return a day of a month, of the year that it names or else of the only one that it can be of."""
    stamp = next(iter(find_stamps(_OF.sub(" ", said))), None)
    if stamp is not None and stamp.day is not None:
        return stamp.day if _lies_in(stamp.day - said_on, window) else None
    year, number = _STATED_YEAR.search(said), _NUMBER.search(said)
    month = _read_month(said, words)
    return (
        None
        if month is None or number is None
        else place(year and int(year[0]), month, int(number[0]), said_on, window)
    )


def _read_month(said: str, words: DateWords) -> int | None:
    """Return the number of the month that is named, in the words' language or in English."""
    months = (re.search(rf"(?<!\w)(?:{one})(?!\w)", said, re.IGNORECASE) for one in words.months)
    own = next((number for number, found in enumerate(months, 1) if found), None)
    named = re.search(rf"(?<!\w){MONTH}(?!\w)", said, re.IGNORECASE)
    return own or (read_month(named[0]) if named else None)


def place(year: int | None, month: int, day: int, said_on: date, window: Window) -> date | None:
    """Return a day of a year, or without one of the only year that it can be of; None where there is none in the window."""
    if year is not None:
        stated = make_day(year, month, day)
        return stated if stated is not None and _lies_in(stated - said_on, window) else None
    near = [
        found
        for one in (said_on.year - 1, said_on.year, said_on.year + 1)
        if (found := make_day(one, month, day)) is not None and -window.back <= found - said_on <= window.ahead
    ]
    return near[0] if len(near) == 1 else None


def _read_named(said: str, words: DateWords, said_on: date | None, window: Window) -> date | None:
    """Return the day of "yesterday", or the weekday before or after a day; a day on that very weekday may mean itself."""
    if said_on is None:
        return None
    away = {**words.loose, **words.days}
    days = next((away[one] for one in away if _is(one, said)), None)
    if days is not None:
        return said_on + timedelta(days=days) if _lies_in(timedelta(days=days), window) else None
    weekday = next((number for number, one in enumerate(words.weekdays) if _is(one, said)), None)
    return None if weekday in {None, said_on.weekday()} else nearest(said_on, weekday or 0, 1 if window.ahead else -1)


def _is(pattern: str, said: str) -> bool:
    return re.fullmatch(pattern.replace(" ", r"\s{1,3}"), said, re.IGNORECASE) is not None
