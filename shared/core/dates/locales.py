"""Relative dates in other languages: dateparser's tables define phrases such as "2 weeks ago", and dateparser reads them."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

import dateparser
from dateparser.languages.loader import default_loader

from shared.core.dates.arithmetic import nearest
from shared.core.dates.resolved import When, as_exact_as, on_day

_UNITS = ("day", "week", "month", "year")
#: A shorter phrase ("in 3 d") is an abbreviation that may be anything.
_SHORTEST_PHRASE = 4
_SHORTEST_UNIT = 3
_NUMBER_GROUP = r"(\d++[.,]?\d*+)"
_COUNT = r"(?:\d{1,4}|[^\W\d_]{2,12})"
#: "morgen" and "mañana" are also the morning.
_MORNING = re.compile(
    r"\b(?:guten|am|jeden|heute|gestern|frühen|nächsten|diesen|der|den|la|esta|cada|buena|una|misma)\s{1,3}(?:morgen|mañana)$",
    re.IGNORECASE,
)
#: How a language says "last <weekday>": the word before it, or after it.
_LAST = {
    "de": r"(?:letzten|letzter|letztem|vergangenen|vorigen)\s{1,3}(?P<weekday>DAY)",
    "es": r"(?:el\s{1,3})?(?P<weekday>DAY)\s{1,3}pasado",
    "fr": r"(?P<weekday>DAY)\s{1,3}dernier",
    "it": r"(?P<weekday>DAY)\s{1,3}scors[oa]",
    "nl": r"(?:afgelopen|vorige)\s{1,3}(?P<weekday>DAY)",
}
_WEEKDAY_KEYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def find_locale_dates(text: str, today: date, language: str) -> Iterator[tuple[int, int, When | None]]:
    """Yield (start, end, meaning) of the phrases of a language other than English; None where it abstains.

    Args:
        text: the text with its code made blank.
        today: the local day on which it was said.
        language: two letters. A language that dateparser does not know has no phrases.
    """
    phrases, last = _patterns_of(language)
    if last is not None:
        for found in last.finditer(text):
            name = found["weekday"].lower()
            yield found.start(), found.end(), on_day(nearest(today, _weekdays_of(language)[name], -1))
    if phrases is None:
        return
    for found in phrases.finditer(text):
        unit = next(name for name in _UNITS if found.group(name))
        is_morning = _MORNING.search(text[max(0, found.start() - 12) : found.end()]) is not None
        yield found.start(), found.end(), None if is_morning else _read(found[0], unit, today, language)


def _read(phrase: str, unit: str, today: date, language: str) -> When | None:
    at = datetime.combine(today, time(12))
    parsed = dateparser.parse(
        phrase.lower(), languages=[language], settings={"RELATIVE_BASE": at, "RETURN_AS_TIMEZONE_AWARE": False}
    )
    return None if parsed is None else as_exact_as(parsed.date(), unit)


@lru_cache(maxsize=64)
def _patterns_of(language: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Return the pattern of a language's relative phrases, with a group for each unit, and the one of past weekdays."""
    info = _info_of(language)
    if not info:
        return None, None
    groups = [rf"(?P<{unit}>{'|'.join(_phrases_of(info, unit)) or '(?!)'})" for unit in _UNITS]
    phrases = re.compile(rf"\b(?:{'|'.join(groups)})(?!\w)", re.IGNORECASE)
    if language not in _LAST:
        return phrases, None
    days = "|".join(sorted(map(re.escape, _weekdays_of(language)), key=len, reverse=True))
    return phrases, re.compile(rf"\b{_LAST[language].replace('DAY', f'(?:{days})')}\b", re.IGNORECASE)


def _phrases_of(info: Mapping[str, Any], unit: str) -> list[str]:
    """Return the patterns that name or count a unit, longest first, without abbreviations."""
    said = [re.escape(phrase) for key, some in info["relative-type"].items() if unit in key.split() for phrase in some]
    counted = [
        phrase.replace(_NUMBER_GROUP, _COUNT).replace(" ", r"\s{1,3}")
        for key, some in info["relative-type-regex"].items()
        if unit in key.split()
        for phrase in some
        if not 0 < len(phrase.rpartition(")")[2].strip()) < _SHORTEST_UNIT
    ]
    return sorted({phrase for phrase in (*said, *counted) if len(phrase) >= _SHORTEST_PHRASE}, key=len, reverse=True)


@lru_cache(maxsize=64)
def _weekdays_of(language: str) -> Mapping[str, int]:
    """Return the full names of the weekdays."""
    info = _info_of(language)
    return {name.lower(): number for number, key in enumerate(_WEEKDAY_KEYS) for name in info[key] if len(name) >= 4}


def _info_of(language: str) -> Mapping[str, Any]:
    """Return dateparser's table of a language; an empty one for an unknown language."""
    try:
        return default_loader.get_locale(language).info
    except ValueError:
        return {}
