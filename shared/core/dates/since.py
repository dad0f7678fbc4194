"""Find the day from which on a statement says that it holds: "since 3 March", "from Monday on".

Only a day that can be read in one way counts: not a week, not "last Monday", which may be of this week or of the one before, no
end of a span ("from Monday to Friday"), and no second day beside it.
"""

import re
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice

from shared.core.dates.arithmetic import nearest
from shared.core.dates.rewrite import find_local
from shared.core.dates.stamps import find_stamps
from shared.core.dates.words import MONTH, read_month
from shared.languages.language_file import DateWords, read_date_words

_YEAR = r"(?:,?\s(?:19|20)\d{2}\b)?"
_NUMBERED = (
    r"(?:19|20)\d{2}-\d{2}-\d{2}(?!\d)"
    rf"|{MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b{_YEAR}|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{MONTH}\b\.?{_YEAR}"
)
_MONTH = re.compile(MONTH, re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_OF = re.compile(r"\s?\b(?:of|the)\b\s?", re.IGNORECASE)
_APART = re.compile(
    r"`[^`\n]{0,2000}`|\"[^\"\n]{0,2000}\"|\u201c[^\u201d\n]{0,2000}\u201d|\u00ab[^\u00bb\n]{0,2000}\u00bb"
)
_MAX_CHARS, _MAX_PHRASES = 2_000, 20
#: A day without a year is the last one before it was said, if so long ago at most; a start is the nearest one, in either direction.
_LONGEST_SINCE, _LONGEST_START = timedelta(days=300), timedelta(days=120)


def find_since(statement: str, said_at: datetime, zone: str = "UTC") -> date | None:
    """Return the day from which on a statement says that it holds; None where it names none, or none for certain.

    Args:
        statement: what was said.
        said_at: when, as `rewrite_dates` takes it.
        zone: the zone of the speaker.

    Raises:
        BadInputError: there is no such zone.
    """
    prose = _APART.sub(" ", statement[:_MAX_CHARS])
    ends = [
        (found, words, is_past)
        for words, is_past, pattern in _compile()
        for found in islice(pattern.finditer(prose), _MAX_PHRASES)
    ]
    if not ends:
        return None
    local = find_local(said_at, zone)
    today = local.date() if local is not None else None
    days = {
        None
        if found["more"]
        else _read_numbered(found["day"], said_at.date(), is_past=is_past)
        if _NUMBER.search(found["day"])
        else _read_named(found["day"], words, today, is_past=is_past)
        for found, words, is_past in ends
    }
    return next(iter(days)) if len(days) == 1 else None


@cache
def _compile() -> tuple[tuple[DateWords, bool, re.Pattern[str]], ...]:
    """Return the patterns of each language, with whether their day is in the past."""
    found = []
    for words in read_date_words().values():
        # Behind it, it is one end of a span or one of several.
        more = rf"(?P<more>\s?(?:[-\u2013/]|,?\s?\b(?:{words.through})\b))?"
        day = rf"(?P<day>{'|'.join((_NUMBERED, *words.days, *words.loose, *words.weekdays))})"
        for is_past, patterns in ((True, words.since), (False, words.starting)):
            spaced = (one.replace("<D>", day).replace(" ", r"\s{1,3}") for one in patterns)
            found += [(words, is_past, re.compile(rf"(?<!\w)(?:{one})(?!\w){more}", re.IGNORECASE)) for one in spaced]
    return tuple(found)


def _read_numbered(said: str, said_on: date, *, is_past: bool) -> date | None:
    """Return a day of a month, of the year that it names or else of the only one that it can be of."""
    stamp = next(iter(find_stamps(_OF.sub(" ", said))), None)
    if stamp is None:
        return None
    if stamp.day is not None:
        return stamp.day if stamp.day <= said_on or not is_past else None
    month, number = _MONTH.search(said), _NUMBER.search(said)
    if month is None or number is None:
        return None
    near = [
        day
        for year in (said_on.year - 1, said_on.year, said_on.year + 1)
        if (day := _day_of(year, read_month(month[0]), int(number[0]))) is not None
        and (_LONGEST_SINCE >= said_on - day >= timedelta() if is_past else abs(day - said_on) <= _LONGEST_START)
    ]
    return near[0] if len(near) == 1 else None


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # the 31st of June
        return None


def _read_named(said: str, words: DateWords, said_on: date | None, *, is_past: bool) -> date | None:
    """Return the day of "yesterday", or the weekday before or after a day; a day on that very weekday may mean itself."""
    if said_on is None:
        return None
    away = {**words.loose, **words.days}
    days = next((away[one] for one in away if _is(one, said)), None)
    if days is not None:
        return said_on + timedelta(days=days) if days <= 0 or not is_past else None
    weekday = next((number for number, one in enumerate(words.weekdays) if _is(one, said)), None)
    return None if weekday in {None, said_on.weekday()} else nearest(said_on, weekday or 0, -1 if is_past else 1)


def _is(pattern: str, said: str) -> bool:
    return re.fullmatch(pattern.replace(" ", r"\s{1,3}"), said, re.IGNORECASE) is not None
